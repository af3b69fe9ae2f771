// Rational quadratic: k1 = (1 + r^2 / alpha)^(-alpha), the squared exponential as alpha -> infinity.
#ifndef GPSTREAM_KERNELS_RQ_H
#define GPSTREAM_KERNELS_RQ_H

#include "../stationary.h"

namespace gpstream {

class RationalQuadratic final : public Stationary {
 public:
  explicit RationalQuadratic(KernelSpec spec) : Stationary(std::move(spec)) {
    const auto found = this->spec().extras.find("alpha");
    require(found != this->spec().extras.end(), "parameter", "a rational quadratic kernel needs `alpha`.");
    alpha_ = found->second;
    require(std::isfinite(alpha_) && alpha_ > 0, "parameter", "`alpha` must be positive and finite.");
  }

 protected:
  void profile(MatrixView r2) const override {
    const double alpha = alpha_;
    each(r2, [alpha](double t) { return std::exp(-alpha * std::log1p(t / alpha)); });
  }
  double unit_radius(double rho) const override { return std::sqrt(alpha_ * std::expm1(-std::log(rho) / alpha_)); }

 private:
  double alpha_;
};

}  // namespace gpstream

#endif
