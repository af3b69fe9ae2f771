// Classes 1, 2, ..., K with a probability each.
#ifndef GPSTREAM_CLASSES_PREDICTIVE_H
#define GPSTREAM_CLASSES_PREDICTIVE_H

#include <cmath>

#include "../linear/types.h"
#include "rowwise.h"

namespace gpstream {

class ClassesPredictive : public RowwisePredictive {
 public:
  using RowwisePredictive::RowwisePredictive;

 protected:
  double mean_of(Index i) const override;
  double variance_of(Index i) const override;
  double quantile_of(Index i, double p) const override;
  double log_density_of(Index i, double y) const override;
  double probability_of(Index i, double y) const override;

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
