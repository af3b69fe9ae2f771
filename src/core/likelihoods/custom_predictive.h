// What new observations may be under a likelihood of which only functions are known: all rows and nodes are
// asked for at once, as a call may be dear.
#ifndef GPSTREAM_CUSTOM_PREDICTIVE_H
#define GPSTREAM_CUSTOM_PREDICTIVE_H

#include <cstdint>
#include <cstring>
#include <functional>

#include "expectation.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

// Each takes numbers for as many rows and gives one for each.
struct CustomFunctions {
  using OfBoth = std::function<Vector(const Vector& y, const Vector& f)>;
  using OfOne = std::function<Vector(const Vector&)>;
  OfBoth log_density = OfBoth(), probability = OfBoth();  // log p(y | f), P(Y <= y | f)
  OfOne start = OfOne(), mean = OfOne();                  // where f may be, of y; E(Y | f)
  double unit = 1.0, width = 2.0;  // how much f may vary; where log p is singular off the real line
};

// Nodes for all rows, one row after the other, and the sums of a row's values.
struct Nodes {
  Vector f, z, weight;
  std::vector<Index> row;
  Index rows;

  // The standard deviation is at least `least`.
  Nodes(const Latent& at, double width, double least) : rows(at.mean.size()) {
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

  // The entry of its row for each node.
  Vector spread(const ConstVectorView& of_rows) const {
    Vector out(z.size());
    for (Index j = 0; j < z.size(); ++j) out(j) = of_rows(row[static_cast<std::size_t>(j)]);
    return out;
  }
  Vector average(const Vector& of_nodes) const {
    Vector out = Vector::Zero(rows);
    for (Index j = 0; j < z.size(); ++j) out(row[static_cast<std::size_t>(j)]) += weight(j) * of_nodes(j);
    return out;
  }
};

class CustomPredictive final : public Predictive {
 public:
  CustomPredictive(Latent at, CustomFunctions functions)
      : at_(std::move(at)), functions_(std::move(functions)), nodes_(known(at_), functions_.width, 0.0) {}

  Index rows() const override { return at_.mean.size(); }
  Vector mean() const override {
    require_function(functions_.mean != nullptr, "mean");
    return where_known(nodes_.average(functions_.mean(nodes_.f)));
  }
  // Of the observation given f nothing is known but its mean.
  Vector variance() const override { return Vector::Constant(rows(), nan()); }
  Vector crps(const ConstVectorView& y) const override {
    check_rows(y);
    return Vector::Constant(rows(), nan());
  }
  Vector probability(const ConstVectorView& y) const override {
    check_rows(y);
    return where_known(below(y), y);
  }
  Vector quantile(double p) const override { return draw(Vector::Constant(rows(), p)); }

  // The smallest numbers that have at least these probabilities not to be exceeded: bisection in the order of
  // all numbers there are, so that nothing needs to be known of where they lie.
  Vector draw(const ConstVectorView& u) const override {
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

  // A grid about what is known of f, drawn together or moved until it fits where the product of p(y | f) and
  // the normal density is; then the trapezoidal rule.
  Vector log_density(const ConstVectorView& y) const override {
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
        out(i) =
            top + std::log((values.col(i).array() - top).exp().sum() * step / (std::sqrt(s2) * sqrt_2_pi));
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

 private:
  static constexpr Index grid = 129;
  static double nan() { return std::numeric_limits<double>::quiet_NaN(); }
  static double largest() { return std::numeric_limits<double>::max(); }
  static std::int64_t& at(std::vector<std::int64_t>& of, Index i) { return of[static_cast<std::size_t>(i)]; }

  static void require_function(bool there, const std::string& name) {
    require(there, "likelihood",
            "this needs a `" + name +
                "`, which likelihood_custom() was not given; what is known of f, `type` = "
                "\"latent\", does not.");
  }

  // Numbers in their order as whole numbers.
  static std::int64_t order(double x) {
    std::int64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
  }
  static double number(std::int64_t place) {
    const std::int64_t bits = place >= 0 ? place : std::numeric_limits<std::int64_t>::min() - place;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  static std::int64_t between(std::int64_t low, std::int64_t high) {
    return (low & high) + ((low ^ high) >> 1);
  }

  // Rows of which nothing is known are asked for somewhere.
  static Latent known(Latent at) {
    for (Index i = 0; i < at.mean.size(); ++i)
      if (std::isnan(at.mean(i)) || std::isnan(at.variance(i))) at.mean(i) = 0.0, at.variance(i) = 0.0;
    return at;
  }
  Vector where_known(Vector out) const {
    for (Index i = 0; i < rows(); ++i)
      if (std::isnan(at_.mean(i)) || std::isnan(at_.variance(i))) out(i) = nan();
    return out;
  }
  Vector where_known(Vector out, const ConstVectorView& asked) const {
    for (Index i = 0; i < rows(); ++i)
      if (std::isnan(asked(i))) out(i) = nan();
    return where_known(std::move(out));
  }

  Vector below(const ConstVectorView& y) const {
    require_function(functions_.probability != nullptr, "cdf");
    Vector there = y;
    for (Index i = 0; i < rows(); ++i)
      if (std::isnan(there(i))) there(i) = 0.0;
    return nodes_.average(functions_.probability(nodes_.spread(there), nodes_.f)).cwiseMin(1.0).cwiseMax(0.0);
  }

  // log p(y | f) and the log of the normal density over its top, on a grid for each row, a column each.
  Matrix products(const Latent& at, const ConstVectorView& y, const Vector& low, const Vector& high) const {
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

  Latent at_;
  CustomFunctions functions_;
  Nodes nodes_;
};

}  // namespace gpstream

#endif
