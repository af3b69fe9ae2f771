// f and noise of Student's t with nu degrees of freedom: a normal distribution whose variance is
// s2 + phi / W, W ~ Gamma(nu / 2, nu / 2). The sum over log W by the trapezoidal rule is a mixture of normal
// distributions with the same weights in all rows.  [derivation 20]
#ifndef GPSTREAM_STUDENT_PREDICTIVE_H
#define GPSTREAM_STUDENT_PREDICTIVE_H

#include "normal_mixture.h"

namespace gpstream {

// log(1 + z^2) of any z.
inline double log1p_square(double z) {
  return std::abs(z) < 1e10 ? std::log1p(z * z) : 2.0 * std::log(std::abs(z));
}
// log Gamma((nu + 1) / 2) - log Gamma(nu / 2) - log(pi nu) / 2
inline double student_constant(double nu) {
  return log_gamma(0.5 * (nu + 1.0)) - log_gamma(0.5 * nu) - std::log(sqrt_pi) - 0.5 * std::log(nu);
}

class StudentPredictive final : public NormalMixturePredictive {
 public:
  StudentPredictive(const Latent& at, double phi, double nu) : NormalMixturePredictive(at, phi), nu_(nu) {
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

 protected:
  MixtureNodes nodes(Index) const override { return nodes_; }
  double heavy(Index) const override { return nu_ < 1.3 ? 0.5 : 0.0; }
  double variance_of(Index i) const override {
    return nu_ > 2 ? s2(i) + phi() * nu_ / (nu_ - 2.0) : infinity;
  }

  // So far out that f only adds a trifle, E p(r - f) = p(r) + s2 p''(r) / 2.
  double log_density_of(Index i, double y) const override {
    const double r = y - m(i);
    if (std::abs(r) <= far * std::sqrt(s2(i) + phi())) return NormalMixturePredictive::log_density_of(i, y);
    return student_constant(nu_) - 0.5 * std::log(phi()) -
           0.5 * (nu_ + 1.0) * log1p_square(r / std::sqrt(nu_ * phi())) +
           std::log1p(0.5 * (nu_ + 1.0) * (nu_ + 2.0) * (s2(i) / r) / r);
  }

 private:
  static constexpr double far = 1e4;  // in standard deviations

  double nu_;
  MixtureNodes nodes_;
};

}  // namespace gpstream

#endif
