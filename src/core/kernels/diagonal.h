// k1(x, x) of some rows. Where the kernel has a unit diagonal nothing is evaluated or kept, and numbers come
// out to the last bit as if there were no diagonal.
#ifndef GPSTREAM_KERNELS_DIAGONAL_H
#define GPSTREAM_KERNELS_DIAGONAL_H

#include "kernel.h"

namespace gpstream {

class Diagonal {
 public:
  Diagonal(const Kernel& kernel, const ConstMatrixView& X) : unit_(kernel.unit_diagonal()) {
    if (unit_) return;
    d_.resize(X.rows());
    kernel.diagonal(X, d_);
  }

  double operator()(Index i) const { return unit_ ? 1.0 : d_(i); }
  double largest() const { return unit_ || d_.size() == 0 ? 1.0 : d_.maxCoeff(); }

  // r <- what features W leave of each row, d - |w|^2 >= 0
  void residual(const Matrix& W, VectorView r) const {
    if (unit_)
      r = (1.0 - W.colwise().squaredNorm().transpose().array()).max(0.0);
    else
      r = (d_ - W.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  }

  // sum_j d_j c_j^2
  double weighted_square(const ConstVectorView& c) const {
    return unit_ ? c.squaredNorm() : d_.dot(c.cwiseAbs2());
  }

  // Column j of C times sqrt(d_j): makes the inverse factor of k1(X, X) that of the correlation matrix.
  void scale_columns(MatrixView C) const {
    if (!unit_) C *= d_.cwiseSqrt().asDiagonal();
  }

 private:
  bool unit_;
  Vector d_;
};

}  // namespace gpstream

#endif
