// Classes 1, 2, ..., K with a probability each.
#ifndef GPSTREAM_ORDINAL_PREDICTIVE_H
#define GPSTREAM_ORDINAL_PREDICTIVE_H

#include <vector>

#include "between.h"
#include "rowwise.h"

namespace gpstream {

class OrdinalPredictive final : public RowwisePredictive {
 public:
  // cuts: with -infinity before and infinity behind. Where a class is improbable, a sum of its own has its
  // digits.
  OrdinalPredictive(const Latent& at, const std::vector<double>& cuts) : RowwisePredictive(at) {
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
  double mean_of(Index i) const override {
    return moment(i, [](double y) { return y; });
  }
  double variance_of(Index i) const override {
    const double mean = mean_of(i);
    return moment(i, [&](double y) { return (y - mean) * (y - mean); });
  }
  double quantile_of(Index i, double p) const override {
    Index j = 0;
    while (below_(i, j) < p) ++j;
    return static_cast<double>(j + 1);
  }
  double log_density_of(Index i, double y) const override {
    const bool one = y >= 1 && y <= static_cast<double>(log_.cols()) && y == std::floor(y);
    return one ? log_(i, static_cast<Index>(y) - 1) : -infinity;
  }
  double probability_of(Index i, double y) const override {
    if (y < 1) return 0.0;
    return y >= static_cast<double>(below_.cols()) ? 1.0 : below_(i, static_cast<Index>(y) - 1);
  }
  // The ranked probability score: the sum of (F(k) - 1[k >= y])^2.
  double crps_of(Index i, double y) const override {
    double sum = 0.0;
    for (Index j = 0; j < below_.cols(); ++j) {
      const double off = below_(i, j) - (static_cast<double>(j + 1) >= y ? 1.0 : 0.0);
      sum += off * off;
    }
    return sum;
  }

 private:
  template <class Function>
  double moment(Index i, const Function& of) const {
    double sum = 0.0;
    for (Index j = 0; j < log_.cols(); ++j) sum += std::exp(log_(i, j)) * of(static_cast<double>(j + 1));
    return sum;
  }
  Matrix log_, below_;  // log P(j), P(y <= j)
};

}  // namespace gpstream

#endif
