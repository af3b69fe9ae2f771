// Matern kernels with smoothness 1/2, 3/2 and 5/2:
//   k1 = exp(-r),   (1 + s) exp(-s) with s = sqrt(3) r,   (1 + s + s^2/3) exp(-s) with s = sqrt(5) r.
#include <algorithm>
#include <cmath>
#include <memory>

#include "../linear/types.h"
#include "../linear/vector/each.h"
#include "../linear/vector/functions.h"
#include "../linear/vector/lanes.h"
#include "../read/adjoint.h"
#include "entries.h"
#include "kernel.h"
#include "stationary.h"

namespace gpstream {

namespace {

class Matern12 final : public Stationary {
 public:
  using Stationary::Stationary;

 protected:
  void profile(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      vector::root(t);
      vector::exp_minus(t);
    });
  }
  // The kernel has a kink at distance 0; its slope there counts as 0.
  void slope(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      auto r = t;
      vector::root(r);
      auto k = r;
      vector::exp_minus(k);
      k /= r;
      vector::keep_where_positive(k, t);
      t = k;
    });
  }
  double unit_radius(double rho) const override { return -std::log(rho); }
};

// The s > 0 where the decreasing, concave function log_profile falls to log(rho): Newton from the right of
// the root comes down to it without overshooting.
template <class Value, class Slope>
double newton_radius(double rho, Value log_profile, Slope slope) {
  const double target = std::log(rho);
  double s = 2.0 - 2.0 * target + 2.0 * std::sqrt(-2.0 * target);
  for (int i = 0; i < 200; ++i) {
    const double step = (log_profile(s) - target) / slope(s);
    if (!(std::abs(step) > 1e-16 * s)) break;
    s = std::max(s - step, 0.25 * s);
  }
  return s;
}

class Matern32 final : public Stationary {
 public:
  using Stationary::Stationary;

 protected:
  void profile(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      t *= 3.0;
      vector::root(t);
      auto s = t;
      vector::exp_minus(t);
      t *= 1.0 + s;
    });
  }
  void slope(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      t *= 3.0;
      vector::root(t);
      vector::exp_minus(t);
      t *= 3.0;
    });
  }
  bool curvature(MatrixView r2) const override {
    each(r2, [](double t) { return t > 0 ? 9.0 * std::exp(-std::sqrt(3.0 * t)) / std::sqrt(3.0 * t) : 0.0; });
    return true;
  }
  double unit_radius(double rho) const override {
    return newton_radius(
               rho, [](double s) { return std::log1p(s) - s; }, [](double s) { return -s / (1.0 + s); }) /
           std::sqrt(3.0);
  }
};

class Matern52 final : public Stationary {
 public:
  using Stationary::Stationary;

 protected:
  void profile(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      t *= 5.0;
      vector::root(t);
      auto s = t;
      vector::exp_minus(t);
      t *= 1.0 + s + s * s * (1.0 / 3.0);
    });
  }
  void slope(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      t *= 5.0;
      vector::root(t);
      auto s = t;
      vector::exp_minus(t);
      t *= 5.0 / 3.0 * (1.0 + s);
    });
  }
  bool curvature(MatrixView r2) const override {
    each(r2, [](double t) { return 25.0 / 3.0 * std::exp(-std::sqrt(5.0 * t)); });
    return true;
  }
  double unit_radius(double rho) const override {
    return newton_radius(
               rho, [](double s) { return std::log1p(s + s * s / 3.0) - s; },
               [](double s) { return -s * (1.0 + s) / (3.0 + 3.0 * s + s * s); }) /
           std::sqrt(5.0);
  }
};

}  // namespace

KernelPtr make_matern12(const KernelSpec& spec) { return std::make_shared<Matern12>(spec); }

KernelPtr make_matern32(const KernelSpec& spec) { return std::make_shared<Matern32>(spec); }

KernelPtr make_matern52(const KernelSpec& spec) { return std::make_shared<Matern52>(spec); }

}  // namespace gpstream
