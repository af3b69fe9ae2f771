// Gibbs' kernel, a squared exponential whose lengthscales vary along a column, l_d(x) = l_d exp(s(x)), s
// straight between knots. With S = e^2s + e^2s' and Q = (2 / S) sum_d (x - z)_d^2 / l_d^2,
//   k1 = (2 e^(s + s') / S)^(D/2) e^-Q
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "../linear/require.h"
#include "../linear/types.h"
#include "../linear/vector/functions.h"
#include "../linear/vector/lanes.h"
#include "along.h"
#include "entries.h"
#include "kernel.h"
#include "knots.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Gibbs final : public UnitLeaf {
 public:
  explicit Gibbs(const KernelSpec& spec)
      : UnitLeaf(spec, knot_values(spec, "stretch")), knots_(this->spec(), "stretch") {
    require(this->spec().lengthscale.size() > 0, "parameter", "`lengthscale` must be positive and finite.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    const Vector a = knots_.exp_at(knots_.places(A)), b = knots_.exp_at(knots_.places(B));
    for (Index j = 0; j < B.rows(); ++j) {
      distances(A, B, j, out.col(j));
      out.col(j).array() *= 2.0 / (a.array().square() + b(j) * b(j));
    }
    in_lanes(out, [](auto& t) GPSTREAM_ALWAYS {
      vector::cap(t, 1e300);
      vector::exp_minus(t);
    });
    const double half = 0.5 * static_cast<double>(A.cols());
    Vector front(A.rows());
    for (Index j = 0; j < B.rows(); ++j) {
      front = 2.0 * a.array() * b(j) / (a.array().square() + b(j) * b(j));
      if (A.cols() == 1)
        front = front.cwiseSqrt().eval();
      else if (A.cols() != 2)
        front = front.unaryExpr([half](double t) { return std::pow(t, half); }).eval();
      out.col(j).array() *= front.array();
    }
  }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    const std::vector<Knots::Place> a = knots_.places(A), b = knots_.places(B);
    const Vector ea = knots_.exp_at(a).cwiseAbs2(), eb = knots_.exp_at(b).cwiseAbs2();
    Matrix bk(A.rows(), B.rows());
    value(A, B, bk);
    bk.array() *= bar.array();
    const double half = 0.5 * static_cast<double>(A.cols());
    const Index lengthscales = spec().lengthscale.size();
    VectorView values = slope.tail(extra_count());
    Vector by_a = Vector::Zero(A.rows()), S(A.rows()), Q(A.rows()), t(A.rows());
    for (Index j = 0; j < B.rows(); ++j) {
      S = ea.array() + eb(j);
      distances(A, B, j, Q);
      Q.array() *= 2.0 / S.array();
      by_a.array() += bk.col(j).array() * (half * (1.0 - 2.0 * ea.array() / S.array()) +
                                           2.0 * Q.array() * ea.array() / S.array());
      const double by_b =
          (bk.col(j).array() * (half * (1.0 - 2.0 * eb(j) / S.array()) + 2.0 * Q.array() * eb(j) / S.array()))
              .sum();
      knots_.pull(b[static_cast<std::size_t>(j)], by_b, values);
      for (Index d = 0; d < A.cols(); ++d) {
        t = (A.col(d).array() - B(j, d)) / lengthscale(d);
        slope(lengthscales == 1 ? 0 : d) += (4.0 * bk.col(j).array() * t.array().square() / S.array()).sum();
        if (inputs.rows() > 0)
          inputs.col(d).array() -= 4.0 * bk.col(j).array() * t.array() / (lengthscale(d) * S.array());
      }
    }
    for (Index i = 0; i < A.rows(); ++i) {
      const Knots::Place& at = a[static_cast<std::size_t>(i)];
      knots_.pull(at, by_a(i), values);
      if (inputs.rows() > 0) inputs(i, knots_.column()) += by_a(i) * knots_.slope(at);
    }
  }

  // With q = sum_d (x - z)_d^2 / l_d^2:  log k1 = (D / 2) (log 2 + s + s' - log S) - 2 q / S
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    const double half = 0.5 * static_cast<double>(A.cols()), l = lengthscale(d);
    Vector ea = knots_.exp_at(knots_.places(A)).cwiseAbs2(), eb = knots_.exp_at(knots_.places(B)).cwiseAbs2();
    Vector ua = Vector::Zero(A.rows()), ub = Vector::Zero(B.rows()), q(A.rows());
    if (d == knots_.column()) {
      ua = knots_.slopes(A);
      ub = knots_.slopes(B);
    }
    for (Index j = 0; j < B.rows(); ++j) {
      distances(A, B, j, q);
      for (Index i = 0; i < A.rows(); ++i) {
        const double S = ea(i) + eb(j), by = 1.0 / S, Sa = 2.0 * ea(i) * ua(i), Sb = 2.0 * eb(j) * ub(j),
                     qa = 2.0 * (A(i, d) - B(j, d)) / (l * l);
        out.a(i, j) = half * (ua(i) - Sa * by) - 2.0 * by * (qa - q(i) * Sa * by);
        out.b(i, j) = half * (ub(j) - Sb * by) - 2.0 * by * (-qa - q(i) * Sb * by);
        out.ab(i, j) = half * Sa * Sb * by * by +
                       2.0 * by * (2.0 / (l * l) + by * (qa * (Sb - Sa) - 2.0 * q(i) * Sa * Sb * by));
      }
    }
    out.from_logarithm();
    return out;
  }

  bool fits(Index D) const override { return lengthscales_fit(D) && knots_.column() < D; }

 private:
  // sum_d (x - z)_d^2 / l_d^2
  void distances(const ConstMatrixView& A, const ConstMatrixView& B, Index j, VectorView out) const {
    out.setZero();
    for (Index d = 0; d < A.cols(); ++d)
      out.array() += ((A.col(d).array() - B(j, d)) / lengthscale(d)).square();
    out = out.cwiseMin(1e300);
  }

  Knots knots_;
};

}  // namespace

KernelPtr make_gibbs(const KernelSpec& spec) { return std::make_shared<Gibbs>(spec); }

}  // namespace gpstream
