#include "given.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "heuristics.h"
#include "moments.h"
#include "spread.h"

namespace gpstream {

namespace {

bool open_extra(const GivenKernel& given, const std::string& name) {
  for (const auto& extra : given.extras)
    if (extra.first == name) return !extra.second;
  return true;
}

bool any_open_extra(const GivenKernel& given) {
  return std::any_of(given.extras.begin(), given.extras.end(),
                     [](const auto& extra) { return !extra.second; });
}

// What is no parameter and was not given is taken from the first rows, and never learned.
bool any_open_constant(const GivenKernel& given) {
  return std::any_of(given.fixed.begin(), given.fixed.end(), [](const auto& one) { return !one.second; });
}

}  // namespace

bool is_resolved(const GivenKernel& given) {
  if (any_open_extra(given) || any_open_constant(given)) return false;
  if (is_composite(given)) return std::all_of(given.parts.begin(), given.parts.end(), is_resolved);
  return given.lengthscale && given.variance;
}

bool open_shape(const GivenKernel& given) {
  if (any_open_extra(given)) return true;
  if (!is_composite(given)) return !given.lengthscale;
  return std::any_of(given.parts.begin(), given.parts.end(), open_shape) ||
         (given.name == "sum" && !is_resolved(given));
}

bool open_amplitude(const GivenKernel& given) {
  if (!is_composite(given)) return !given.variance;
  if (given.name == "sum") return std::all_of(given.parts.begin(), given.parts.end(), open_amplitude);
  return open_amplitude(given.parts.front());
}

namespace {

void require_alike(const GivenKernel& given, const KernelSpec& spec) {
  require(given.name == spec.name && given.parts.size() == spec.parts.size(), "parameter",
          "the kernel in use is not the one that was given.");
}

}  // namespace

std::vector<bool> open_parameters(const GivenKernel& given, const KernelSpec& spec) {
  require_alike(given, spec);
  std::vector<bool> out;
  for (std::size_t i = 0; i < spec.parts.size(); ++i) {
    const KernelSpec& part = spec.parts[i];
    GivenKernel own = given.parts[i];
    if (spec.name == "product" && i > 0 && !is_composite(part)) own.variance = part.variance;
    const std::vector<bool> open = open_parameters(own, part);
    out.insert(out.end(), open.begin(), open.end());
  }
  if (is_composite(spec) && spec.extras.empty()) return out;
  std::vector<Parameter> own = make_kernel(spec)->parameters();
  own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(out.size()));  // those of its parts
  for (const Parameter& one : own) {
    const bool length = one.name.compare(0, 11, "lengthscale") == 0;
    const bool open = length                            ? !given.lengthscale
                      : one.role == Parameter::variance ? !given.variance
                                                        : open_extra(given, one.name);
    out.push_back(open);
  }
  return out;
}

bool on_circle(const GivenKernel& leaf) { return leaf.name == "periodic"; }

Matrix own_columns(const GivenKernel& given, const ConstMatrixView& X) {
  if (given.columns.empty()) return X;
  Matrix out(X.rows(), static_cast<Index>(given.columns.size()));
  for (Index d = 0; d < out.cols(); ++d) {
    const Index from = given.columns[static_cast<std::size_t>(d)];
    require(from < X.cols(), "dimension",
            "`kernel` asks for column " + std::to_string(from + 1) + ", but `x` has " +
                std::to_string(X.cols()) + " column" + (X.cols() == 1 ? "." : "s."));
    out.col(d) = X.col(from);
  }
  return out;
}

bool open_wave(const GivenKernel& given) {
  return !given.extras.empty() && !given.extras.front().second &&
         (given.name == "periodic" || given.name == "cosine");
}

void start_wave(GivenKernel& given, double period) {
  for (const auto& extra : given.extras)
    given.starts[extra.first] = given.name == "periodic" ? period : 1.0 / period;
}

