// Classes 1, 2, ..., K with a probability each.
#ifndef GPSTREAM_CLASSES_PREDICTIVE_H
#define GPSTREAM_CLASSES_PREDICTIVE_H

#include "rowwise.h"

namespace gpstream {

class ClassesPredictive : public RowwisePredictive {
 public:
  using RowwisePredictive::RowwisePredictive;

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

  Matrix log_, below_;  // log P(j), P(y <= j)
 private:
  template <class Function>
  double moment(Index i, const Function& of) const {
    double sum = 0.0;
    for (Index j = 0; j < log_.cols(); ++j) sum += std::exp(log_(i, j)) * of(static_cast<double>(j + 1));
    return sum;
  }
};

}  // namespace gpstream

#endif
