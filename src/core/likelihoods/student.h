// Noise with outliers: y = f + sqrt(phi) t, t of Student's distribution with nu degrees of freedom. A bound
// for every f: what a row counts goes down as u = (y - m)^2 + s2 goes up.  [derivation 20]
//   om = (nu + 1) / (nu + u / phi)      ga = om y      q = om y^2
//   c = lp(u) + log(phi) / 2 + om u / (2 phi)
// Of nu a row beyond ten standard deviations says P(|t| > 10), however far it is.
#ifndef GPSTREAM_LIKELIHOODS_STUDENT_H
#define GPSTREAM_LIKELIHOODS_STUDENT_H

#include "parameters.h"
#include "special.h"
#include "student_predictive.h"

namespace gpstream {

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

}  // namespace gpstream

#endif
