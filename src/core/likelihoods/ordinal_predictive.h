// Classes in an order.
#ifndef GPSTREAM_ORDINAL_PREDICTIVE_H
#define GPSTREAM_ORDINAL_PREDICTIVE_H

#include <vector>

#include "between.h"
#include "classes_predictive.h"

namespace gpstream {

class OrdinalPredictive final : public ClassesPredictive {
 public:
  // cuts: with -infinity before and infinity behind. Where a class is improbable, a sum of its own has its
  // digits.
  OrdinalPredictive(const Latent& at, const std::vector<double>& cuts) : ClassesPredictive(at) {
    const Index K = static_cast<Index>(cuts.size()) - 1;
    log_.resize(rows(), K);
    below_.resize(rows(), K);
    for (Index i = 0; i < rows(); ++i) {
      if (std::isnan(m(i)) || std::isnan(s2(i))) continue;
      for (Index j = 0; j < K; ++j) {
        below_(i, j) = j + 1 < K ? logistic_moments(cuts[j + 1] - m(i), s2(i)).sigmoid : 1.0;
        const double p = below_(i, j) - (j > 0 ? below_(i, j - 1) : 0.0);
        log_(i, j) =
            p > 1e-3 ? std::log(p) : log_expectation(BetweenShape{cuts[j], cuts[j + 1]}, m(i), s2(i));
      }
    }
  }

 protected:
  // The ranked probability score: the sum of (F(k) - 1[k >= y])^2.
  double crps_of(Index i, double y) const override {
    double sum = 0.0;
    for (Index j = 0; j < below_.cols(); ++j) {
      const double off = below_(i, j) - (static_cast<double>(j + 1) >= y ? 1.0 : 0.0);
      sum += off * off;
    }
    return sum;
  }
};

}  // namespace gpstream

#endif
