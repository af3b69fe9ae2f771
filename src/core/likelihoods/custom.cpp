#include "custom.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "../linear/require.h"
#include "expectation.h"

namespace gpstream {

Nodes::Nodes(const Latent& at, double width, double least) : rows(at.mean.size()) {
  std::vector<double> places, weights;
  for (Index i = 0; i < rows; ++i) {
    const double s = std::max(std::sqrt(at.variance(i)), least);
    at_nodes(0.0, s > 0 ? 1.0 : 0.0, s > 0 ? width / s : 1.0, [&](double node, double w) {
      places.push_back(node);
      weights.push_back(w);
      row.push_back(i);
    });
  }
  z = Eigen::Map<const Vector>(places.data(), static_cast<Index>(places.size()));
  weight = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
  f.resize(z.size());
  for (Index j = 0; j < z.size(); ++j) {
    const Index i = row[static_cast<std::size_t>(j)];
    f(j) = at.mean(i) + std::max(std::sqrt(at.variance(i)), least) * z(j);
  }
}

Vector Nodes::spread(const ConstVectorView& of_rows) const {
  Vector out(z.size());
  for (Index j = 0; j < z.size(); ++j) out(j) = of_rows(row[static_cast<std::size_t>(j)]);
  return out;
}

Vector Nodes::average(const Vector& of_nodes) const {
  Vector out = Vector::Zero(rows);
  for (Index j = 0; j < z.size(); ++j) out(row[static_cast<std::size_t>(j)]) += weight(j) * of_nodes(j);
  return out;
}

CustomPredictive::CustomPredictive(Latent at, CustomFunctions functions)
    : at_(std::move(at)), functions_(std::move(functions)), nodes_(known(at_), functions_.width, 0.0) {}

Vector CustomPredictive::mean() const {
  require_function(functions_.mean != nullptr, "mean");
  return where_known(nodes_.average(functions_.mean(nodes_.f)));
}

Vector CustomPredictive::variance() const { return Vector::Constant(rows(), nan()); }

Vector CustomPredictive::crps(const ConstVectorView& y) const {
  check_rows(y);
  return Vector::Constant(rows(), nan());
}

Vector CustomPredictive::probability(const ConstVectorView& y) const {
  check_rows(y);
  return where_known(below(y), y);
}

Vector CustomPredictive::quantile(double p) const { return draw(Vector::Constant(rows(), p)); }

Vector CustomPredictive::draw(const ConstVectorView& u) const {
  check_rows(u);
  std::vector<std::int64_t> low(static_cast<std::size_t>(rows()), order(-largest())),
      high(static_cast<std::size_t>(rows()), order(largest()));
  for (int step = 0; step < 64; ++step) {
    Vector middle(rows());
    for (Index i = 0; i < rows(); ++i) middle(i) = number(between(at(low, i), at(high, i)));
    const Vector share = below(middle);
    for (Index i = 0; i < rows(); ++i)
      (share(i) >= u(i) ? at(high, i) : at(low, i)) = between(at(low, i), at(high, i));
  }
  Vector out(rows());
  for (Index i = 0; i < rows(); ++i) out(i) = number(at(high, i));
  return where_known(out, u);
}

Vector CustomPredictive::log_density(const ConstVectorView& y) const {
  check_rows(y);
  const Latent at = known(at_);
  Vector low(rows()), high(rows());
  for (Index i = 0; i < rows(); ++i) {
    const double s = std::sqrt(at.variance(i));
    low(i) = at.mean(i) - 9.0 * s, high(i) = at.mean(i) + 9.0 * s;
  }
  Vector out(rows());
  for (int round = 0; round < 30; ++round) {
    const Matrix values = products(at, y, low, high);
    bool moved = false;
    for (Index i = 0; i < rows(); ++i) {
      const double s2 = at.variance(i), step = (high(i) - low(i)) / (grid - 1);
      if (!(s2 > 0 && high(i) > low(i))) {
        out(i) = values(0, i);
        continue;
      }
      Index best = 0;
      const double top = values.col(i).maxCoeff(&best);
      out(i) = top + std::log((values.col(i).array() - top).exp().sum() * step / (std::sqrt(s2) * sqrt_2_pi));
      if (!std::isfinite(top)) continue;
      Index first = 0, last = grid - 1;
      while (values(first, i) < top - 40.0) ++first;
      while (values(last, i) < top - 40.0) --last;
      const double width = high(i) - low(i);
      if ((first == 0 || last == grid - 1) && round < 20) {
        moved = true;
        if (first == 0) low(i) -= 0.5 * width;
        if (last == grid - 1) high(i) += 0.5 * width;
      } else if (last - first < grid / 3) {
        moved = true;
        const double from = low(i);
        low(i) = from + static_cast<double>(first - 1) * step;
        high(i) = from + static_cast<double>(last + 1) * step;
      }
    }
    if (!moved) break;
  }
  return where_known(out, y);
}

void CustomPredictive::require_function(bool there, const std::string& name) {
  require(there, "likelihood",
          "this needs a `" + name +
              "`, which likelihood_custom() was not given; what is known of f, `type` = "
              "\"latent\", does not.");
}

std::int64_t CustomPredictive::order(double x) {
  std::int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double CustomPredictive::number(std::int64_t place) {
  const std::int64_t bits = place >= 0 ? place : std::numeric_limits<std::int64_t>::min() - place;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

Latent CustomPredictive::known(Latent at) {
  for (Index i = 0; i < at.mean.size(); ++i)
    if (std::isnan(at.mean(i)) || std::isnan(at.variance(i))) at.mean(i) = 0.0, at.variance(i) = 0.0;
  return at;
}

Vector CustomPredictive::where_known(Vector out) const {
  for (Index i = 0; i < rows(); ++i)
    if (std::isnan(at_.mean(i)) || std::isnan(at_.variance(i))) out(i) = nan();
  return out;
}

Vector CustomPredictive::where_known(Vector out, const ConstVectorView& asked) const {
  for (Index i = 0; i < rows(); ++i)
    if (std::isnan(asked(i))) out(i) = nan();
  return where_known(std::move(out));
}

Vector CustomPredictive::below(const ConstVectorView& y) const {
  require_function(functions_.probability != nullptr, "cdf");
  Vector there = y;
  for (Index i = 0; i < rows(); ++i)
    if (std::isnan(there(i))) there(i) = 0.0;
  return nodes_.average(functions_.probability(nodes_.spread(there), nodes_.f)).cwiseMin(1.0).cwiseMax(0.0);
}

Matrix CustomPredictive::products(const Latent& at, const ConstVectorView& y, const Vector& low,
                                  const Vector& high) const {
  Vector f(grid * rows()), there(grid * rows());
  for (Index i = 0; i < rows(); ++i)
    for (Index j = 0; j < grid; ++j) {
      f(i * grid + j) = low(i) + (high(i) - low(i)) * static_cast<double>(j) / (grid - 1);
      there(i * grid + j) = std::isnan(y(i)) ? 0.0 : y(i);
    }
  Vector values = functions_.log_density(there, f);
  for (Index i = 0; i < rows(); ++i)
    if (at.variance(i) > 0)
      for (Index j = 0; j < grid; ++j) {
        const double off = f(i * grid + j) - at.mean(i);
        values(i * grid + j) -= 0.5 * off * (off / at.variance(i));
      }
  return Eigen::Map<const Matrix>(values.data(), grid, rows());
}

LikelihoodSpec Custom::spec() const { return {"custom", numbers_}; }

Latent Custom::start(const Responses& rows, double) const {
  require_bound();
  const double variance = functions_.unit * functions_.unit;
  return start_of(rows, functions_.start(rows.y), Vector::Constant(rows.size(), variance));
}

PredictivePtr Custom::predictive(const Latent& at, const Vector&, double) const {
  require_bound();
  return std::make_unique<CustomPredictive>(at, functions_);
}

Sites Custom::unit_sites(const Responses& rows, const Latent& at, double) const {
  require_bound();
  const double least = 1e-3 * functions_.unit;  // nearer nodes would see rounding
  const Nodes nodes(at, functions_.width, least);
  Vector values = functions_.log_density(nodes.spread(rows.y), nodes.f).cwiseMax(-1e100);
  // about the middle, which is the first node of a row
  Vector middle(rows.size());
  for (Index j = values.size(); j-- > 0;) middle(nodes.row[static_cast<std::size_t>(j)]) = values(j);
  values -= nodes.spread(middle);
  const Vector e = nodes.average(values), first = nodes.average(nodes.z.cwiseProduct(values)),
               second = nodes.average((nodes.z.array().square() - 1.0).matrix().cwiseProduct(values));
  Sites out(rows.size(), site::columns);
  for (Index i = 0; i < rows.size(); ++i) {
    const double m = at.mean(i), s2 = at.variance(i), s = std::max(std::sqrt(s2), least);
    const double p = -second(i) / (s * s), to_here = 0.5 * p * (s * s - s2);
    const double weight = std::max(p, 0.0);
    put(out, i, middle(i) + e(i) + to_here, first(i) / s + weight * m, weight, m, s2);
  }
  return out;
}

void Custom::require_bound() const {
  require(is_bound(), "likelihood",
          "the likelihood of this model is a function of R, `log_density`, which is not at hand here.");
}

LikelihoodPtr make_custom(const LikelihoodSpec& spec) { return std::make_shared<Custom>(spec); }

}  // namespace gpstream
