// Mixtures of normal distributions about f's mean: f and a noise whose variance is not certain.
// [derivation 20]
#ifndef GPSTREAM_NORMAL_MIXTURE_H
#define GPSTREAM_NORMAL_MIXTURE_H

#include <vector>

#include "crossing.h"
#include "panels.h"
#include "rowwise.h"

namespace gpstream {

// A variance of the noise and its probability.
struct MixtureNode {
  double log_weight, noise, weight = 0.0;
};
using MixtureNodes = std::vector<MixtureNode>;

class NormalMixturePredictive : public RowwisePredictive {
 public:
  NormalMixturePredictive(const Latent& at, double phi) : RowwisePredictive(at), phi_(phi) {}

 protected:
  virtual MixtureNodes nodes(Index i) const = 0;
  virtual double typical_noise(Index) const { return phi_; }
  // Where the mean of |Y| is far above what is usual, or infinite: over how much of log |Y - m| its
  // distribution function is smooth, or infinity where the CRPS is beyond all numbers; otherwise 0.
  virtual double heavy(Index) const { return 0.0; }
  double phi() const { return phi_; }

  double mean_of(Index i) const override { return m(i); }
  double quantile_of(Index i, double p) const override {
    if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
    const MixtureNodes all = nodes(i);
    const double sd = std::sqrt(s2(i) + typical_noise(i)), z = normal_score({p, 1.0 - p});
    return m(i) + crossing([&](double r) { return normal_score(tails(i, all, r)); }, z, z * sd, 0.5 * sd);
  }
  double probability_of(Index i, double y) const override { return tails(i, nodes(i), y - m(i)).below; }
  double log_density_of(Index i, double y) const override {
    const double r = y - m(i);
    const MixtureNodes all = nodes(i);
    const auto part = [&](const MixtureNode& node) {
      const double v = s2(i) + node.noise;
      return node.log_weight - 0.5 * (std::log(v) + r * (r / v));
    };
    double top = -infinity, sum = 0.0;
    for (const MixtureNode& node : all) top = std::max(top, part(node));
    if (!(top > -infinity)) return -infinity;
    for (const MixtureNode& node : all) sum += std::exp(part(node) - top);
    return top + std::log(sum) - log_sqrt_2_pi;
  }

  // E|Y - y| - E|Y - Y'| / 2.
  double crps_of(Index i, double y) const override {
    if (heavy(i) > 0) return std::isinf(heavy(i)) ? infinity : heavy_crps(i, y);
    double away = 0.0, apart = 0.0;
    MixtureNodes some;
    for (const MixtureNode& node : nodes(i))
      if (node.weight * std::sqrt(1.0 + node.noise / typical_noise(i)) > 1e-14) some.push_back(node);
    for (const MixtureNode& node : some) {
      const double sd = std::sqrt(s2(i) + node.noise), r = std::abs(y - m(i)), z = r / sd;
      away += node.weight * (r - 2.0 * r * normal_probability(-z) + 2.0 * sd * normal_density(z));
      for (const MixtureNode& other : some)
        apart += node.weight * other.weight * std::sqrt(2.0 * s2(i) + node.noise + other.noise);
    }
    return away - apart / sqrt_2_pi;
  }

 private:
  // With Q = 1 - F, which is as large on both sides of the middle, and z = |y - m|: the integrals of Q^2 over
  // r > 0, of (1 - Q)^2 up to z and of Q^2 beyond, all over log r.
  double heavy_crps(Index i, double y) const {
    const MixtureNodes all = nodes(i);
    const double unit = 0.5 * std::log(s2(i) + typical_noise(i)), least = unit - 45.0, z = std::abs(y - m(i));
    const double width = heavy(i);
    const auto above = [&](double x) { return tails(i, all, std::exp(x)).above; };
    const auto beyond = [&](double from) {
      double sum = 0.0;
      for (double x = from; x < 709.0; x += 5.0) {
        const double more = squared_tail(x, std::min(x + 5.0, 709.0), width, above);
        sum += more;
        if (x > unit && more <= 1e-12 * sum) return sum;
      }
      return infinity;
    };
    const double at = std::max(std::log(z), least);
    const double right = beyond(least);
    if (std::isinf(right)) return right;
    return right + beyond(at) + squared_tail(least, at, width, [&](double x) { return 1.0 - above(x); });
  }

  Tails tails(Index i, const MixtureNodes& all, double r) const {
    Tails out{0.0, 0.0};
    for (const MixtureNode& node : all)
      out.below += node.weight * normal_probability(-std::abs(r) / std::sqrt(s2(i) + node.noise));
    out.above = 1.0 - out.below;
    return r < 0 ? out : Tails{out.above, out.below};
  }

  double phi_;
};

}  // namespace gpstream

#endif
