// Stationary kernels: k1(x, z) = profile(r^2), r the distance after each coordinate is divided by its
// lengthscale. A new kernel supplies `profile`, its `slope` and `unit_radius` (with extras: their names and
// `pull_extras`; where f has a derivative, `curvature`); everything else is here.
#ifndef GPSTREAM_STATIONARY_H
#define GPSTREAM_STATIONARY_H

#include <algorithm>

#include "entries.h"
#include "leaf.h"

namespace gpstream {

class Stationary : public UnitLeaf {
 public:
  explicit Stationary(KernelSpec spec, std::vector<Extra> extras = {})
      : UnitLeaf(std::move(spec), std::move(extras)),
        inverse_(this->spec().lengthscale.cwiseInverse().cwiseMin(std::numeric_limits<double>::max())) {
    require(inverse_.size() > 0, "parameter", "`lengthscale` must be positive and finite.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final {
    require_fit(A, B);
    in_blocks(A.rows(), B.rows(), [&](Index j, Index n) {
      squared_distances(A, B.middleRows(j, n), inverse_, out.middleCols(j, n));
      profile(out.middleCols(j, n));
    });
  }

  // With t = (x - z) / l and c = slope(r^2):  dk1/dx = -c t / l,  dk1/dlog l_d = c t_d^2
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const final {
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

  // d2k1/(dx dz) = (c - curvature(r^2) t^2) / l^2
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const final {
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

  std::optional<Vector> radius(double rho, Index D) const final {
    const Vector& l = spec().lengthscale;
    return Vector(unit_radius(rho) * (l.size() == 1 ? Vector::Constant(D, l(0)) : l));
  }

  std::optional<Ball> ball(double rho, Index D) const final {
    const Vector& l = spec().lengthscale;
    const double r = unit_radius(rho);
    Ball out{(l.size() == 1 ? Vector::Constant(D, l(0)) : l).cwiseInverse(), r * r};
    if (!out.inverse.allFinite()) return std::nullopt;  // lengthscales at the end of the number range
    return out;
  }

  bool fits(Index D) const final { return lengthscales_fit(D); }

 protected:
  // r2 <- profile(r2), every entry; profile(0) = 1, decreasing. One virtual call a matrix.
  virtual void profile(MatrixView r2) const = 0;

  // r2 <- -2 profile'(r2), every entry
  virtual void slope(MatrixView r2) const = 0;

  // r2 <- 4 profile''(r2), every entry, any finite number where that times r2 goes to 0; false where the
  // process is not differentiable, slope(0) not being finite.
  virtual bool curvature(MatrixView /*r2*/) const { return false; }

  // Adds sum bar dk1/dlog(extra) for each extra, in the order in which they were declared.
  virtual void pull_extras(const Matrix& /*r2*/, const ConstMatrixView& /*bar*/,
                           VectorView /*gradient*/) const {}

  // r with profile(r^2) = rho
  virtual double unit_radius(double rho) const = 0;

 private:
  Vector inverse_;  // of the lengthscales, finite: equal coordinates have distance 0 whatever the lengthscale
};

}  // namespace gpstream

#endif
