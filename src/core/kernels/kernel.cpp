#include "kernel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "../evidence/absorb.h"
#include "../linear/require.h"
#include "../linear/vector/distance.h"
#include "../read/gradient.h"
#include "circle.h"
#include "diagonal.h"
#include "entries.h"
#include "knots.h"
#include "leaf.h"
#include "stationary.h"

namespace gpstream {

Along::Along(Matrix values) : k(std::move(values)), a(Matrix::Zero(k.rows(), k.cols())), b(a), ab(a) {}

void Along::from_logarithm() {
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = 0; i < k.rows(); ++i) {
      const double v = k(i, j), by_a = a(i, j), by_b = b(i, j);
      a(i, j) = v > 0 ? v * by_a : 0.0;
      b(i, j) = v > 0 ? v * by_b : 0.0;
      ab(i, j) = v > 0 ? v * (ab(i, j) + by_a * by_b) : 0.0;
    }
}

void Along::stretch(const ConstVectorView& rows, const ConstVectorView& columns) {
  a.array().colwise() *= rows.array();
  b.array().rowwise() *= columns.transpose().array();
  ab.array().colwise() *= rows.array();
  ab.array().rowwise() *= columns.transpose().array();
}

Matrix Kernel::value(const ConstMatrixView& A, const ConstMatrixView& B) const {
  Matrix out(A.rows(), B.rows());
  value(A, B, out);
  return out;
}

std::vector<Index> columns_of(const KernelSpec& spec) {
  std::vector<Index> out = spec.columns;
  for (const KernelSpec& part : spec.parts) {
    const std::vector<Index> own = columns_of(part);
    if (own.empty()) return {};
    for (const Index d : own)
      if (std::find(out.begin(), out.end(), d) == out.end()) out.push_back(d);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool same_unit_kernel(const KernelSpec& a, const KernelSpec& b) {
  if (a.name != b.name || a.extras != b.extras || a.columns != b.columns ||
      a.parts.size() != b.parts.size() || a.fixed.size() != b.fixed.size())
    return false;
  const auto equal = [](const Vector& u, const Vector& v) { return u.size() == v.size() && u == v; };
  if (!equal(a.lengthscale, b.lengthscale)) return false;
  for (const auto& one : a.fixed) {
    const auto other = b.fixed.find(one.first);
    if (other == b.fixed.end() || !equal(one.second, other->second)) return false;
  }
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const KernelSpec &p = a.parts[i], &q = b.parts[i];
    if (!same_unit_kernel(p, q)) return false;
    // in a sum the relative weights belong to the unit kernel
    if (a.name == "sum" && std::abs(p.variance / a.variance - q.variance / b.variance) > 1e-14) return false;
  }
  return true;
}

Diagonal::Diagonal(const Kernel& kernel, const ConstMatrixView& X) : unit_(kernel.unit_diagonal()) {
  if (unit_) return;
  d_.resize(X.rows());
  kernel.diagonal(X, d_);
}

double Diagonal::largest() const { return unit_ || d_.size() == 0 ? 1.0 : d_.maxCoeff(); }

void Diagonal::residual(const Matrix& W, VectorView r) const {
  if (unit_)
    r = (1.0 - W.colwise().squaredNorm().transpose().array()).max(0.0);
  else
    r = (d_ - W.colwise().squaredNorm().transpose()).cwiseMax(0.0);
}

double Diagonal::weighted_square(const ConstVectorView& c) const {
  return unit_ ? c.squaredNorm() : d_.dot(c.cwiseAbs2());
}

void Diagonal::scale_columns(MatrixView C) const {
  if (!unit_) C *= d_.cwiseSqrt().asDiagonal();
}

void squared_distances(const ConstMatrixView& A, const ConstMatrixView& B, const Vector& inverse,
                       MatrixView out) {
  const vector::Rows rows{A.data(), A.rows(), A.outerStride()};
  const vector::Row by{inverse.data(), inverse.size() == 1 ? 0 : 1};
  for (Index j = 0; j < B.rows(); ++j)
    vector::squared_distance(rows, {B.data() + j, B.outerStride()}, by, A.cols(),
                             out.data() + j * out.outerStride());
}

const Vector& constant_of(const KernelSpec& spec, const char* name) {
  const auto found = spec.fixed.find(name);
  require(found != spec.fixed.end() && found->second.size() > 0 && found->second.allFinite(), "parameter",
          "kernel \"" + spec.name + "\" needs finite `" + name + "`.");
  return found->second;
}

Leaf::Leaf(KernelSpec spec, std::vector<Extra> extras) : Kernel(std::move(spec)), extras_(std::move(extras)) {
  const Vector& l = this->spec().lengthscale;
  require(l.allFinite() && (l.array() > 0).all(), "parameter", "`lengthscale` must be positive and finite.");
  for (const Extra& one : extras_) {
    const double value = extra(one.name);
    require(std::isfinite(value) && (value > 0 || !one.log), "parameter",
            "`" + one.name + "` must be " + (one.log ? "positive and finite." : "finite."));
  }
  require(this->spec().extras.size() == extras_.size() && this->spec().parts.empty(), "parameter",
          "kernel \"" + this->spec().name + "\" was given a parameter that it does not have.");
}

std::vector<Parameter> Leaf::parameters() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Vector& l = spec().lengthscale;
  const bool shape = lengthscale_role() == Parameter::shape;
  std::vector<Parameter> out;
  for (Index d = 0; d < l.size(); ++d)
    out.push_back({l.size() == 1 ? "lengthscale" : "lengthscale" + std::to_string(d + 1), l(d),
                   shape ? 1e-3 : 0.0, shape ? 1e3 : infinite, true, lengthscale_role()});
  out.push_back({"variance", variance(), 0.0, infinite, true, Parameter::variance});
  for (const Extra& one : extras_)
    out.push_back({one.name, extra(one.name), one.lower, one.upper, one.log, Parameter::shape, one.narrow});
  return out;
}

