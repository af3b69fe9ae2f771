// Rational quadratic: k1 = (1 + r^2 / alpha)^(-alpha), the squared exponential as alpha -> infinity.
#ifndef GPSTREAM_KERNELS_RQ_H
#define GPSTREAM_KERNELS_RQ_H

#include "stationary.h"

namespace gpstream {

class RationalQuadratic final : public Stationary {
 public:
  explicit RationalQuadratic(KernelSpec spec)
      : Stationary(std::move(spec), {{"alpha", 1e-2, 1e3}}), alpha_(extra("alpha")) {}

 protected:
  void profile(MatrixView r2) const override {
    const double alpha = alpha_;
    each(r2, [alpha](double t) { return std::exp(-alpha * std::log1p(t / alpha)); });
  }
  void slope(MatrixView r2) const override {
    const double alpha = alpha_;
    each(r2, [alpha](double t) { return 2.0 * std::exp(-(alpha + 1.0) * std::log1p(t / alpha)); });
  }
  // dk1/dlog alpha = k1 (r^2 / B - alpha log B),  B = 1 + r^2 / alpha
  void pull_extras(const Matrix& r2, const ConstMatrixView& bar, VectorView gradient) const override {
    for (Index j = 0; j < r2.cols(); ++j)
      for (Index i = 0; i < r2.rows(); ++i) {
        const double t = r2(i, j), log_b = std::log1p(t / alpha_);
        gradient(0) += bar(i, j) * std::exp(-alpha_ * log_b) * (t / (1.0 + t / alpha_) - alpha_ * log_b);
      }
  }
  double unit_radius(double rho) const override {
    return std::sqrt(alpha_ * std::expm1(-std::log(rho) / alpha_));
  }

 private:
  double alpha_;
};

}  // namespace gpstream

#endif
