// Straight lines through an origin o: k1(x, z) = sum_d t_d(x) t_d(z), t_d(x) = (x - o)_d / scale_d.
// Origin and scales, one a column, are fixed; of D columns it has rank D.
#include <memory>
#include <optional>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

namespace {

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
      const Vector a = in_units(A, d), b = in_units(B, d);
      for (Index j = 0; j < b.size(); ++j) out.col(j) += b(j) * a;
    }
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const override {
    out.setZero();
    for (Index d = 0; d < A.cols(); ++d) out += in_units(A, d).cwiseAbs2();
  }
  bool unit_diagonal() const override { return false; }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar, VectorView,
                 MatrixView inputs) const override {
    require_fit(A, B);
    if (inputs.rows() == 0) return;
    for (Index d = 0; d < A.cols(); ++d) inputs.col(d) += bar * in_units(B, d) / scale_(d);
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView,
                     MatrixView inputs) const override {
    if (inputs.rows() == 0) return;
    for (Index d = 0; d < A.cols(); ++d) inputs.col(d) += 2.0 * bar.cwiseProduct(in_units(A, d)) / scale_(d);
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    out.a.rowwise() = (in_units(B, d) / scale_(d)).transpose();
    out.b.colwise() = in_units(A, d) / scale_(d);
    out.ab.setConstant(1.0 / (scale_(d) * scale_(d)));
    return out;
  }

  bool fits(Index D) const override { return origin_.size() == D; }
  bool correlation_tells() const override { return false; }

 private:
  Vector in_units(const ConstMatrixView& A, Index d) const {
    return (A.col(d).array() - origin_(d)) / scale_(d);
  }

  Vector origin_, scale_;
};

}  // namespace

KernelPtr make_linear(const KernelSpec& spec) { return std::make_shared<Linear>(spec); }

}  // namespace gpstream
