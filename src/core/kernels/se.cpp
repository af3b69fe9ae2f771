// Squared exponential, in the paper's convention without the factor 1/2: k1 = exp(-r^2).  [GFO21 2.1, App. E]
#include <cmath>
#include <memory>

#include "../linear/types.h"
#include "../linear/vector/each.h"
#include "../linear/vector/functions.h"
#include "../linear/vector/lanes.h"
#include "entries.h"
#include "kernel.h"
#include "stationary.h"

namespace gpstream {

namespace {

class SquaredExponential final : public Stationary {
 public:
  using Stationary::Stationary;

 protected:
  void profile(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS { vector::exp_minus(t); });
  }
  void slope(MatrixView r2) const override {
    in_lanes(r2, [](auto& t) GPSTREAM_ALWAYS {
      vector::exp_minus(t);
      t *= 2.0;
    });
  }
  bool curvature(MatrixView r2) const override {
    each(r2, [](double t) { return 4.0 * std::exp(-t); });
    return true;
  }
  double unit_radius(double rho) const override { return std::sqrt(-std::log(rho)); }
};

}  // namespace

KernelPtr make_se(const KernelSpec& spec) { return std::make_shared<SquaredExponential>(spec); }

}  // namespace gpstream
