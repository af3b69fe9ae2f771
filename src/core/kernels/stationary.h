// Stationary kernels: k1(x, z) = profile(r^2), r the distance after each coordinate is divided by its
// lengthscale. A new kernel supplies `profile`, its `slope` and `unit_radius` (with extras: their names and
// `pull_extras`; where f has a derivative, `curvature`); everything else is here.
#ifndef GPSTREAM_STATIONARY_H
#define GPSTREAM_STATIONARY_H

#include <optional>
#include <vector>

#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

class Stationary : public UnitLeaf {
 public:
  explicit Stationary(KernelSpec spec, std::vector<Extra> extras = {});

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final;

  // With t = (x - z) / l and c = slope(r^2):  dk1/dx = -c t / l,  dk1/dlog l_d = c t_d^2
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const final;

  // d2k1/(dx dz) = (c - curvature(r^2) t^2) / l^2
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const final;

  std::optional<Vector> radius(double rho, Index D) const final;

  std::optional<Ball> ball(double rho, Index D) const final;

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
