// Classes in an order.
#ifndef GPSTREAM_ORDINAL_PREDICTIVE_H
#define GPSTREAM_ORDINAL_PREDICTIVE_H

#include <vector>

#include "../linear/types.h"
#include "classes_predictive.h"
#include "responses.h"

namespace gpstream {

class OrdinalPredictive final : public ClassesPredictive {
 public:
  // cuts: with -infinity before and infinity behind. Where a class is improbable, a sum of its own has its
  // digits.
  OrdinalPredictive(const Latent& at, const std::vector<double>& cuts);

 protected:
  // The ranked probability score: the sum of (F(k) - 1[k >= y])^2.
  double crps_of(Index i, double y) const override;
};

}  // namespace gpstream

#endif
