// Predictions, in blocks so that memory stays O(block x M).  [derivation 2]
//   mean f(x)   = mean + k1(x, Z) alpha
//   var f(x)    = v (r(x) + |C^-1 w|^2)     a sum of squares: never negative; for many rows, see variance.h
//   cov(x, z)   = v (k1(x, z) - w(x)'w(z) + (C^-1 w(x))'(C^-1 w(z)))
// Where coefficients of the trend are integrated out, w~ of in_front.h stands beside C, and the mean has
// their part.
#ifndef GPSTREAM_PREDICT_H
#define GPSTREAM_PREDICT_H

#include "../linear/types.h"
#include "../model/streaming_gp.h"

namespace gpstream {

struct Prediction {
  Vector mean;
  Vector variance;  // latent; empty when not asked for
};

// Latent variances, unit amplitude, of rows with kernel values K at the points, k1(x, x) = d and `front`, the
// features of the trend; K is used up.
Vector variance_by_solves(const StreamingGP& model, MatrixView K, const Vector& d,
                          const Matrix& front = Matrix());

// A trend goes on for ever, but numbers do not.
void require_in_reach(const StreamingGP& model, const ConstMatrixView& X);

Prediction predict(const StreamingGP& model, const ConstMatrixView& X, bool variance, Checkpoint check);

// Joint covariance of f at the rows of X, some columns at a time.
Matrix covariance(
    const StreamingGP& model, const ConstMatrixView& X, Checkpoint check = [] {});

// Posterior of u = f(Z).
struct PointPosterior {
  Vector mean;
  Matrix covariance;
};

PointPosterior point_posterior(const StreamingGP& model);

}  // namespace gpstream

#endif
