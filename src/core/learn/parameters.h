// The parameters of a kernel on the scale on which they are searched, most of them by their logarithms, in
// the order that the kernel itself has.
#ifndef GPSTREAM_LEARN_PARAMETERS_H
#define GPSTREAM_LEARN_PARAMETERS_H

#include <vector>

#include "../kernels/kernel.h"
#include "../kernels/kernels.h"
#include "../linear/types.h"

namespace gpstream {

inline bool is_composite(const KernelSpec& spec) { return !spec.parts.empty(); }

// The amplitude of a sum is the sum of its parts' amplitudes, that of a product their product.
KernelSpec completed(KernelSpec spec);

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
Index column_of(const KernelSpec& leaf, Index d);

Vector log_parameters(const KernelSpec& spec);

// The kernel with other parameters; what does not change keeps its last bit.
KernelSpec with_log_parameters(const KernelSpec& spec, const Vector& values);

// The kernel with its parameters moved, logarithms where they are searched by these. A factor on top of what
// there is, so that a kernel in other units comes out as the same kernel, to the last bit for powers of two.
KernelSpec moved_parameters(const KernelSpec& spec, const ConstVectorView& by);

// The kernel with its amplitude multiplied: all parts of a sum, the first factor of a product.
KernelSpec scaled(KernelSpec spec, double factor);

}  // namespace gpstream

#endif
