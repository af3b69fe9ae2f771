// Straight lines through an origin o: k1(x, z) = sum_d t_d(x) t_d(z), t_d(x) = (x - o)_d / scale_d.
// Origin and scales, one a column, are fixed; of D columns it has rank D.
#ifndef GPSTREAM_KERNELS_LINEAR_H
#define GPSTREAM_KERNELS_LINEAR_H

#include "leaf.h"

namespace gpstream {

class Linear final : public Leaf {
 public:
  explicit Linear(KernelSpec spec)
      : Leaf(std::move(spec), {}), origin_(constant("origin")), scale_(constant("scale")) {
    require_no_lengthscale();
    require(origin_.size() == scale_.size() && (scale_.array() > 0).all(), "parameter",
            "kernel \"linear\" needs an `origin` and a positive `scale` for each column.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    out.setZero();
    for (Index d = 0; d < A.cols(); ++d) {
      const Vector a = along(A, d), b = along(B, d);
      for (Index j = 0; j < b.size(); ++j) out.col(j) += b(j) * a;
    }
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const override {
    out.setZero();
    for (Index d = 0; d < A.cols(); ++d) out += along(A, d).cwiseAbs2();
  }
  bool unit_diagonal() const override { return false; }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar, VectorView,
                 MatrixView inputs) const override {
    require_fit(A, B);
    if (inputs.rows() == 0) return;
    for (Index d = 0; d < A.cols(); ++d) inputs.col(d) += bar * along(B, d) / scale_(d);
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView,
                     MatrixView inputs) const override {
    if (inputs.rows() == 0) return;
    for (Index d = 0; d < A.cols(); ++d) inputs.col(d) += 2.0 * bar.cwiseProduct(along(A, d)) / scale_(d);
  }

  bool fits(Index D) const override { return origin_.size() == D; }
  bool correlation_tells() const override { return false; }

 private:
  Vector along(const ConstMatrixView& A, Index d) const {
    return (A.col(d).array() - origin_(d)) / scale_(d);
  }

  Vector origin_, scale_;
};

}  // namespace gpstream

#endif
