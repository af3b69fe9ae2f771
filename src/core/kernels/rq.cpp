// Rational quadratic: k1 = (1 + r^2 / alpha)^(-alpha), the squared exponential as alpha -> infinity.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "../linear/types.h"
#include "../linear/vector/functions.h"
#include "../linear/vector/lanes.h"
#include "entries.h"
#include "kernel.h"
#include "stationary.h"

namespace gpstream {

namespace {

class RationalQuadratic final : public Stationary {
 public:
  explicit RationalQuadratic(KernelSpec spec)
      : Stationary(std::move(spec), {{"alpha", 1e-2, 1e3}}),
        alpha_(extra("alpha")),
        inverse_(std::min(1.0 / alpha_, std::numeric_limits<double>::max())) {}

 protected:
  void profile(MatrixView r2) const override { power(r2, alpha_, 1.0); }
  void slope(MatrixView r2) const override { power(r2, alpha_ + 1.0, 2.0); }

  bool curvature(MatrixView r2) const override {
    power(r2, alpha_ + 2.0, 4.0 * (alpha_ + 1.0) * inverse_);
    return true;
  }

  // dk1/dlog alpha = k1 (r^2 / B - alpha log B),  B = 1 + r^2 / alpha
  void pull_extras(const Matrix& r2, const ConstMatrixView& bar, VectorView gradient) const override {
    const double alpha = alpha_, inverse = inverse_;
    Matrix by = r2;
    in_lanes(by, [alpha, inverse](auto& t) GPSTREAM_ALWAYS {
      t *= inverse;
      vector::cap(t, 1e300);
      auto b = t;
      vector::log_one_plus(b);
      b *= alpha;
      t = alpha * t / (1.0 + t) - b;
      vector::exp_minus(b);
      t *= b;
    });
    gradient(0) += by.cwiseProduct(bar).sum();
  }
  double unit_radius(double rho) const override {
    return std::sqrt(alpha_ * std::expm1(-std::log(rho) / alpha_));
  }

 private:
  // r2 <- by (1 + r2 / alpha)^-exponent
  void power(MatrixView r2, double exponent, double by) const {
    const double inverse = inverse_;
    if (exponent == 1.0) {  // and so is alpha: as by default, without a logarithm
      in_lanes(r2, [by](auto& t) GPSTREAM_ALWAYS { t = by / (1.0 + t); });
    } else if (exponent == 2.0 && alpha_ == 1.0) {
      in_lanes(r2, [by](auto& t) GPSTREAM_ALWAYS { t = by / ((1.0 + t) * (1.0 + t)); });
    } else {
      in_lanes(r2, [inverse, exponent, by](auto& t) GPSTREAM_ALWAYS {
        t *= inverse;
        vector::cap(t, 1e300);
        vector::log_one_plus(t);
        t *= exponent;
        vector::exp_minus(t);
        t *= by;
      });
    }
  }

  double alpha_, inverse_;  // the latter finite: equal rows have distance 0 whatever alpha
};

}  // namespace

KernelPtr make_rq(const KernelSpec& spec) { return std::make_shared<RationalQuadratic>(spec); }

}  // namespace gpstream
