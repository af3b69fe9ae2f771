// The features of some rows X while some of them join: w(x) = L^-1 k1(Z, x) once, then for each row z that
// joins one entry,
//   f(x) = (k1(z, x) - l'w(x)) / d    with  l = w(z), d^2 = r(z);    r(x) <- r(x) - f(x)^2
#ifndef GPSTREAM_SELECTORS_ROW_FEATURES_H
#define GPSTREAM_SELECTORS_ROW_FEATURES_H

#include "../kernels/diagonal.h"
#include "../kernels/kernel.h"
#include "../linear/growing.h"
#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

class RowFeatures {
 public:
  RowFeatures(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X);

  ConstMatrixView features() const { return W_.view(); }
  const Diagonal& diagonal() const { return d_; }
  const Vector& r() const { return r_; }
  bool explained(Index i, double tol) const { return r_(i) <= tol * d_(i); }

  // The row that leaves most, of those of which more than a share of tol is left; -1 when there is none.
  Index most_left(double tol) const;

  Border border(Index i) const;

  // Row i has joined, of the same X; the rows from `from` on are kept up to date.
  void extend(const Kernel& kernel, const ConstMatrixView& X, Index i, Index from);

  // Row i has nothing left to give.
  void spend(Index i) { r_(i) = 0.0; }

 private:
  Diagonal d_;
  GrowingMatrix W_;
  Vector r_;
};

}  // namespace gpstream

#endif
