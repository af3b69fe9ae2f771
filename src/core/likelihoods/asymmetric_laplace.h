// The quantile tau of y: the asymmetric Laplace distribution, whose log density is minus the absolute error,
// weighed by tau above and 1 - tau below; tau = 1/2 is the Laplace distribution and its median. A bound for
// every f, |x| <= x^2 / (2 eta) + eta / 2, at eta = sqrt((y - m)^2 + s2).  [derivation 20]
//   om = 1 / (2 eta)      ga = om y + (2 tau - 1) / 2      q = om y^2 + eta / 2 + (2 tau - 1) y
//   c = log(tau (1 - tau))
#ifndef GPSTREAM_LIKELIHOODS_ASYMMETRIC_LAPLACE_H
#define GPSTREAM_LIKELIHOODS_ASYMMETRIC_LAPLACE_H

#include "laplace_predictive.h"
#include "parameters.h"

namespace gpstream {

class Quantile : public Likelihood {
 public:
  explicit Quantile(const LikelihoodSpec& spec) : tau_(number_of(spec, "tau", 0.5)) {
    require(tau_ > 0 && tau_ < 1, "parameter", "`tau` must be a number between 0 and 1 (exclusive).");
  }

  LikelihoodSpec spec() const override { return {"quantile", {{"tau", tau_}}}; }
  double kappa() const override { return 1.0; }
  double typical_dispersion(double variance) const override {
    return std::sqrt(typical_noise * variance / noise_variance(1.0));
  }
  // phi has the unit of y.
  double noise_variance(double phi) const override {
    return phi * phi * (1.0 / (tau_ * tau_) + 1.0 / ((1.0 - tau_) * (1.0 - tau_)));
  }
  bool location() const override { return true; }
  bool bounds() const override { return true; }
  std::string refuses(double y, double) const override { return refuses_infinite(y); }
  Latent start(const Responses& rows, double phi) const override {
    return start_of(rows, rows.y, Vector::Constant(rows.size(), phi * phi));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double phi) const override {
    return std::make_unique<LaplacePredictive>(at, phi, tau_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double constant = std::log(tau_ * (1.0 - tau_)), t = 2.0 * tau_ - 1.0;
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double y = rows.y(i),
                   eta = std::max(std::hypot(y - at.mean(i), std::sqrt(at.variance(i))), 1e-150);
      const double om = 0.5 / eta;
      out.row(i) << om, om * y + 0.5 * t, constant, om * y * y + 0.5 * eta + t * y, 1.0;
    }
    return out;
  }

 private:
  double tau_;
};

class Laplace final : public Quantile {
 public:
  Laplace() : Quantile(LikelihoodSpec{"quantile"}) {}
  LikelihoodSpec spec() const override { return {"laplace"}; }
};

}  // namespace gpstream

#endif
