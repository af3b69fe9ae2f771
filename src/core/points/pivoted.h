// A basis for points that were given, not met one by one: the point with the largest conditional variance,
// relative to its variance, joins next, until none has more than `pivot_tolerance`. In this order pivots
// fall, no row extrapolates from others on one side, and far smaller pivots are safe than in the order of a
// stream.
#ifndef GPSTREAM_PIVOTED_H
#define GPSTREAM_PIVOTED_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "basis.h"

namespace gpstream {

// Cholesky with pivots; `kept` are the rows of Z in the order in which they joined.
Basis pivoted_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check,
                    std::vector<Index>& kept);

// In their own order where that is safe, as a model has them.
Basis given_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check, std::vector<Index>& kept);

}  // namespace gpstream

#endif
