// Amounts and waiting times: Y = (e^f G / b)^(1 / r), G ~ Gamma(a), so that
// P(Y <= y) = P(log G <= r log y + log b - f).  [derivation 20]
#ifndef GPSTREAM_POSITIVE_PREDICTIVE_H
#define GPSTREAM_POSITIVE_PREDICTIVE_H

#include "crossing.h"
#include "log_concave.h"
#include "panels.h"
#include "parameters.h"
#include "rowwise.h"

namespace gpstream {

class PositivePredictive final : public RowwisePredictive {
 public:
  PositivePredictive(const Latent& at, double a, double b, double r)
      : RowwisePredictive(at), a_(a), log_b_(std::log(b)), r_(r), log_gamma_(log_gamma(a)) {
    const double up = log_gamma(a + 1.0 / r);
    log_mean_ = up - log_gamma_ - log_b_ / r;
    log_ratio_ = log_gamma(a + 2.0 / r) - 2.0 * up + log_gamma_;
  }

 protected:
  double mean_of(Index i) const override { return std::exp(log_mean_of(i)); }
  // E Y^2 over (E Y)^2, less 1.
  double variance_of(Index i) const override {
    return std::exp(2.0 * log_mean_of(i) + log_expm1(std::max(log_ratio_ + s2(i) / (r_ * r_), 0.0)));
  }
  double quantile_of(Index i, double p) const override {
    if (p == 0 || p == 1) return p == 0 ? 0.0 : infinity;
    return std::exp(log_quantile(i, p));
  }
  double probability_of(Index i, double y) const override {
    return y <= 0 ? 0.0 : tails(i, std::log(y)).below;
  }
  double log_density_of(Index i, double y) const override {
    if (!(y > 0)) return -infinity;
    const double log_y = std::log(y);
    return log_expectation_below(ExpShape{a_}, r_ * log_y + log_b_ - m(i), s2(i)) + log_most_likely(a_) +
           std::log(a_ * r_) - log_y;
  }
  // E|Y - y| - E|Y - Y'| / 2 = y (2 F - 1) + 2 E(Y) (P(Y* <= Y') - P(Y* <= y)), where Y* comes in
  // proportion to its size: a grows by 1 / r, the mean of f by s2 / r. The difference of the logarithms of
  // two gamma variables is the logit of a beta variable.
  double crps_of(Index i, double y) const override {
    if (s2(i) > 25.0 * r_ * r_) return heavy_crps(i, y);
    const double shift = s2(i) / r_, more = a_ + 1.0 / r_;
    const double ahead = tails_at_normal(LogitShape{more, more + a_}, -shift, 2.0 * s2(i)).below;
    if (!(y > 0)) return 2.0 * mean_of(i) * ahead - y;
    const Tails at = tails(i, std::log(y));
    const double x = r_ * std::log(y) + log_b_ - m(i) - shift;
    const double biased = tails_at_normal(ExpShape{more}, x, s2(i)).below;
    return y * (at.below - at.above) + 2.0 * mean_of(i) * (ahead - biased);
  }

 private:
  double log_mean_of(Index i) const { return log_mean_ + m(i) / r_ + 0.5 * s2(i) / (r_ * r_); }

  // The integral of F^2 up to y and of (1 - F)^2 from there on, where the mean may be beyond all numbers. The
  // largest terms are about e^(mean + variance / 4) of log y.
  double heavy_crps(Index i, double y) const {
    const double s2_of_log = s2(i) / (r_ * r_), s = std::sqrt(s2_of_log);
    if (m(i) / r_ + 0.25 * s2_of_log > 800.0) return infinity;
    const double none = 1e-9, low = log_quantile(i, none), width = std::min(0.5 * s, 2.0);
    const double top = log_quantile(i, 1.0 - none) + 0.5 * s2_of_log + 2.0 * s,
                 at = y > 0 ? std::log(y) : -infinity;
    return (at < low ? std::exp(low) - y : std::max(y - std::exp(top), 0.0)) +
           squared_tail(low, std::min(at, top), width, [&](double x) { return tails(i, x).below; }) +
           squared_tail(std::max(at, low), top, width, [&](double x) { return tails(i, x).above; });
  }

  double log_quantile(Index i, double p) const {
    const double z = normal_score({p, 1.0 - p}), sd = std::sqrt(s2(i) + 1.0 / a_) / r_;
    const double start = (m(i) + std::log(a_) - log_b_) / r_ + z * sd;
    return crossing([&](double x) { return normal_score(tails(i, x)); }, z, start, 0.5 * sd);
  }
  Tails tails(Index i, double log_y) const {
    return tails_at_normal(ExpShape{a_}, r_ * log_y + log_b_ - m(i), s2(i));
  }
  double a_, log_b_, r_, log_gamma_, log_mean_, log_ratio_;
};

}  // namespace gpstream

#endif
