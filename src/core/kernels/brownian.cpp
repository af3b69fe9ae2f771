// Brownian motion, and what comes of integrating it, in one column: with t = (x - origin) / scale,
//   k1 = min(|t|, |t'|)        m^2 (3 M - m) / 6,  m, M = min, max(|t|, |t'|)
// on one side of the origin; the two sides know nothing of each other. Origin and scale are fixed.
// The integral about a straight line is the cubic smoothing spline.
#include <algorithm>
#include <cmath>
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

class FromOrigin : public Leaf {
 public:
  explicit FromOrigin(KernelSpec spec)
      : Leaf(std::move(spec), {}), origin_(constant("origin")(0)), scale_(constant("scale")(0)) {
    require_no_lengthscale();
    require(constant("origin").size() == 1 && constant("scale").size() == 1 && scale_ > 0, "parameter",
            "kernel \"" + this->spec().name + "\" needs one `origin` and one positive `scale`.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final {
    require_fit(A, B);
    for (Index j = 0; j < B.rows(); ++j) {
      const double z = at(B, j);
      for (Index i = 0; i < A.rows(); ++i) {
        const double x = at(A, i);
        out(i, j) = same_side(x, z) ? unit(std::abs(x), std::abs(z)) : 0.0;
      }
    }
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const final {
    for (Index i = 0; i < A.rows(); ++i) out(i) = unit(std::abs(at(A, i)), std::abs(at(A, i)));
  }
  bool unit_diagonal() const final { return false; }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar, VectorView,
                 MatrixView inputs) const final {
    require_fit(A, B);
    if (inputs.rows() == 0) return;
    for (Index j = 0; j < B.rows(); ++j) {
      const double z = at(B, j);
      for (Index i = 0; i < A.rows(); ++i) {
        const double x = at(A, i);
        if (same_side(x, z))
          inputs(i, 0) += bar(i, j) * std::copysign(slope(std::abs(x), std::abs(z)), x) / scale_;
      }
    }
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView,
                     MatrixView inputs) const final {
    if (inputs.rows() == 0) return;
    for (Index i = 0; i < A.rows(); ++i) {
      const double x = at(A, i), t = std::abs(x);
      if (x != 0) inputs(i, 0) += 2.0 * bar(i) * std::copysign(slope(t, t), x) / scale_;
    }
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index) const final {
    if (!differentiable()) return std::nullopt;
    Along out(Kernel::value(A, B));
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        const double x = at(A, i), z = at(B, j);
        if (!same_side(x, z)) continue;
        const double s = std::abs(x), t = std::abs(z);
        out.a(i, j) = std::copysign(slope(s, t), x) / scale_;
        out.b(i, j) = std::copysign(slope(t, s), z) / scale_;
        out.ab(i, j) = std::min(s, t) / (scale_ * scale_);  // the derivative is the motion itself
      }
    return out;
  }

  bool fits(Index D) const final { return D == 1; }
  bool correlation_tells() const final { return false; }

 protected:
  // Of distances from the origin: k1, and its slope by the first.
  virtual double unit(double x, double z) const = 0;
  virtual double slope(double x, double z) const = 0;
  virtual bool differentiable() const = 0;

 private:
  double at(const ConstMatrixView& A, Index i) const { return (A(i, 0) - origin_) / scale_; }
  static bool same_side(double x, double z) { return (x > 0 && z > 0) || (x < 0 && z < 0); }

  double origin_, scale_;
};

class Brownian final : public FromOrigin {
 public:
  using FromOrigin::FromOrigin;

 protected:
  double unit(double x, double z) const override { return std::min(x, z); }
  double slope(double x, double z) const override { return x < z ? 1.0 : x > z ? 0.0 : 0.5; }
  bool differentiable() const override { return false; }
};

class IntegratedBrownian final : public FromOrigin {
 public:
  using FromOrigin::FromOrigin;

 protected:
  double unit(double x, double z) const override {
    const double m = std::min(x, z);
    return m * m * (3.0 * std::max(x, z) - m) / 6.0;
  }
  double slope(double x, double z) const override { return x <= z ? x * (z - 0.5 * x) : 0.5 * z * z; }
  bool differentiable() const override { return true; }
};

}  // namespace

KernelPtr make_brownian(const KernelSpec& spec) { return std::make_shared<Brownian>(spec); }

KernelPtr make_integrated_brownian(const KernelSpec& spec) {
  return std::make_shared<IntegratedBrownian>(spec);
}

}  // namespace gpstream
