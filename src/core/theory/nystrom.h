// How far the Nystrom approximation Q = K_XZ K_Z^-1 K_ZX is from K_X, per unit of variance. With W = L^-1
// k1(Z, X),
//   E = k1(X, X) - W'W
// is the covariance of f(X) given f(Z): positive semi-definite, so |E|_2 <= |E|_F <= tr E.  [GFO21 Theorem 2]
// In blocks: the trace needs O(block x M) memory, the Frobenius norm one panel of W, the spectral norm all of
// W (M x N).
#ifndef GPSTREAM_NYSTROM_H
#define GPSTREAM_NYSTROM_H

#include <algorithm>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

// Looks at kernel, basis and rows that must outlive it.
class NystromResidual {
 public:
  NystromResidual(const Kernel& kernel, const Basis& basis, const ConstMatrixView& X, Checkpoint check)
      : kernel_(kernel), basis_(basis), X_(X), check_(check) {}

  double trace() const;

  // Twice the blocks above the diagonal and once those on it. Features are made anew for every panel of rows.
  double frobenius(Index panel = 0) const;

  // Up to `direct` rows all eigenvalues are found; up to `whole`, E is formed; beyond that only its products
  // with vectors. To a relative 1e-10, or 1e-13 N max k1(x, x) where that is more: E itself is a difference
  // that is not known better.
  double spectral(Index direct = 1000, Index whole = 4000, Index steps = 600) const;

 private:
  static constexpr Index block = 512;
  static constexpr Index panel_values = Index(1) << 25;  // 256 MB

  Index size() const { return X_.rows(); }
  Index rows_from(Index start) const { return std::min(block, size() - start); }

  Vector features(Index start, Index rows, Matrix& W) const;

  void panel_features(Index first, Index last, Matrix& W) const;

  // E <- the block of rows from i and columns from j
  void residual(Index i, const ConstMatrixView& Wi, Index j, const ConstMatrixView& Wj, Matrix& E) const;

  // The lower triangle of E.
  Matrix matrix(const Matrix& W) const;

  // E v
  Vector times(const Matrix& W, const ConstVectorView& v) const;

  const Kernel& kernel_;
  const Basis& basis_;
  ConstMatrixView X_;
  Checkpoint check_;
};

}  // namespace gpstream

#endif