KernelSpec Leaf::with_parameters(const ConstVectorView& values) const {
  require(values.size() == parameter_count(), "dimension",
          "a kernel needs as many values as it has parameters.");
  const Index lengthscales = spec().lengthscale.size();
  KernelSpec out = spec();
  out.lengthscale = values.head(lengthscales);
  out.variance = values(lengthscales);
  for (Index i = 0; i < extra_count(); ++i)
    out.extras[extras_[static_cast<std::size_t>(i)].name] = values(lengthscales + 1 + i);
  return out;
}

Vector Leaf::amplitude_slope() const {
  Vector out = Vector::Zero(parameter_count());
  out(spec().lengthscale.size()) = 1.0;
  return out;
}

double Leaf::lengthscale(Index d) const {
  const Vector& l = spec().lengthscale;
  return l(l.size() == 1 ? 0 : d);
}

bool Leaf::lengthscales_fit(Index D) const {
  return spec().lengthscale.size() == 1 || spec().lengthscale.size() == D;
}

void Leaf::require_no_lengthscale() const {
  require(spec().lengthscale.size() == 0, "parameter",
          "kernel \"" + spec().name + "\" was given a `lengthscale`, which it does not have.");
}

void Leaf::require_fit(const ConstMatrixView& A, const ConstMatrixView& B) const {
  require(fits(A.cols()) && A.cols() == B.cols(), "dimension",
          "kernel and inputs differ in their number of columns.");
}

double Leaf::extra(const std::string& name) const {
  const auto found = spec().extras.find(name);
  require(found != spec().extras.end(), "parameter", "kernel \"" + spec().name + "\" needs `" + name + "`.");
  return found->second;
}

Stationary::Stationary(KernelSpec spec, std::vector<Extra> extras)
    : UnitLeaf(std::move(spec), std::move(extras)),
      inverse_(this->spec().lengthscale.cwiseInverse().cwiseMin(std::numeric_limits<double>::max())) {
  require(inverse_.size() > 0, "parameter", "`lengthscale` must be positive and finite.");
}

void Stationary::value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const {
  require_fit(A, B);
  in_blocks(A.rows(), B.rows(), [&](Index j, Index n) {
    squared_distances(A, B.middleRows(j, n), inverse_, out.middleCols(j, n));
    profile(out.middleCols(j, n));
  });
}

void Stationary::pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                           VectorView slope, MatrixView inputs) const {
  require_fit(A, B);
  const Vector& l = spec().lengthscale;
  Matrix c(A.rows(), B.rows());
  squared_distances(A, B, inverse_, c);
  pull_extras(c, bar, slope.tail(extra_count()));
  this->slope(c);
  c.array() *= bar.array();
  Vector t(A.rows());
  for (Index d = 0; d < A.cols(); ++d) {
    const Index own = l.size() == 1 ? 0 : d;
    for (Index j = 0; j < B.rows(); ++j) {
      t = (A.col(d).array() - B(j, d)) * inverse_(own);
      slope(own) += (c.col(j).array() * t.array().square()).sum();
      if (inputs.rows() > 0) inputs.col(d).array() -= c.col(j).array() * t.array() * inverse_(own);
    }
  }
}

