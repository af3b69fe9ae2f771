// The parameters of a kernel on the scale on which they are searched, most of them by their logarithms, in
// the order that the kernel itself has.
#ifndef GPSTREAM_LEARN_PARAMETERS_H
#define GPSTREAM_LEARN_PARAMETERS_H

#include "../kernels/kernels.h"

namespace gpstream {

inline bool is_composite(const KernelSpec& spec) { return !spec.parts.empty(); }

// The amplitude of a sum is the sum of its parts' amplitudes, that of a product their product.
inline KernelSpec completed(KernelSpec spec) {
  const bool sum = spec.name == "sum";
  spec.variance = sum ? 0.0 : 1.0;
  for (const KernelSpec& part : spec.parts)
    spec.variance = sum ? spec.variance + part.variance : spec.variance * part.variance;
  return spec;
}

// each(kernel, its own parameters, the number of the first): every kernel that has any but those of its
// parts.
template <class Each>
Index each_leaf(const KernelSpec& spec, const Each& each, Index first = 0) {
  const Index begin = first;
  for (const KernelSpec& part : spec.parts) first = each_leaf(part, each, first);
  if (is_composite(spec) && spec.extras.empty()) return first;
  std::vector<Parameter> own = make_kernel(spec)->parameters();
  own.erase(own.begin(), own.begin() + (first - begin));
  each(spec, own, first);
  return first + static_cast<Index>(own.size());
}

// The column of the inputs that lengthscale d of a kernel belongs to.
inline Index column_of(const KernelSpec& leaf, Index d) {
  return leaf.columns.empty() ? d : leaf.columns[static_cast<std::size_t>(d)];
}

inline Vector log_parameters(const KernelSpec& spec) {
  const std::vector<Parameter> all = make_kernel(spec)->parameters();
  Vector out(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    out(static_cast<Index>(i)) = all[i].log ? std::log(all[i].value) : all[i].value;
  return out;
}

// The kernel with other parameters; what does not change keeps its last bit.
inline KernelSpec with_log_parameters(const KernelSpec& spec, const Vector& values) {
  const KernelPtr kernel = make_kernel(spec);
  const std::vector<Parameter> all = kernel->parameters();
  const Vector before = log_parameters(spec);
  require(values.size() == before.size(), "dimension", "a kernel needs as many values as it has parameters.");
  Vector now = values;
  for (Index i = 0; i < now.size(); ++i) {
    const Parameter& one = all[static_cast<std::size_t>(i)];
    now(i) = values(i) == before(i) ? one.value : one.log ? std::exp(values(i)) : values(i);
  }
  return kernel->with_parameters(now);
}

// The kernel with its parameters moved, logarithms where they are searched by these. A factor on top of what
// there is, so that a kernel in other units comes out as the same kernel, to the last bit for powers of two.
inline KernelSpec moved_parameters(const KernelSpec& spec, const ConstVectorView& by) {
  const KernelPtr kernel = make_kernel(spec);
  const std::vector<Parameter> all = kernel->parameters();
  require(by.size() == static_cast<Index>(all.size()), "dimension",
          "a kernel needs as many values as it has parameters.");
  Vector now(by.size());
  for (Index i = 0; i < now.size(); ++i) {
    const Parameter& one = all[static_cast<std::size_t>(i)];
    now(i) = by(i) == 0 ? one.value : one.log ? one.value * std::exp(by(i)) : one.value + by(i);
  }
  return kernel->with_parameters(now);
}

// The kernel with its amplitude multiplied: all parts of a sum, the first factor of a product.
inline KernelSpec scaled(KernelSpec spec, double factor) {
  if (!is_composite(spec)) {
    spec.variance *= factor;
    return spec;
  }
  for (KernelSpec& part : spec.parts) {
    part = scaled(std::move(part), factor);
    if (spec.name != "sum") break;
  }
  return completed(std::move(spec));
}

}  // namespace gpstream

#endif
