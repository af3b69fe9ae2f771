// Correlations of rows with points.
#ifndef GPSTREAM_SELECTORS_CORRELATION_H
#define GPSTREAM_SELECTORS_CORRELATION_H

#include "../kernels/diagonal.h"

namespace gpstream {

// |k1(z, x)| / sqrt(k1(z, z) k1(x, x)), one column a row x of X. A row with no variance is known and needs no
// point: 1. A point with none tells nothing of another row: 0.
inline Matrix correlations(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  Matrix K = kernel.value(Z, X).cwiseAbs();
  if (kernel.unit_diagonal()) return K;
  const Diagonal own(kernel, X), points(kernel, Z);
  for (Index j = 0; j < X.rows(); ++j)
    for (Index i = 0; i < Z.rows(); ++i) {
      if (!(own(j) > 0))
        K(i, j) = 1.0;
      else
        K(i, j) = points(i) > 0 ? std::min(K(i, j) / std::sqrt(points(i)) / std::sqrt(own(j)), 1.0) : 0.0;
    }
  return K;
}

// The highest for each row of X; 0 where there is no point.
inline Vector highest_correlation(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  if (Z.rows() > 0 && X.rows() > 0) return correlations(kernel, Z, X).colwise().maxCoeff();
  Vector out = Vector::Zero(X.rows());
  const Diagonal own(kernel, X);
  for (Index j = 0; j < X.rows(); ++j)
    if (!(own(j) > 0)) out(j) = 1.0;
  return out;
}

}  // namespace gpstream

#endif
