// A kernel as it was given: with parts left open, to be taken from the data and learned.
#ifndef GPSTREAM_LEARN_GIVEN_H
#define GPSTREAM_LEARN_GIVEN_H

#include "heuristics.h"
#include "moments.h"
#include "parameters.h"

namespace gpstream {

struct GivenKernel {
  std::string name;
  std::optional<Vector> lengthscale;  // empty: it has none
  bool ard = false;                   // a lengthscale for each column is to be found
  bool any = false;                   // the evidence may choose its family
  std::optional<double> variance;
  std::vector<std::pair<std::string, std::optional<double>>> extras;
  std::map<std::string, double> starts;  // where the search for open extras begins, where that is known
  std::map<std::string, std::optional<Vector>> fixed;
  std::vector<Index> columns;
  std::vector<GivenKernel> parts;
};

inline bool is_composite(const GivenKernel& given) { return !given.parts.empty(); }

inline bool open_extra(const GivenKernel& given, const std::string& name) {
  for (const auto& extra : given.extras)
    if (extra.first == name) return !extra.second;
  return true;
}

inline bool any_open_extra(const GivenKernel& given) {
  return std::any_of(given.extras.begin(), given.extras.end(),
                     [](const auto& extra) { return !extra.second; });
}

// What is no parameter and was not given is taken from the first rows, and never learned.
inline bool any_open_constant(const GivenKernel& given) {
  return std::any_of(given.fixed.begin(), given.fixed.end(), [](const auto& one) { return !one.second; });
}

// Is nothing left open?
inline bool is_resolved(const GivenKernel& given) {
  if (any_open_extra(given) || any_open_constant(given)) return false;
  if (is_composite(given)) return std::all_of(given.parts.begin(), given.parts.end(), is_resolved);
  return given.lengthscale && given.variance;
}

// Is something open that the evidence alone cannot tell? The parts' shares of a sum are.
inline bool open_shape(const GivenKernel& given) {
  if (any_open_extra(given)) return true;
  if (!is_composite(given)) return !given.lengthscale;
  return std::any_of(given.parts.begin(), given.parts.end(), open_shape) ||
         (given.name == "sum" && !is_resolved(given));
}

// Can the amplitude as a whole be chosen?
inline bool open_amplitude(const GivenKernel& given) {
  if (!is_composite(given)) return !given.variance;
  if (given.name == "sum") return std::all_of(given.parts.begin(), given.parts.end(), open_amplitude);
  return open_amplitude(given.parts.front());
}

inline void require_alike(const GivenKernel& given, const KernelSpec& spec) {
  require(given.name == spec.name && given.parts.size() == spec.parts.size(), "parameter",
          "the kernel in use is not the one that was given.");
}

// Which parameters of the kernel in use were not given. The variances of later factors of a product would say
// the same as that of the first.
inline std::vector<bool> open_parameters(const GivenKernel& given, const KernelSpec& spec) {
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

// The kernel in use, with all that is open filled in: lengthscales by `lengthscale(leaf)`. `variance` is the
// amplitude that it should have as a whole where it is not given. Constants have been filled in before.
template <class Lengthscale>
KernelSpec resolve(const GivenKernel& given, Index D, double variance, const Lengthscale& lengthscale) {
  KernelSpec out;
  out.name = given.name;
  out.columns = given.columns;
  for (const auto& extra : given.extras) {
    const auto start = given.starts.find(extra.first);
    out.extras[extra.first] = extra.second.value_or(start == given.starts.end() ? 1.0 : start->second);
  }
  for (const auto& one : given.fixed) {
    require(one.second.has_value(), "parameter", "`" + one.first + "` of the kernel is not known.");
    out.fixed[one.first] = *one.second;
  }
  for (const Index d : out.columns)
    require(d < D, "dimension",
            "`kernel` asks for column " + std::to_string(d + 1) + ", but `x` has " + std::to_string(D) +
                " column" + (D == 1 ? "." : "s."));
  if (is_composite(given)) {
    double share = given.name == "sum" ? variance / static_cast<double>(given.parts.size()) : variance;
    for (const GivenKernel& part : given.parts) {
      out.parts.push_back(resolve(part, D, share, lengthscale));
      if (given.name == "product") share = 1.0;
    }
    return completed(std::move(out));
  }
  out.lengthscale = given.lengthscale ? *given.lengthscale : lengthscale(given);
  out.variance = given.variance.value_or(variance);
  require(
      out.lengthscale.allFinite(), "input",
      "the columns of `x` are too large for a lengthscale to be found; rescale them or give `lengthscale`.");
  const Index count = out.lengthscale.size(), own = out.columns.empty() ? D : Index(out.columns.size());
  require(count <= 1 || count == own, "dimension",
          "`kernel` has " + std::to_string(count) + " lengthscales, but " +
              (out.columns.empty() ? "`x` has " : "is of ") + std::to_string(own) + " column" +
              (own == 1 ? "." : "s."));
  return out;
}

// Lengthscales of a kernel that are not in units of the inputs, but on a circle.
inline bool on_circle(const GivenKernel& leaf) { return leaf.name == "periodic"; }

// The columns of X that a kernel looks at.
inline Matrix own_columns(const GivenKernel& given, const ConstMatrixView& X) {
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

// Is the length of its waves to be found? That has many peaks: where to begin must be said.
inline bool open_wave(const GivenKernel& given) {
  return !given.extras.empty() && !given.extras.front().second &&
         (given.name == "periodic" || given.name == "cosine");
}
inline void start_wave(GivenKernel& given, double period) {
  for (const auto& extra : given.extras)
    given.starts[extra.first] = given.name == "periodic" ? period : 1.0 / period;
}

// What is open of a kernel and no parameter, from the first rows there are: lines begin in the middle of them
// and are measured by their spread, walks begin a little before and are measured by their range, and knots
// are spread evenly over the rows.
inline GivenKernel with_constants(GivenKernel given, const ConstMatrixView& X) {
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

// The same, taken from rows.
inline KernelSpec resolve(const GivenKernel& given, const ConstMatrixView& X, double variance) {
  return resolve(with_constants(given, X), X.cols(), variance, [&](const GivenKernel& leaf) -> Vector {
    if (on_circle(leaf)) return Vector::Ones(leaf.ard ? own_columns(leaf, X).cols() : 1);
    const Matrix own = own_columns(leaf, X);
    return leaf.ard ? typical_distances(own) : Vector::Constant(1, typical_distance(own));
  });
}

// Lengthscales that were not given, times a factor; in a composite each part a `step` of the one before it on
// the same columns, because equal parts would stay equal.
inline KernelSpec stretched(KernelSpec spec, const GivenKernel& given, double factor,
                            double step = 1.0 / 3.0) {
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

// A kernel with nothing given, like this one: all its parameters can be learned.
inline GivenKernel opened(const KernelSpec& spec) {
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

}  // namespace gpstream

#endif
