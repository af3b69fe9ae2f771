// Correlations of rows with points.
#ifndef GPSTREAM_SELECTORS_CORRELATION_H
#define GPSTREAM_SELECTORS_CORRELATION_H

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

// |k1(z, x)| / sqrt(k1(z, z) k1(x, x)), one column a row x of X. A row with no variance is known and needs no
// point: 1. A point with none tells nothing of another row: 0.
Matrix correlations(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X);

// The highest for each row of X; 0 where there is no point.
Vector highest_correlation(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X);

}  // namespace gpstream

#endif
