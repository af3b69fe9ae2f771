#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "../evidence/site.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "crossing.h"
#include "laplace_predictive.h"
#include "likelihood.h"
#include "normal.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"
#include "special.h"

namespace gpstream {

double LaplacePredictive::quantile_of(Index i, double p) const {
  if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
  const double z = normal_score({p, 1.0 - p}), sd = std::sqrt(variance_of(i));
  return m(i) + crossing([&](double x) { return normal_score(tails(parts(i, x))); }, z, z * sd, 0.5 * sd);
}

double LaplacePredictive::log_density_of(Index i, double y) const {
  const Parts of = parts(i, y - m(i));
  const double more = std::max(of.log_U, of.log_V), less = std::min(of.log_U, of.log_V);
  return std::log(a_ / (a_ + b_) * b_) + more + std::log1p(std::exp(less - more));
}

double LaplacePredictive::crps_of(Index i, double y) const {
  const double z = y - m(i), s = std::sqrt(s2(i));
  const Parts of = parts(i, z);
  const double bump = s > 0 ? s * normal_density(z / s) : 0.0, share = a_ + b_;
  const double above = bump - z * of.above + b_ / share / a_ * (std::exp(of.log_U) + of.above) -
                       a_ / share / b_ * (of.above - std::exp(of.log_V));
  return y - mean_of(i) + 2.0 * above - 0.5 * apart(sqrt_2 * s);
}

LaplacePredictive::Parts LaplacePredictive::parts(Index i, double z) const {
  const double s = std::sqrt(s2(i));
  if (!(s > 0)) {
    const double below = z < 0 ? 0.0 : 1.0;
    return {below, 1.0 - below, z < 0 ? -infinity : -a_ * z, z < 0 ? b_ * z : -infinity};
  }
  const double as = a_ * s, bs = b_ * s, x = z / s;
  return {normal_probability(x), normal_probability(-x), log_product(as, x), log_product(bs, -x)};
}

double LaplacePredictive::log_product(double k, double x) {
  if (x - k < -10.0) return normal_log_density(x) - std::log(log_normal_slopes(x - k).slope);
  return k * (0.5 * k - x) + log_normal_probability(x - k);
}

Tails LaplacePredictive::tails(const Parts& of) const {
  const double share = a_ + b_, U = b_ / share * std::exp(of.log_U), V = a_ / share * std::exp(of.log_V);
  const double below = of.below - U + V, above = of.above + U - V;
  return {std::max(below, 0.0), std::max(above, 0.0)};
}

std::pair<double, double> LaplacePredictive::away(double k, double s) {
  const double tail = std::exp(log_product(k * s, 0.0));  // e^(t^2 / 2) Phi(-t)
  const double slope = k * s * tail - normal_density(0.0);
  return {2.0 * (s * normal_density(0.0) + tail / k), 2.0 / k * (s * slope - tail / k)};
}

double LaplacePredictive::apart(double s) const {
  const double off = (b_ - a_) / (b_ + a_), k = 0.5 * (a_ + b_);
  if (std::abs(off) < 1e-5) return away(k, s).first - 0.5 * k * away(k, s).second;
  return (b_ * b_ * away(a_, s).first - a_ * a_ * away(b_, s).first) / (off * (a_ + b_) * (a_ + b_));
}

namespace {

// The quantile tau of y: the asymmetric Laplace distribution, whose log density is minus the absolute error,
// weighed by tau above and 1 - tau below; tau = 1/2 is the Laplace distribution and its median. A bound for
// every f, |x| <= x^2 / (2 eta) + eta / 2, at eta = sqrt((y - m)^2 + s2).  [derivation 20]
//   om = 1 / (2 eta)      ga = om y + (2 tau - 1) / 2      q = om y^2 + eta / 2 + (2 tau - 1) y
//   c = log(tau (1 - tau))
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

}  // namespace

LikelihoodPtr make_laplace(const LikelihoodSpec&) { return std::make_shared<Laplace>(); }

LikelihoodPtr make_quantile(const LikelihoodSpec& spec) { return std::make_shared<Quantile>(spec); }

}  // namespace gpstream