std::optional<Along> Stationary::along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const {
  Matrix c(A.rows(), B.rows());
  squared_distances(A, B, inverse_, c);
  Matrix bend = c;
  if (!curvature(bend)) return std::nullopt;
  slope(c);
  Along out(Kernel::value(A, B));
  const double inverse = inverse_(inverse_.size() == 1 ? 0 : d);
  for (Index j = 0; j < B.rows(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      const double t = (A(i, d) - B(j, d)) * inverse;  // may be infinite where c is 0
      out.b(i, j) = c(i, j) > 0 ? c(i, j) * t * inverse : 0.0;
      out.ab(i, j) = (c(i, j) - (bend(i, j) > 0 ? bend(i, j) * t * t : 0.0)) * inverse * inverse;
    }
  out.a = -out.b;
  return out;
}

std::optional<Vector> Stationary::radius(double rho, Index D) const {
  const Vector& l = spec().lengthscale;
  return Vector(unit_radius(rho) * (l.size() == 1 ? Vector::Constant(D, l(0)) : l));
}

std::optional<Ball> Stationary::ball(double rho, Index D) const {
  const Vector& l = spec().lengthscale;
  const double r = unit_radius(rho);
  Ball out{(l.size() == 1 ? Vector::Constant(D, l(0)) : l).cwiseInverse(), r * r};
  if (!out.inverse.allFinite()) return std::nullopt;  // lengthscales at the end of the number range
  return out;
}

void put_on_circle(const Vector& turns, VectorView across, VectorView up) {
  for (Index i = 0; i < turns.size(); ++i) {
    const double angle = 6.283185307179586 * turns(i);
    across(i) = 0.5 * std::cos(angle);
    up(i) = 0.5 * std::sin(angle);
  }
}

std::vector<Extra> knot_values(const KernelSpec& spec, const std::string& name) {
  const Index K = constant_of(spec, "knots").size();
  std::vector<Extra> out;
  for (Index k = 2; k <= K; ++k) out.push_back({name + std::to_string(k), -4.0, 4.0, false});
  return out;
}

Knots::Knots(const KernelSpec& spec, const std::string& name) : at_(constant_of(spec, "knots")) {
  const Index K = at_.size();
  bool rising = K >= 2;
  for (Index k = 1; k < K; ++k) rising = rising && at_(k) > at_(k - 1);
  require(rising, "parameter", "`knots` must be at least two numbers, each larger than the one before it.");
  values_ = Vector::Zero(K);
  for (Index k = 1; k < K; ++k) {
    const auto found = spec.extras.find(name + std::to_string(k + 1));
    require(found != spec.extras.end() && std::isfinite(found->second), "parameter",
            "kernel \"" + spec.name + "\" needs a finite value at each of its knots but the first.");
    values_(k) = found->second;
  }
  const auto along = spec.fixed.find("along");
  if (along != spec.fixed.end()) {
    require(along->second.size() == 1 && along->second(0) >= 1 && along->second(0) <= 1e6, "parameter",
            "`along` must be the number of a column.");
    column_ = static_cast<Index>(along->second(0)) - 1;
  }
}

Knots::Place Knots::place(double x) const {
  const double* const first = at_.data();
  const Index K = size();
  const Index above = std::upper_bound(first, first + K, x) - first;
  const Index k = std::min(std::max<Index>(above - 1, 0), K - 2);
  const double f = (x - at_(k)) / width(k);
  return {k, std::min(std::max(f, 0.0), 1.0), x >= at_(0) && x < at_(K - 1)};
}

void Knots::pull(const Place& p, double g, VectorView slope) const {
  if (p.k > 0) slope(p.k - 1) += g * (1.0 - p.f);
  slope(p.k) += g * p.f;
}

std::vector<Knots::Place> Knots::places(const ConstMatrixView& A) const {
  std::vector<Place> out;
  out.reserve(static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i) out.push_back(place(A(i, column_)));
  return out;
}

Vector Knots::slopes(const ConstMatrixView& A) const {
  Vector out(A.rows());
  for (Index i = 0; i < A.rows(); ++i) out(i) = slope(place(A(i, column_)));
  return out;
}

Vector Knots::exp_at(const std::vector<Place>& places) const {
  Vector out(static_cast<Index>(places.size()));
  for (Index i = 0; i < out.size(); ++i) out(i) = std::exp(at(places[static_cast<std::size_t>(i)]));
  return out;
}

}  // namespace gpstream
