#include "linear_brownian.h"

#include "../../src/core/core.h"

namespace reference {

namespace {

class LinearBrownian final : public Leaf {
 public:
  explicit LinearBrownian(KernelSpec spec)
      : Leaf(std::move(spec), {{"slope", 1e-3, 1e3}, {"brownian", 0.0, 1e3, false}}),
        slope_(extra("slope")),
        brownian_(extra("brownian")) {}

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = 0; i < A.rows(); ++i)
        out(i, j) = slope_ * along(A, i, B, j) + brownian_ * std::min(A(i, 0), B(j, 0));
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const override {
    for (Index i = 0; i < A.rows(); ++i) out(i) = slope_ * along(A, i, A, i) + brownian_ * A(i, 0);
  }
  bool unit_diagonal() const override { return false; }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        slope(1) += bar(i, j) * slope_ * along(A, i, B, j);
        slope(2) += bar(i, j) * std::min(A(i, 0), B(j, 0));
        if (inputs.rows() == 0) continue;
        inputs.row(i) += bar(i, j) * slope_ * B.row(j);
        const double below = A(i, 0) < B(j, 0) ? 1.0 : A(i, 0) > B(j, 0) ? 0.0 : 0.5;
        inputs(i, 0) += bar(i, j) * brownian_ * below;
      }
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const override {
    for (Index i = 0; i < A.rows(); ++i) {
      slope(1) += bar(i) * slope_ * along(A, i, A, i);
      slope(2) += bar(i) * A(i, 0);
      if (inputs.rows() == 0) continue;
      inputs.row(i) += 2.0 * bar(i) * slope_ * A.row(i);
      inputs(i, 0) += bar(i) * brownian_;
    }
  }
  bool fits(Index) const override { return true; }

 private:
  static double along(const ConstMatrixView& A, Index i, const ConstMatrixView& B, Index j) {
    double sum = 0.0;
    for (Index d = 0; d < A.cols(); ++d) sum += A(i, d) * B(j, d);
    return sum;
  }

  double slope_, brownian_;
};

}  // namespace

WithLinearBrownian::WithLinearBrownian() {
  kernel_registry()["linear_brownian"] = [](const KernelSpec& spec) -> KernelPtr {
    return std::make_shared<LinearBrownian>(spec);
  };
}

WithLinearBrownian::~WithLinearBrownian() { kernel_registry().erase("linear_brownian"); }

KernelSpec linear_brownian(double slope, double brownian, double v) {
  KernelSpec k;
  k.name = "linear_brownian";
  k.variance = v;
  k.extras = {{"slope", slope}, {"brownian", brownian}};
  return k;
}

}  // namespace reference
