// An amplitude that varies along a column: k1 = a(x) a(z), a = exp(al), al straight between knots. Of rank 1:
// a factor for other kernels.
#include <memory>
#include <optional>

#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "knots.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Amplitude final : public Leaf {
 public:
  explicit Amplitude(const KernelSpec& spec)
      : Leaf(spec, knot_values(spec, "amplitude")), knots_(this->spec(), "amplitude") {
    require_no_lengthscale();
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    const Vector a = of(A), b = of(B);
    for (Index j = 0; j < b.size(); ++j) out.col(j) = b(j) * a;
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const override { out = of(A).cwiseAbs2(); }
  bool unit_diagonal() const override { return false; }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    require_fit(A, B);
    const Vector a = of(A), b = of(B);
    pull(A, a.cwiseProduct(bar * b), slope, inputs);
    Matrix none(0, B.cols());
    pull(B, b.cwiseProduct(bar.transpose() * a), slope, none);
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const override {
    pull(A, 2.0 * bar.cwiseProduct(of(A).cwiseAbs2()), slope, inputs);
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    if (d != knots_.column()) return out;
    out.a = out.b = out.ab = out.k;
    out.stretch(knots_.slopes(A), knots_.slopes(B));
    return out;
  }

  bool fits(Index D) const override { return knots_.column() < D; }
  bool correlation_tells() const override { return false; }

 private:
  Vector of(const ConstMatrixView& A) const { return knots_.exp_at(knots_.places(A)); }

  // g: slopes by al(x) of each row
  void pull(const ConstMatrixView& A, const Vector& g, VectorView slope, MatrixView inputs) const {
    for (Index i = 0; i < A.rows(); ++i) {
      const Knots::Place at = knots_.place(A(i, knots_.column()));
      knots_.pull(at, g(i), slope.tail(extra_count()));
      if (inputs.rows() > 0) inputs(i, knots_.column()) += g(i) * knots_.slope(at);
    }
  }

  Knots knots_;
};

}  // namespace

KernelPtr make_amplitude(const KernelSpec& spec) { return std::make_shared<Amplitude>(spec); }

}  // namespace gpstream