GivenKernel with_constants(GivenKernel given, const ConstMatrixView& X) {
  for (GivenKernel& part : given.parts) part = with_constants(std::move(part), X);
  const bool begins = open_wave(given) && given.starts.empty();
  if (!any_open_constant(given) && given.name != "linear" && !begins) return given;
  const Matrix own = own_columns(given, X);
  if (begins) {
    const double range = own.rows() > 0 ? own.col(0).maxCoeff() - own.col(0).minCoeff() : 0.0;
    start_wave(given, range > 0 && std::isfinite(range) ? 0.25 * range : 1.0);
  }
  const auto fill = [&](const char* name, const Vector& value) {
    const auto found = given.fixed.find(name);
    if (found != given.fixed.end() && !found->second) found->second = value;
  };
  if (given.fixed.count("knots") > 0) {
    const auto along = given.fixed.find("along");
    const Index column = along != given.fixed.end() && along->second ? Index((*along->second)(0)) - 1 : 0;
    require(column < own.cols(), "dimension", "`along` is none of the columns of the kernel.");
    fill("knots", spread_knots(own.col(column), 1 + static_cast<Index>(given.extras.size())));
  } else if (given.name == "linear") {
    Moments columns(own.cols());
    columns.add(own);
    fill("origin", columns.mean());
    fill("scale", own.rows() > 0 ? columns.scale() : Vector::Ones(own.cols()));
    for (auto& one : given.fixed)
      if (one.second->size() == 1) one.second = Vector::Constant(own.cols(), (*one.second)(0));
  } else if (any_open_constant(given)) {
    const double low = own.size() > 0 ? own.minCoeff() : 0.0, high = own.size() > 0 ? own.maxCoeff() : 1.0;
    const double range = high > low ? high - low : 1.0;
    fill("origin", Vector::Constant(1, low - 0.01 * range));
    fill("scale", Vector::Constant(1, range));
  }
  return given;
}

KernelSpec resolve(const GivenKernel& given, const ConstMatrixView& X, double variance) {
  return resolve(with_constants(given, X), X.cols(), variance, [&](const GivenKernel& leaf) -> Vector {
    if (on_circle(leaf)) return Vector::Ones(leaf.ard ? own_columns(leaf, X).cols() : 1);
    const Matrix own = own_columns(leaf, X);
    return leaf.ard ? typical_distances(own) : Vector::Constant(1, typical_distance(own));
  });
}

KernelSpec stretched(KernelSpec spec, const GivenKernel& given, double factor, double step) {
  require_alike(given, spec);
  std::map<std::vector<Index>, int> met;
  for (std::size_t i = 0; i < spec.parts.size(); ++i) {
    const bool has_length =
        is_composite(given.parts[i]) || !given.parts[i].lengthscale || given.parts[i].lengthscale->size() > 0;
    const int before = met[columns_of(spec.parts[i])];
    if (has_length && !on_circle(given.parts[i])) ++met[columns_of(spec.parts[i])];
    spec.parts[i] =
        stretched(std::move(spec.parts[i]), given.parts[i], factor * std::pow(step, before), step);
  }
  if (!is_composite(spec) && !given.lengthscale && !on_circle(given)) spec.lengthscale *= factor;
  return spec;
}

GivenKernel opened(const KernelSpec& spec) {
  GivenKernel out;
  out.name = spec.name;
  out.ard = spec.lengthscale.size() > 1;
  if (spec.lengthscale.size() == 0) out.lengthscale = Vector();
  out.columns = spec.columns;
  for (const auto& extra : spec.extras) {
    out.extras.emplace_back(extra.first, std::nullopt);
    out.starts[extra.first] = extra.second;
  }
  for (const auto& one : spec.fixed) out.fixed[one.first] = one.second;
  for (const KernelSpec& part : spec.parts) out.parts.push_back(opened(part));
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return 0.5 * *std::max_element(values.begin(), middle) + 0.5 * *middle;  // the sum could overflow
}

