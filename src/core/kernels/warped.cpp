// A kernel on a stretched column: k1(x, z) = inner(g(x), g(z)), where g replaces one column of the inputs by
// the integral of e^-s from the first knot on, s straight between knots: distances are those of the inner
// kernel at the first knot, e^s times shorter elsewhere.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../linear/require.h"
#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "kernels.h"
#include "knots.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Warped final : public Kernel {
 public:
  explicit Warped(KernelSpec spec)
      : Kernel(std::move(spec)), knots_(this->spec(), "warp"), values_(knot_values(this->spec(), "warp")) {
    require(this->spec().parts.size() == 1 && this->spec().extras.size() == values_.size(), "parameter",
            "a warped kernel needs one kernel, and a value at each knot but the first.");
    inner_ = make_kernel(this->spec().parts.front());
    require(std::abs(inner_->variance() - variance()) <= 1e-9 * variance(), "parameter",
            "a warped kernel has the variance of its inner one.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    inner_->value(warped(A), warped(B), out);
  }
  void diagonal(const ConstMatrixView& A, VectorView out) const override { inner_->diagonal(warped(A), out); }
  bool unit_diagonal() const override { return inner_->unit_diagonal(); }

  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> out = inner_->parameters();
    for (const Extra& one : values_)
      out.push_back({one.name, spec().extras.at(one.name), one.lower, one.upper, false, Parameter::shape});
    return out;
  }
  Index parameter_count() const override { return inner_->parameter_count() + own_count(); }
  KernelSpec with_parameters(const ConstVectorView& values) const override {
    require(values.size() == parameter_count(), "dimension",
            "a kernel needs as many values as it has parameters.");
    KernelSpec out = spec();
    out.parts.front() = inner_->with_parameters(values.head(inner_->parameter_count()));
    out.variance = out.parts.front().variance;
    for (Index k = 0; k < own_count(); ++k)
      out.extras[values_[static_cast<std::size_t>(k)].name] = values(inner_->parameter_count() + k);
    return out;
  }
  Vector amplitude_slope() const override {
    Vector out = Vector::Zero(parameter_count());
    out.head(inner_->parameter_count()) = inner_->amplitude_slope();
    return out;
  }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    const Matrix a = warped(A), b = warped(B);
    Matrix by_a = Matrix::Zero(A.rows(), A.cols()), by_b = Matrix::Zero(B.rows(), B.cols());
    inner_->pull_back(a, b, bar, slope.head(inner_->parameter_count()), by_a);
    Vector again = Vector::Zero(inner_->parameter_count());  // the same slopes once more
    inner_->pull_back(b, a, bar.transpose(), again, by_b);
    pull(B, by_b.col(knots_.column()), slope.tail(own_count()));
    pull(A, by_a.col(knots_.column()), slope.tail(own_count()));
    add_moves(A, std::move(by_a), inputs);
  }
  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const override {
    if (unit_diagonal()) return;
    Matrix by_a = Matrix::Zero(A.rows(), A.cols());
    inner_->pull_diagonal(warped(A), bar, slope.head(inner_->parameter_count()), by_a);
    pull(A, by_a.col(knots_.column()), slope.tail(own_count()));
    add_moves(A, std::move(by_a), inputs);
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    std::optional<Along> out = inner_->along(warped(A), warped(B), d);
    if (out && d == knots_.column()) out->stretch(stretch(A), stretch(B));
    return out;
  }

  bool fits(Index D) const override { return knots_.column() < D && inner_->fits(D); }
  bool correlation_tells() const override { return inner_->correlation_tells(); }

 private:
  Index own_count() const { return static_cast<Index>(values_.size()); }

  // (1 - e^-u) / u and its slope
  static double mean_decay(double u) {
    return std::abs(u) < 1e-3 ? 1 + u * (-1 / 2.0 + u * (1 / 6.0 - u / 24)) : -std::expm1(-u) / u;
  }
  static double mean_decay_slope(double u) {
    if (std::abs(u) < 1e-3) return -1 / 2.0 + u * (1 / 3.0 + u * (-1 / 8.0 + u / 30));
    return (std::exp(-u) * (1 + u) - 1) / (u * u);
  }

  // The integral over the first fraction f of segment k, and its slopes by s at both ends.
  struct Piece {
    double value, by_left, by_right;
  };
  Piece piece(Index k, double f) const {
    const double D = knots_.rise(k), h = knots_.width(k) * f * std::exp(-knots_.value(k));
    const double value = h * mean_decay(f * D), right = h * f * mean_decay_slope(f * D);
    return {value, -value - right, right};
  }
  // What lies beyond the ends: how far, and by which end.
  double beyond(double x) const {
    const Index last = knots_.size() - 1;
    return x < knots_.knot(0) ? x - knots_.knot(0) : x > knots_.knot(last) ? x - knots_.knot(last) : 0.0;
  }
  double decay_beyond(double x) const {
    return std::exp(-knots_.value(x < knots_.knot(0) ? 0 : knots_.size() - 1));
  }

  double g(double x) const {
    const Knots::Place at = knots_.place(x);
    double out = 0.0;
    for (Index k = 0; k < at.k; ++k) out += piece(k, 1.0).value;
    out += piece(at.k, at.f).value + decay_beyond(x) * beyond(x);
    return std::min(std::max(out, -1e300), 1e300);  // as far as any kernel can see
  }

  Matrix warped(const ConstMatrixView& A) const {
    Matrix out = A;
    for (Index i = 0; i < A.rows(); ++i) out(i, knots_.column()) = g(A(i, knots_.column()));
    return out;
  }

  // From slopes by g(x) of each row to those by the values at knots.
  void pull(const ConstMatrixView& A, const Vector& by_g, VectorView slope) const {
    Vector all = Vector::Zero(knots_.size());
    for (Index i = 0; i < A.rows(); ++i) {
      const double x = A(i, knots_.column());
      const Knots::Place at = knots_.place(x);
      for (Index k = 0; k <= at.k; ++k) {
        const Piece one = piece(k, k < at.k ? 1.0 : at.f);
        all(k) += by_g(i) * one.by_left;
        all(k + 1) += by_g(i) * one.by_right;
      }
      all(x < knots_.knot(0) ? 0 : knots_.size() - 1) -= by_g(i) * decay_beyond(x) * beyond(x);
    }
    slope += all.tail(own_count());
  }

  void add_moves(const ConstMatrixView& A, Matrix by_a, MatrixView inputs) const {
    if (inputs.rows() == 0) return;
    by_a.col(knots_.column()).array() *= stretch(A).array();
    inputs += by_a;
  }

  // dg/dx = e^-s of each row
  Vector stretch(const ConstMatrixView& A) const {
    Vector out(A.rows());
    for (Index i = 0; i < A.rows(); ++i) out(i) = std::exp(-knots_.at(knots_.place(A(i, knots_.column()))));
    return out;
  }

  Knots knots_;
  std::vector<Extra> values_;
  KernelPtr inner_;
};

}  // namespace

KernelPtr make_warped(const KernelSpec& spec) { return std::make_shared<Warped>(spec); }

}  // namespace gpstream
