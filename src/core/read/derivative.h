// The slope of f along column d of the inputs. f is linear in what is known at the points, so its slope is
// normal as well, and exact.  [derivation 2]
//   mean f'(x)         = t'(x)'beta + k_x(x, Z) alpha
//   cov(f'(x), f'(z))  = v (k_xz(x, z) - w_x(x)'w_x(z) + (C^-1 w~_x(x))'(C^-1 w~_x(z)))
// k_x and k_xz being the slopes of k1 by its first and by both inputs, w_x = L^-1 k_x(Z, x), and w~_x that
// with the slopes of the trend in front.
#ifndef GPSTREAM_DERIVATIVE_H
#define GPSTREAM_DERIVATIVE_H

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "predict.h"

namespace gpstream {

bool has_slope(const Kernel& kernel, Index D, Index d);

Prediction derivative(const StreamingGP& model, const ConstMatrixView& X, Index d, bool variance,
                      Checkpoint check);

// Joint covariance of the slopes at the rows of X.
Matrix derivative_covariance(const StreamingGP& model, const ConstMatrixView& X, Index d);

}  // namespace gpstream

#endif