namespace {

// Numbers that differ by less than this have squares that are lost to underflow.
constexpr double least_range = 1e-140;

}  // namespace

void require_spread(const ConstVectorView& values, const std::string& what) {
  const double range = values.size() > 0 ? values.maxCoeff() - values.minCoeff() : 0.0;
  require(!(range > 0 && range < least_range), "input",
          what + " has values that differ by less than 1e-140, so that their squares underflow; rescale it.");
}

void require_spread_of_columns(const ConstMatrixView& X) {
  for (Index d = 0; d < X.cols(); ++d)
    require_spread(X.col(d), "column " + std::to_string(d + 1) + " of `x`");
}

namespace {

// Pairwise distances of at most `most` rows.
std::vector<double> batch_distances(const ConstMatrixView& X, Index most = 1000) {
  const Matrix some = rows_of(X, spread_rows(X.rows(), most));
  const Index n = some.rows();
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(n * std::max<Index>(n - 1, 0) / 2));
  Vector squares;
  for (Index i = 0; i + 1 < n; ++i) {
    squares = Vector::Zero(n - 1 - i);
    for (Index d = 0; d < some.cols(); ++d)
      squares.array() += (some.col(d).tail(n - 1 - i).array() - some(i, d)).square();
    for (Index j = 0; j < squares.size(); ++j) out.push_back(std::sqrt(squares(j)));
  }
  return out;
}

}  // namespace

double typical_distance(const ConstMatrixView& X) {
  if (X.rows() < 2) return 1.0;
  require_spread_of_columns(X);
  std::vector<double> distances = batch_distances(X);
  if (std::any_of(distances.begin(), distances.end(), [](double d) { return std::isnan(d); })) return 1.0;
  double typical = median(distances);
  if (typical == 0) {
    distances.erase(std::remove(distances.begin(), distances.end(), 0.0), distances.end());
    typical = median(std::move(distances));
  }
  return std::isnan(typical) ? 1.0 : typical;
}

Vector typical_distances(const ConstMatrixView& X) {
  Vector out(X.cols());
  for (Index d = 0; d < X.cols(); ++d)
    out(d) = std::sqrt(static_cast<double>(X.cols())) * typical_distance(X.col(d));
  return out;
}

Vector spread_knots(const ConstVectorView& column, Index K) {
  std::vector<double> all(column.data(), column.data() + column.size());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Vector out(K);
  const double last = static_cast<double>(all.size()) - 1.0, segments = static_cast<double>(K - 1);
  if (last >= segments) {
    for (Index k = 0; k < K; ++k)
      out(k) = all[static_cast<std::size_t>(std::lround(last * static_cast<double>(k) / segments))];
    return out;
  }
  const double low = all.empty() ? 0.0 : all.front(), high = all.empty() ? 0.0 : all.back();
  return Vector::LinSpaced(K, low, high > low ? high : low + 1.0);
}

double output_variance(const ConstVectorView& y) {
  if (y.size() < 2) return 1.0;
  require_spread(y, "`y`");
  const double v = (y.array() - y.mean()).square().sum() / static_cast<double>(y.size() - 1);
  return v > 0 && std::isfinite(v) ? v : 1.0;
}

double middle_of(const ConstVectorView& y, double share) {
  std::vector<double> all(y.data(), y.data() + y.size());
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

double robust_variance(const ConstVectorView& y) {
  if (y.size() > 0 && y.minCoeff() == y.maxCoeff()) return y(0) * y(0) > 0 ? y(0) * y(0) : 1.0;
  if (y.size() < 4) return output_variance(y);
  const double sd = (middle_of(y, 0.75) - middle_of(y, 0.25)) / 1.349;
  return sd > 0 && std::isfinite(sd * sd) ? sd * sd : output_variance(y);
}

}  // namespace gpstream
