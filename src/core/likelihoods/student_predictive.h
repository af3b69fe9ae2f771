// f and noise of Student's t with nu degrees of freedom: a normal distribution whose variance is
// s2 + phi / W, W ~ Gamma(nu / 2, nu / 2). The sum over log W by the trapezoidal rule is a mixture of normal
// distributions with the same weights in all rows.  [derivation 20]
#ifndef GPSTREAM_STUDENT_PREDICTIVE_H
#define GPSTREAM_STUDENT_PREDICTIVE_H

#include <vector>

#include "crossing.h"
#include "rowwise.h"

namespace gpstream {

// log(1 + z^2) of any z.
inline double log1p_square(double z) {
  return std::abs(z) < 1e10 ? std::log1p(z * z) : 2.0 * std::log(std::abs(z));
}
// log Gamma((nu + 1) / 2) - log Gamma(nu / 2) - log(pi nu) / 2
inline double student_constant(double nu) {
  return log_gamma(0.5 * (nu + 1.0)) - log_gamma(0.5 * nu) - std::log(sqrt_pi) - 0.5 * std::log(nu);
}

class StudentPredictive final : public RowwisePredictive {
 public:
  StudentPredictive(const Latent& at, double phi, double nu) : RowwisePredictive(at), phi_(phi), nu_(nu) {
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
    for (Node& node : nodes_) node.log_weight -= std::log(total);
    for (Node& node : nodes_) node.weight = std::exp(node.log_weight);
  }

 protected:
  double mean_of(Index i) const override { return m(i); }
  double variance_of(Index i) const override { return nu_ > 2 ? s2(i) + phi_ * nu_ / (nu_ - 2.0) : infinity; }
  double quantile_of(Index i, double p) const override {
    if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
    const double sd = std::sqrt(s2(i) + phi_), z = normal_score({p, 1.0 - p});
    return m(i) + crossing([&](double r) { return normal_score(tails(i, r)); }, z, z * sd, 0.5 * sd);
  }
  double probability_of(Index i, double y) const override { return tails(i, y - m(i)).below; }

  // So far out that f only adds a trifle, E p(r - f) = p(r) + s2 p''(r) / 2.
  double log_density_of(Index i, double y) const override {
    const double r = y - m(i);
    if (std::abs(r) > far * std::sqrt(s2(i) + phi_))
      return student_constant(nu_) - 0.5 * std::log(phi_) -
             0.5 * (nu_ + 1.0) * log1p_square(r / std::sqrt(nu_ * phi_)) +
             std::log1p(0.5 * (nu_ + 1.0) * (nu_ + 2.0) * (s2(i) / r) / r);
    const auto part = [&](const Node& node) {
      const double v = s2(i) + node.noise;
      return node.log_weight - 0.5 * (std::log(v) + r * r / v);
    };
    double top = -infinity, sum = 0.0;
    for (const Node& node : nodes_) top = std::max(top, part(node));
    for (const Node& node : nodes_) sum += std::exp(part(node) - top);
    return top + std::log(sum) - log_sqrt_2_pi;
  }

  // E|Y - y| - E|Y - Y'| / 2, of a mixture.
  double crps_of(Index i, double y) const override {
    double away = 0.0, apart = 0.0;
    std::vector<Node> some;
    for (const Node& node : nodes_)
      if (node.weight * std::sqrt(1.0 + node.noise / phi_) > 1e-14) some.push_back(node);
    for (const Node& node : some) {
      const double sd = std::sqrt(s2(i) + node.noise), r = std::abs(y - m(i)), z = r / sd;
      away += node.weight * (r - 2.0 * r * normal_probability(-z) + 2.0 * sd * normal_density(z));
      for (const Node& other : some)
        apart += node.weight * other.weight * std::sqrt(2.0 * s2(i) + node.noise + other.noise);
    }
    return away - apart / sqrt_2_pi;
  }

 private:
  static constexpr double far = 1e4;  // in standard deviations
  struct Node {
    double log_weight, noise, weight = 0.0;
  };

  Tails tails(Index i, double r) const {
    Tails out{0.0, 0.0};
    for (const Node& node : nodes_) {
      const double tail = normal_probability(-std::abs(r) / std::sqrt(s2(i) + node.noise));
      out.below += node.weight * tail;
    }
    out.above = 1.0 - out.below;
    return r < 0 ? out : Tails{out.above, out.below};
  }

  double phi_, nu_;
  std::vector<Node> nodes_;
};

}  // namespace gpstream

#endif
