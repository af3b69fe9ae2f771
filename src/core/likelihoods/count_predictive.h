// Predictive distributions of counts, 0, 1, 2, ... without end. What is larger than whole numbers are told
// apart goes by its logarithm, and may be larger than numbers are.
#ifndef GPSTREAM_COUNT_PREDICTIVE_H
#define GPSTREAM_COUNT_PREDICTIVE_H

#include <cmath>

#include "../linear/types.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

class CountPredictive : public RowwisePredictive {
 public:
  using RowwisePredictive::RowwisePredictive;

 protected:
  // P(Y <= k) and P(Y > k), k >= 0; between whole numbers too, and smooth.
  virtual Tails tails(Index i, double k) const = 0;
  // The same where k has no spread of its own any more, of log k.
  virtual Tails large_tails(Index i, double log_k) const = 0;
  // The variance of log Y given f, where Y is large.
  virtual double noise(Index i) const = 0;

  double quantile_of(Index i, double p) const override;
  double probability_of(Index i, double y) const override;
  // The integral of (F(t) - 1[t >= y])^2: of F^2 below y and of (1 - F)^2 from there on. Neither is a
  // difference of expectations, of which a heavy tail would leave no digits. The largest terms are about e^(m
  // + s2 / 4).
  double crps_of(Index i, double y) const override;

 private:
  static constexpr double log_whole = 34.0;  // below 2^53

  Tails at_log(Index i, double x) const { return x < 700.0 ? tails(i, std::exp(x)) : large_tails(i, x); }
  double log_sd(Index i, double x) const { return std::sqrt(s2(i) + noise(i) + std::exp(-x)); }

  // log of a number between whole ones with probability p not to be exceeded; of 0 and 1 where these have it.
  double log_quantile(Index i, double p) const;
};

}  // namespace gpstream

#endif
