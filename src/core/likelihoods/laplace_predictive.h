// f and noise E / a - E' / b, E and E' exponential: the asymmetric Laplace distribution, a = tau / phi
// above and b = (1 - tau) / phi below. With z = y - m and
//   U = exp(-a z + a^2 s2 / 2) Phi(z / s - a s)      V = exp(b z + b^2 s2 / 2) Phi(-z / s - b s)
// density a b / (a + b) (U + V), P(Y <= y) = Phi(z / s) - b / (a + b) U + a / (a + b) V.  [derivation 20]
#ifndef GPSTREAM_LAPLACE_PREDICTIVE_H
#define GPSTREAM_LAPLACE_PREDICTIVE_H

#include "crossing.h"
#include "rowwise.h"

namespace gpstream {

class LaplacePredictive final : public RowwisePredictive {
 public:
  LaplacePredictive(const Latent& at, double phi, double tau)
      : RowwisePredictive(at), a_(tau / phi), b_((1.0 - tau) / phi) {}

 protected:
  double mean_of(Index i) const override { return m(i) + 1.0 / a_ - 1.0 / b_; }
  double variance_of(Index i) const override { return s2(i) + 1.0 / (a_ * a_) + 1.0 / (b_ * b_); }
  double quantile_of(Index i, double p) const override {
    if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
    const double z = normal_score({p, 1.0 - p}), sd = std::sqrt(variance_of(i));
    return m(i) + crossing([&](double x) { return normal_score(tails(parts(i, x))); }, z, z * sd, 0.5 * sd);
  }
  double probability_of(Index i, double y) const override { return tails(parts(i, y - m(i))).below; }
  double log_density_of(Index i, double y) const override {
    const Parts of = parts(i, y - m(i));
    const double more = std::max(of.log_U, of.log_V), less = std::min(of.log_U, of.log_V);
    return std::log(a_ / (a_ + b_) * b_) + more + std::log1p(std::exp(less - more));
  }

  // E|Y - y| - E|Y - Y'| / 2.
  double crps_of(Index i, double y) const override {
    const double z = y - m(i), s = std::sqrt(s2(i));
    const Parts of = parts(i, z);
    const double bump = s > 0 ? s * normal_density(z / s) : 0.0, share = a_ + b_;
    const double above = bump - z * of.above + b_ / share / a_ * (std::exp(of.log_U) + of.above) -
                         a_ / share / b_ * (of.above - std::exp(of.log_V));
    return y - mean_of(i) + 2.0 * above - 0.5 * apart(sqrt_2 * s);
  }

 private:
  struct Parts {
    double below, above, log_U, log_V;  // Phi(z / s), Phi(-z / s)
  };
  Parts parts(Index i, double z) const {
    const double s = std::sqrt(s2(i));
    if (!(s > 0)) {
      const double below = z < 0 ? 0.0 : 1.0;
      return {below, 1.0 - below, z < 0 ? -infinity : -a_ * z, z < 0 ? b_ * z : -infinity};
    }
    const double as = a_ * s, bs = b_ * s, x = z / s;
    return {normal_probability(x), normal_probability(-x), log_product(as, x), log_product(bs, -x)};
  }
  // log of exp(-k x + k^2 / 2) Phi(x - k): where Phi is small, the density of x over a slope, without a
  // difference of large numbers.
  static double log_product(double k, double x) {
    if (x - k < -10.0) return normal_log_density(x) - std::log(log_normal_slopes(x - k).slope);
    return k * (0.5 * k - x) + log_normal_probability(x - k);
  }
  Tails tails(const Parts& of) const {
    const double share = a_ + b_, U = b_ / share * std::exp(of.log_U), V = a_ / share * std::exp(of.log_V);
    const double below = of.below - U + V, above = of.above + U - V;
    return {std::max(below, 0.0), std::max(above, 0.0)};
  }

  // Of noise with both sides of rate k, and a normal variable of standard deviation s: E|.| and its slope
  // in k.
  static std::pair<double, double> away(double k, double s) {
    const double tail = std::exp(log_product(k * s, 0.0));  // e^(t^2 / 2) Phi(-t)
    const double slope = k * s * tail - normal_density(0.0);
    return {2.0 * (s * normal_density(0.0) + tail / k), 2.0 / k * (s * slope - tail / k)};
  }
  // E|Y - Y'|: the difference is normal, of variance 2 s2, and two such noises, of rates a and b; in partial
  // fractions one or the other.
  double apart(double s) const {
    const double off = (b_ - a_) / (b_ + a_), k = 0.5 * (a_ + b_);
    if (std::abs(off) < 1e-5) return away(k, s).first - 0.5 * k * away(k, s).second;
    return (b_ * b_ * away(a_, s).first - a_ * a_ * away(b_, s).first) / (off * (a_ + b_) * (a_ + b_));
  }

  double a_, b_;
};

}  // namespace gpstream

#endif
