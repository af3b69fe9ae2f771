// Amounts and waiting times: Y = (e^f G / b)^(1 / r), G ~ Gamma(a), so that
// P(Y <= y) = P(log G <= r log y + log b - f).  [derivation 20]
#ifndef GPSTREAM_POSITIVE_PREDICTIVE_H
#define GPSTREAM_POSITIVE_PREDICTIVE_H

#include <cmath>

#include "../linear/types.h"
#include "responses.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

class PositivePredictive final : public RowwisePredictive {
 public:
  PositivePredictive(const Latent& at, double a, double b, double r);

 protected:
  double mean_of(Index i) const override { return std::exp(log_mean_of(i)); }
  // E Y^2 over (E Y)^2, less 1.
  double variance_of(Index i) const override;
  double quantile_of(Index i, double p) const override;
  double probability_of(Index i, double y) const override {
    return y <= 0 ? 0.0 : tails(i, std::log(y)).below;
  }
  double log_density_of(Index i, double y) const override;
  // E|Y - y| - E|Y - Y'| / 2 = y (2 F - 1) + 2 E(Y) (P(Y* <= Y') - P(Y* <= y)), where Y* comes in
  // proportion to its size: a grows by 1 / r, the mean of f by s2 / r. The difference of the logarithms of
  // two gamma variables is the logit of a beta variable.
  double crps_of(Index i, double y) const override;

 private:
  double log_mean_of(Index i) const { return log_mean_ + m(i) / r_ + 0.5 * s2(i) / (r_ * r_); }

  // The integral of F^2 up to y and of (1 - F)^2 from there on, where the mean may be beyond all numbers. The
  // largest terms are about e^(mean + variance / 4) of log y.
  double heavy_crps(Index i, double y) const;

  double log_quantile(Index i, double p) const;
  Tails tails(Index i, double log_y) const;
  double a_, log_b_, r_, log_gamma_, log_mean_, log_ratio_;
};

}  // namespace gpstream

#endif
