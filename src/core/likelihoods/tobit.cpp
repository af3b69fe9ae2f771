// Gaussian noise of variance v, where some values are known only to lie beyond y: the second number of a
// row is 0 (seen), 1 (the value is y or more) or -1 (y or less). v is inside the sites, so it is a
// parameter and not a dispersion. Beyond is a probit at x = d (f - y) / sqrt(v).  [derivation 20]
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "likelihood.h"
#include "normal.h"
#include "parameters.h"
#include "predictive.h"
#include "probit.h"
#include "responses.h"

namespace gpstream {

namespace {

class Tobit final : public Likelihood {
 public:
  explicit Tobit(const LikelihoodSpec& spec) : noise_(positive_number(spec, "noise", 1.0)) {}

  LikelihoodSpec spec() const override { return {"tobit", {{"noise", noise_}}}; }
  bool location() const override { return true; }
  bool pairs() const override { return true; }
  std::string refuses(double y, double beyond) const override {
    if (beyond != 0 && beyond != 1 && beyond != -1)
      return "must be marked 0 (seen), 1 (or more) or -1 (or less)";
    return refuses_infinite(y);
  }
  double noise_variance(double) const override { return noise_; }
  std::vector<LikelihoodParameter> parameters() const override {
    return {{"noise", noise_, std::numeric_limits<double>::min(), std::numeric_limits<double>::max()}};
  }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, rows.y, Vector::Constant(rows.size(), noise_));
  }
  // Of the value itself, seen or not.
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<GaussianPredictive>(at.mean, at.variance, noise_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double sd = std::sqrt(noise_), constant = -log_sqrt_2_pi - std::log(sd);
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double y = rows.y(i), d = entry_of(rows.more, i, 0.0), m = at.mean(i), s2 = at.variance(i);
      if (d == 0) {  // that of the Gaussian, about y
        out.row(i) << 1.0 / noise_, y / noise_, constant, y * y / noise_, 1.0;
      } else {
        const LogNormalProbability of = expected_log_normal(d * (m - y) / sd, s2 / noise_);
        const double p = of.curvature / noise_;
        put(out, i, of.value, d / sd * of.slope + p * m, p, m, s2);
      }
    }
    return out;
  }

 private:
  double noise_;
};

}  // namespace

LikelihoodPtr make_tobit(const LikelihoodSpec& spec) { return std::make_shared<Tobit>(spec); }

}  // namespace gpstream
