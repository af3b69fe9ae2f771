// Stationary kernels: k1(x, z) = profile(r^2), r the distance after each coordinate is divided by its lengthscale.
// A new kernel supplies `profile` and `unit_radius`; everything else is here.
#ifndef GPSTREAM_STATIONARY_H
#define GPSTREAM_STATIONARY_H

#include "kernel.h"

namespace gpstream {

class Stationary : public Kernel {
 public:
  explicit Stationary(KernelSpec spec) : Kernel(std::move(spec)) {
    const Vector& l = this->spec().lengthscale;
    require(l.size() > 0 && l.allFinite() && (l.array() > 0).all(), "parameter", "`lengthscale` must be positive and finite.");
  }

  void correlation(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final {
    squared_distance(A, B, out);
    profile(out);
  }

  Vector radius(double rho, Index D) const final {
    const Vector& l = spec().lengthscale;
    return unit_radius(rho) * (l.size() == 1 ? Vector::Constant(D, l(0)) : l);
  }

  bool fits(Index D) const final { return spec().lengthscale.size() == 1 || spec().lengthscale.size() == D; }

 protected:
  // r2 <- profile(r2), every entry; profile(0) = 1, decreasing. One virtual call a matrix.
  virtual void profile(MatrixView r2) const = 0;

  // r with profile(r^2) = rho
  virtual double unit_radius(double rho) const = 0;

  // Entry by entry with the C library's functions: the value of a pair does not depend on where it stands in a matrix.
  template <class Function>
  static void each(MatrixView values, Function f) {
    for (Index j = 0; j < values.cols(); ++j)
      for (Index i = 0; i < values.rows(); ++i) values(i, j) = f(values(i, j));
  }

 private:
  // In difference form: no cancellation, exactly 0 for equal rows. Overflow stops at a distance where every profile is 0.
  void squared_distance(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const {
    const Vector& l = spec().lengthscale;
    require(fits(A.cols()) && A.cols() == B.cols(), "dimension", "kernel and inputs differ in their number of columns.");
    out.setZero();
    for (Index d = 0; d < A.cols(); ++d) {
      const double scale = l(l.size() == 1 ? 0 : d);
      for (Index j = 0; j < B.rows(); ++j) out.col(j).array() += ((A.col(d).array() - B(j, d)) / scale).square();
    }
    out = out.cwiseMin(1e300);
  }
};

}  // namespace gpstream

#endif
