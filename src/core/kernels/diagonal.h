// k1(x, x) of some rows. Where the kernel has a unit diagonal nothing is evaluated or kept, and numbers come
// out to the last bit as if there were no diagonal.
#ifndef GPSTREAM_KERNELS_DIAGONAL_H
#define GPSTREAM_KERNELS_DIAGONAL_H

#include "../linear/types.h"
#include "kernel.h"

namespace gpstream {

class Diagonal {
 public:
  Diagonal(const Kernel& kernel, const ConstMatrixView& X);

  double operator()(Index i) const { return unit_ ? 1.0 : d_(i); }
  double largest() const;

  // r <- what features W leave of each row, d - |w|^2 >= 0
  void residual(const Matrix& W, VectorView r) const;

  // sum_j d_j c_j^2
  double weighted_square(const ConstVectorView& c) const;

  // Column j of C times sqrt(d_j): makes the inverse factor of k1(X, X) that of the correlation matrix.
  void scale_columns(MatrixView C) const;

 private:
  bool unit_;
  Vector d_;
};

}  // namespace gpstream

#endif
