// The coefficients of the trend, as the data leave them.  [derivation 2]
//   mean  = (mean, 0, ...) + xi S (a~)_1        covariance  = v S (G~^-1)_11 S'
// Those that are known have no variance. The constant is that of f itself, not measured from the offset.
#ifndef GPSTREAM_COEFFICIENTS_H
#define GPSTREAM_COEFFICIENTS_H

#include "../model/streaming_gp.h"

namespace gpstream {

struct Coefficients {
  Vector mean;
  Matrix covariance;
};

inline Coefficients coefficients(const StreamingGP& model) {
  const State& state = model.state();
  const Index q = state.trend.active();
  Coefficients out{known_trend(state.trend, state.mean),
                   Matrix::Zero(state.trend.size(), state.trend.size())};
  if (q == 0) return out;
  const Matrix S = state.trend.spread();
  out.mean += S * model.weights().front;
  Matrix root = Matrix::Identity(q + model.size(), q);
  solve_lower(model.factor(), MatrixView(root));
  root = (root * S.transpose()).eval();
  out.covariance = model.v() * root.transpose() * root;
  return out;
}

}  // namespace gpstream

#endif
