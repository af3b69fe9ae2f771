// What comes again after each period: k1 = exp(-sum_d sin(a_d)^2 / l_d^2), a = pi (x - z) / period. That is
// the squared exponential of points on circles, one a column: the lengthscale has no units.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "../linear/vector/functions.h"
#include "../linear/vector/lanes.h"
#include "along.h"
#include "circle.h"
#include "entries.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Periodic final : public UnitLeaf {
 public:
  explicit Periodic(KernelSpec spec)
      : UnitLeaf(std::move(spec), {{"period", 0.0, std::numeric_limits<double>::infinity(), true, true}}),
        period_(extra("period")) {
    const Vector& l = this->spec().lengthscale;
    require(l.size() > 0, "parameter", "`lengthscale` must be positive and finite.");
    inverse_ = l.cwiseInverse().cwiseMin(std::numeric_limits<double>::max());
    if (l.size() > 1) inverse_ = inverse_.replicate(2, 1).eval();  // across and up
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    between(on_circles(A), on_circles(B), out);
  }

  // dk1/dlog l = 2 k1 sin(a)^2 / l^2,  dk1/dlog period = k1 a sin(2 a) / l^2,
  // dk1/dx = -k1 (pi / period) sin(2 a) / l^2
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    require_fit(A, B);
    const Matrix a = on_circles(A), b = on_circles(B);
    Matrix k(A.rows(), B.rows());
    between(a, b, k);
    k.array() *= bar.array();
    const Index D = A.cols(), period = spec().lengthscale.size() + 1;
    const double turn = 3.141592653589793 / period_;
    Vector wave(A.rows());
    for (Index d = 0; d < D; ++d) {
      const double by = 1.0 / (lengthscale(d) * lengthscale(d));
      const auto across = a.col(d).array(), up = a.col(D + d).array();
      for (Index j = 0; j < B.rows(); ++j) {
        const double x = b(j, d), y = b(j, D + d);
        slope(spec().lengthscale.size() == 1 ? 0 : d) +=
            2.0 * by * (k.col(j).array() * ((across - x).square() + (up - y).square())).sum();
        wave = (4.0 * by * turn) * k.col(j).array() * (up * x - across * y);
        slope(period) += wave.dot((A.col(d).array() - B(j, d)).matrix());  // whole periods too
        if (inputs.rows() > 0) inputs.col(d) -= wave;
      }
    }
  }

  // of log k1:  a = -b = -(pi / period) sin(2 a) / l^2,  ab = 2 (pi / period)^2 cos(2 a) / l^2
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    const double turn = 3.141592653589793 / period_, by = 1.0 / (lengthscale(d) * lengthscale(d));
    const Matrix a = on_circles(A), b = on_circles(B);
    const auto across = a.col(d).array(), up = a.col(A.cols() + d).array();
    for (Index j = 0; j < B.rows(); ++j) {
      const double x = b(j, d), y = b(j, A.cols() + d);
      out.b.col(j) = 4.0 * turn * by * (up * x - across * y);
      out.ab.col(j) = 2.0 * turn * turn * by * (1.0 - 2.0 * ((across - x).square() + (up - y).square()));
    }
    out.a = -out.b;
    out.from_logarithm();
    return out;
  }

  bool fits(Index D) const override { return lengthscales_fit(D); }

 protected:
  Parameter::Role lengthscale_role() const override { return Parameter::shape; }

 private:
  // Rows of any size: the remainder is exact, which differences that were rounded would not have.
  Matrix on_circles(const ConstMatrixView& A) const {
    const Index D = A.cols();
    Matrix out(A.rows(), 2 * D);
    Vector turns(A.rows());
    for (Index d = 0; d < D; ++d) {
      for (Index i = 0; i < A.rows(); ++i) turns(i) = std::fmod(A(i, d), period_) / period_;
      put_on_circle(turns, out.col(d), out.col(D + d));
    }
    return out;
  }

  void between(const Matrix& a, const Matrix& b, MatrixView out) const {
    in_blocks(a.rows(), b.rows(), [&](Index j, Index n) {
      squared_distances(a, b.middleRows(j, n), inverse_, out.middleCols(j, n));
      in_lanes(out.middleCols(j, n), [](auto& t) GPSTREAM_ALWAYS { vector::exp_minus(t); });
    });
  }

  double period_;
  Vector inverse_;  // of the lengthscales, finite
};

}  // namespace

KernelPtr make_periodic(const KernelSpec& spec) { return std::make_shared<Periodic>(spec); }

}  // namespace gpstream
