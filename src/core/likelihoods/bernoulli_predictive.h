// y is 1 with a probability, otherwise 0.
#ifndef GPSTREAM_BERNOULLI_PREDICTIVE_H
#define GPSTREAM_BERNOULLI_PREDICTIVE_H

#include <algorithm>
#include <cmath>

#include "../linear/types.h"
#include "responses.h"
#include "rowwise.h"

namespace gpstream {

// The logarithms of the probabilities of 0 and of 1: a score must see how improbable the improbable was.
struct LogOdds {
  double no, yes;
};

class BernoulliPredictive final : public RowwisePredictive {
 public:
  // odds(m, s2) of f ~ N(m, s2).
  template <class Odds>
  BernoulliPredictive(const Latent& at, const Odds& odds) : RowwisePredictive(at), no_(rows()), yes_(rows()) {
    for (Index i = 0; i < rows(); ++i) {
      const bool known = !std::isnan(m(i)) && !std::isnan(s2(i));
      const LogOdds of = known ? odds(m(i), s2(i)) : LogOdds{not_a_number, not_a_number};
      no_(i) = std::min(of.no, 0.0);
      yes_(i) = std::min(of.yes, 0.0);
    }
  }

 protected:
  double mean_of(Index i) const override { return std::exp(yes_(i)); }
  double variance_of(Index i) const override { return std::exp(yes_(i) + no_(i)); }
  double quantile_of(Index i, double p) const override { return p > std::exp(no_(i)) ? 1.0 : 0.0; }
  double log_density_of(Index i, double y) const override {
    return y == 1 ? yes_(i) : y == 0 ? no_(i) : -infinity;
  }
  double probability_of(Index i, double y) const override {
    return y < 0 ? 0.0 : y < 1 ? std::exp(no_(i)) : 1.0;
  }
  // The Brier score: that of a distribution on 0 and 1.
  double crps_of(Index i, double y) const override {
    return (y - std::exp(yes_(i))) * (y - std::exp(yes_(i)));
  }

 private:
  Vector no_, yes_;
};

}  // namespace gpstream

#endif
