// Classes without an order: E softmax(f), f_k ~ N(m_k, s2_k). Class k has the largest of f_j + G_j, where the
// G_j are independent, of Gumbel's distribution, exp(-e^-t); so that with F_j and p_j, distribution and
// density of f_j + G_j, its probability is an integral over one variable,
//   P(k) = integral p_k(t) prod_(j != k) F_j(t) dt     F_j(t) = E exp(-e^(f_j - t))
// both by the trapezoidal rule.  [derivation 20]
#ifndef GPSTREAM_CATEGORICAL_PREDICTIVE_H
#define GPSTREAM_CATEGORICAL_PREDICTIVE_H

#include "../linear/types.h"
#include "classes_predictive.h"
#include "responses.h"

namespace gpstream {

double log_sum_exp(const Vector& t);
Vector softmax(const Vector& t);

// E softmax(f), f_k ~ N(m_k, s_k^2).
Vector expected_softmax(const Vector& m, const Vector& s);

class CategoricalPredictive final : public ClassesPredictive {
 public:
  CategoricalPredictive(const Latent& at, Index K);

 protected:
  // Brier's score: the sum of (P(k) - 1[k = y])^2.
  double crps_of(Index i, double y) const override;
};

}  // namespace gpstream

#endif
