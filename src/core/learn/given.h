// A kernel as it was given: with parts left open, to be taken from the data and learned.
#ifndef GPSTREAM_LEARN_GIVEN_H
#define GPSTREAM_LEARN_GIVEN_H

#include "heuristics.h"
#include "parameters.h"

namespace gpstream {

struct GivenKernel {
  std::string name;
  std::optional<Vector> lengthscale;
  bool ard = false;  // a lengthscale for each column is to be found
  std::optional<double> variance;
  std::vector<std::pair<std::string, std::optional<double>>> extras;
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

// Is nothing left open?
inline bool is_resolved(const GivenKernel& given) {
  if (is_composite(given)) return std::all_of(given.parts.begin(), given.parts.end(), is_resolved);
  return given.lengthscale && given.variance && !any_open_extra(given);
}

// Is something open that the evidence alone cannot tell? The parts' shares of a sum are.
inline bool open_shape(const GivenKernel& given) {
  if (!is_composite(given)) return !given.lengthscale || any_open_extra(given);
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
  if (is_composite(spec)) return out;
  for (const Parameter& one : make_kernel(spec)->parameters()) {
    const bool open = one.role == Parameter::lengthscale ? !given.lengthscale
                      : one.role == Parameter::variance  ? !given.variance
                                                         : open_extra(given, one.name);
    out.push_back(open);
  }
  return out;
}

// The kernel in use, with all that is open filled in: lengthscales by `lengthscale(leaf)`. `variance` is the
// amplitude that it should have as a whole where it is not given.
template <class Lengthscale>
KernelSpec resolve(const GivenKernel& given, Index D, double variance, const Lengthscale& lengthscale) {
  KernelSpec out;
  out.name = given.name;
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
  for (const auto& extra : given.extras) out.extras[extra.first] = extra.second.value_or(1.0);
  require(
      out.lengthscale.allFinite(), "input",
      "the columns of `x` are too large for a lengthscale to be found; rescale them or give `lengthscale`.");
  const Index count = out.lengthscale.size();
  require(count == 1 || count == D, "dimension",
          "`kernel` has " + std::to_string(count) + " lengthscales, but `x` has " + std::to_string(D) +
              " column" + (D == 1 ? "." : "s."));
  return out;
}

// The same, taken from rows.
inline KernelSpec resolve(const GivenKernel& given, const ConstMatrixView& X, double variance) {
  return resolve(given, X.cols(), variance, [&](const GivenKernel& leaf) -> Vector {
    return leaf.ard ? typical_distances(X) : Vector::Constant(1, typical_distance(X));
  });
}

// Lengthscales that were not given, times a factor; in a composite each part a `step` of the one before it,
// because equal parts would stay equal.
inline KernelSpec stretched(KernelSpec spec, const GivenKernel& given, double factor,
                            double step = 1.0 / 3.0) {
  require_alike(given, spec);
  for (std::size_t i = 0; i < spec.parts.size(); ++i)
    spec.parts[i] = stretched(std::move(spec.parts[i]), given.parts[i],
                              factor * std::pow(step, static_cast<double>(i)), step);
  if (!is_composite(spec) && !given.lengthscale) spec.lengthscale *= factor;
  return spec;
}

// A kernel with nothing given, like this one: all its parameters can be learned.
inline GivenKernel opened(const KernelSpec& spec) {
  GivenKernel out;
  out.name = spec.name;
  out.ard = spec.lengthscale.size() > 1;
  for (const auto& extra : spec.extras) out.extras.emplace_back(extra.first, std::nullopt);
  for (const KernelSpec& part : spec.parts) out.parts.push_back(opened(part));
  return out;
}

}  // namespace gpstream

#endif
