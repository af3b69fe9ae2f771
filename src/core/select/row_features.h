// The features of some rows X while some of them join: w(x) = L^-1 k1(Z, x) once, then for each row z that
// joins one entry,
//   f(x) = (k1(z, x) - l'w(x)) / d    with  l = w(z), d^2 = r(z);    r(x) <- r(x) - f(x)^2
#ifndef GPSTREAM_SELECTORS_ROW_FEATURES_H
#define GPSTREAM_SELECTORS_ROW_FEATURES_H

#include "../points/basis.h"

namespace gpstream {

class RowFeatures {
 public:
  RowFeatures(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X) : d_(kernel, X) {
    Matrix W;
    r_ = basis.features(kernel, X, W);
    W_ = GrowingMatrix(W);
  }

  ConstMatrixView features() const { return W_.view(); }
  const Diagonal& diagonal() const { return d_; }
  const Vector& r() const { return r_; }
  bool explained(Index i, double tol) const { return r_(i) <= tol * d_(i); }

  // The row that leaves most, of those of which more than a share of tol is left; -1 when there is none.
  Index most_left(double tol) const {
    Index most = -1;
    for (Index i = 0; i < r_.size(); ++i)
      if (!explained(i, tol) && (most < 0 || r_(i) > r_(most))) most = i;
    return most;
  }

  Border border(Index i) const { return {W_.view().col(i), std::sqrt(r_(i))}; }

  // Row i has joined, of the same X; the rows from `from` on are kept up to date.
  void extend(const Kernel& kernel, const ConstMatrixView& X, Index i, Index from) {
    const Border edge = border(i);
    const Index M = W_.rows(), rest = X.rows() - from;
    Vector f = kernel.value(X.bottomRows(rest), X.middleRows(i, 1)).col(0);
    if (M > 0) f.noalias() -= W_.view().rightCols(rest).transpose() * edge.l;
    f /= edge.d;
    W_.resize(M + 1, X.rows());
    W_.view().row(M).tail(rest) = f.transpose();
    r_.tail(rest) = (r_.tail(rest) - f.cwiseAbs2()).cwiseMax(0.0);
    spend(i);
  }

  // Row i has nothing left to give.
  void spend(Index i) { r_(i) = 0.0; }

 private:
  Diagonal d_;
  GrowingMatrix W_;
  Vector r_;
};

}  // namespace gpstream

#endif
