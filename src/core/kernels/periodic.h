// What comes again after each period: k1 = exp(-sum_d sin(a_d)^2 / l_d^2), a = pi (x - z) / period. The
// lengthscale has no units: it is measured on a circle of radius 1/2.
#ifndef GPSTREAM_KERNELS_PERIODIC_H
#define GPSTREAM_KERNELS_PERIODIC_H

#include "entries.h"
#include "leaf.h"

namespace gpstream {

class Periodic final : public UnitLeaf {
 public:
  explicit Periodic(KernelSpec spec)
      : UnitLeaf(std::move(spec), {{"period", 0.0, std::numeric_limits<double>::infinity(), true, true}}),
        period_(extra("period")) {
    require(this->spec().lengthscale.size() > 0, "parameter", "`lengthscale` must be positive and finite.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    // columns that stay in cache between the steps
    const Index columns = std::max<Index>(1, 4096 / std::max<Index>(1, A.rows()));
    Matrix one;
    for (Index j = 0; j < B.rows(); j += columns) {
      const Index n = std::min(columns, B.rows() - j);
      MatrixView part = out.middleCols(j, n);
      for (Index d = 0; d < A.cols(); ++d) {
        const double by = 1.0 / lengthscale(d);
        one.resize(A.rows(), n);
        cycles(A, B.middleRows(j, n), d, d == 0 ? part : MatrixView(one));
        in_lanes(d == 0 ? part : MatrixView(one), [by](auto& t) GPSTREAM_ALWAYS {
          vector::sin_pi(t);
          t *= by;
          t *= t;
        });
        if (d > 0) part += one;
      }
      in_lanes(part, [](auto& t) GPSTREAM_ALWAYS {
        vector::cap(t, 1e300);
        vector::exp_minus(t);
      });
    }
  }

  // dk1/dlog l = 2 k1 sin(a)^2 / l^2,  dk1/dlog period = k1 a sin(2 a) / l^2,
  // dk1/dx = -k1 (pi / period) sin(2 a) / l^2
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    Matrix k(A.rows(), B.rows()), t(A.rows(), B.rows()), wave(A.rows(), B.rows());
    value(A, B, k);
    k.array() *= bar.array();
    const Index period = spec().lengthscale.size() + 1;
    const double pi = 3.141592653589793;
    for (Index d = 0; d < A.cols(); ++d) {
      const double by = 1.0 / (lengthscale(d) * lengthscale(d));
      cycles(A, B, d, t);
      wave = t;
      in_lanes(wave, [](auto& a) GPSTREAM_ALWAYS {
        vector::sin_pi(a);
        a *= a;
      });
      slope(spec().lengthscale.size() == 1 ? 0 : d) += 2.0 * by * wave.cwiseProduct(k).sum();
      wave = 2.0 * t;
      in_lanes(wave, [](auto& a) GPSTREAM_ALWAYS { vector::sin_pi(a); });
      wave.array() *= by * k.array();
      for (Index j = 0; j < B.rows(); ++j)  // by all of the distance, whole periods too
        slope(period) += pi * wave.col(j).dot(((A.col(d).array() - B(j, d)) / period_).matrix());
      if (inputs.rows() > 0) inputs.col(d) -= (pi / period_) * wave.rowwise().sum();
    }
  }

  // of log k1:  a = -b = -(pi / period) sin(2 a) / l^2,  ab = 2 (pi / period)^2 cos(2 a) / l^2
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    const double turn = 3.141592653589793 / period_, by = 1.0 / (lengthscale(d) * lengthscale(d));
    cycles(A, B, d, out.ab);
    out.a = out.ab;
    each(out.a, [=](double t) { return -turn * by * std::sin(6.283185307179586 * t); });
    out.b = -out.a;
    each(out.ab, [=](double t) { return 2.0 * turn * turn * by * std::cos(6.283185307179586 * t); });
    out.from_logarithm();
    return out;
  }

  bool fits(Index D) const override { return lengthscales_fit(D); }

 protected:
  Parameter::Role lengthscale_role() const override { return Parameter::shape; }

 private:
  // Where each row is in its period: rows of any size stay on one circle, which differences that were rounded
  // would leave. The remainder is exact.
  Vector within(const ConstMatrixView& A, Index d) const {
    Vector out(A.rows());
    for (Index i = 0; i < A.rows(); ++i) out(i) = std::fmod(A(i, d), period_) / period_;
    return out;
  }
  // out(i, j): how many periods row j of B is behind row i of A, but for whole ones
  void cycles(const ConstMatrixView& A, const ConstMatrixView& B, Index d, MatrixView out) const {
    const Vector a = within(A, d), b = within(B, d);
    for (Index j = 0; j < B.rows(); ++j) out.col(j) = a.array() - b(j);
  }

  double period_;
};

}  // namespace gpstream

#endif
