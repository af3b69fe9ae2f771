#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "likelihood.h"
#include "normal.h"
#include "normal_mixture.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"
#include "special.h"
#include "student_predictive.h"

namespace gpstream {

double log1p_square(double z) { return std::abs(z) < 1e10 ? std::log1p(z * z) : 2.0 * std::log(std::abs(z)); }

double student_constant(double nu) {
  return log_gamma(0.5 * (nu + 1.0)) - log_gamma(0.5 * nu) - std::log(sqrt_pi) - 0.5 * std::log(nu);
}

StudentPredictive::StudentPredictive(const Latent& at, double phi, double nu)
    : NormalMixturePredictive(at, phi), nu_(nu) {
  const double a = 0.5 * nu, h = 0.25 * std::min(1.0, 1.0 / std::sqrt(a));
  const auto log_density = [&](double L) { return -a * (std::expm1(L) - L); };
  const double left = -(90.0 + 2.0 * (nu + 1.0) * std::log(far)) / nu;  // what an error so far out may need
  double total = 0.0;
  const auto add = [&](double L) {
    nodes_.push_back({log_density(L), phi * std::exp(-L)});
    total += std::exp(log_density(L));
  };
  for (double L = 0.0; log_density(L) > -45.0; L += h) add(L);
  for (double L = -h; L > left; L -= h) add(L);
  for (MixtureNode& node : nodes_) node.log_weight -= std::log(total);
  for (MixtureNode& node : nodes_) node.weight = std::exp(node.log_weight);
}

double StudentPredictive::log_density_of(Index i, double y) const {
  const double r = y - m(i);
  if (std::abs(r) <= far * std::sqrt(s2(i) + phi())) return NormalMixturePredictive::log_density_of(i, y);
  return student_constant(nu_) - 0.5 * std::log(phi()) -
         0.5 * (nu_ + 1.0) * log1p_square(r / std::sqrt(nu_ * phi())) +
         std::log1p(0.5 * (nu_ + 1.0) * (nu_ + 2.0) * (s2(i) / r) / r);
}

namespace {

// Noise with outliers: y = f + sqrt(phi) t, t of Student's distribution with nu degrees of freedom. A bound
// for every f: what a row counts goes down as u = (y - m)^2 + s2 goes up.  [derivation 20]
//   om = (nu + 1) / (nu + u / phi)      ga = om y      q = om y^2
//   c = lp(u) + log(phi) / 2 + om u / (2 phi)
// Of nu a row beyond ten standard deviations says P(|t| > 10), however far it is.
class Student final : public Likelihood {
 public:
  explicit Student(const LikelihoodSpec& spec) : nu_(positive_number(spec, "df", 4.0)) {}

  LikelihoodSpec spec() const override { return {"student", {{"df", nu_}}}; }
  double kappa() const override { return 0.5; }
  double typical_dispersion(double variance) const override { return typical_noise * variance; }
  bool location() const override { return true; }
  bool bounds() const override { return true; }
  std::string refuses(double y, double) const override { return refuses_infinite(y); }
  std::vector<LikelihoodParameter> parameters() const override { return {{"df", nu_, 1.5, 100.0}}; }
  Vector telling(const Responses& rows, const Latent& at, double phi) const override {
    Vector out = Likelihood::telling(rows, at, phi);
    const double beyond = std::log(logit_beta_tails(0.5, 0.5 * nu_, std::log(gross * gross / nu_)).above);
    for (Index i = 0; i < out.size(); ++i) {
      const double error = rows.y(i) - at.mean(i) - entry_of(rows.offset, i, 0.0);
      if (std::abs(error) > gross * std::sqrt(phi + at.variance(i)))
        out(i) = entry_of(rows.weights, i, 1.0) * beyond;
    }
    return out;
  }
  Latent start(const Responses& rows, double phi) const override {
    return start_of(rows, rows.y, Vector::Constant(rows.size(), phi));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double phi) const override {
    return std::make_unique<StudentPredictive>(at, phi, nu_);
  }

 protected:
  // With z^2 = u / (nu phi), so that no y overflows.
  Sites unit_sites(const Responses& rows, const Latent& at, double phi) const override {
    const double constant = student_constant(nu_), unit = std::sqrt(nu_ * phi), half = 0.5 * (nu_ + 1.0);
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double y = rows.y(i), z = std::hypot(y - at.mean(i), std::sqrt(at.variance(i))) / unit;
      const double om = 2.0 * half / nu_ / (1.0 + z * z);
      out(i, site::om) = om;
      out(i, site::ga) = om * y;
      out(i, site::c) = constant + half * (1.0 / (1.0 + 1.0 / (z * z)) - log1p_square(z));
      out(i, site::q) = om * y * y;
      out(i, site::n) = 1.0;
    }
    return out;
  }

 private:
  static constexpr double gross = 10.0;

  double nu_;
};

}  // namespace

LikelihoodPtr make_student(const LikelihoodSpec& spec) { return std::make_shared<Student>(spec); }

}  // namespace gpstream
