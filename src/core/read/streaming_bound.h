// The streaming bound of a batch, L_t = F_t - F_{t-1}, and its four terms written out.  [derivation 5; GFO21
// A.1, Bui17]
//   L_t = -KL(q(u) || p(u)) + E_q log p(y | f) + KL(q(u') || p(u')) - KL(q(u') || q_old(u'))
// u' = f(Z) before the batch; with both go the coefficients of the trend that are integrated out. The old
// posterior is taken as it stands once the batch's points have joined, and the batch as if all its rows came
// after that. What an update makes of them otherwise is reported apart, in `points`: of the old evidence, by
// the look-back or a new place of all points; of rows absorbed before a later row joins, counted as noise or
// set aside.
#ifndef GPSTREAM_STREAMING_BOUND_H
#define GPSTREAM_STREAMING_BOUND_H

#include "../linear/types.h"
#include "../model/streaming_gp.h"

namespace gpstream {

struct StreamingBound {
  double bound, prior, likelihood, old_prior, old_posterior, points;
};

// KL(N(m, B'B) || N(m0, (C C')^-1)), from the factors: whatever their condition, nothing is inverted or
// factored anew.
double divergence(const Vector& m, const Matrix& B, const Vector& m0, const Matrix& C);

StreamingBound streaming_bound(const StreamingGP& before, const ConstMatrixView& X, const ConstVectorView& y,
                               Checkpoint check);

}  // namespace gpstream

#endif
