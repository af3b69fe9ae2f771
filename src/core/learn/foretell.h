// How the newest rows would have been foretold without themselves: by the model as it would stand had they
// not come, though with the points it has. Taken from the posterior that has them, so that no earlier model
// need be kept, and any cut of the stream gives the same.  [derivation 15] With S the posterior covariance of
// what the features say of the rows, N = phi / om their noise and e what the posterior leaves of them:
//   e_without = N (N - S)^-1 e        S_without = S + S (N - S)^-1 S
// A row that lies apart is not in the posterior: there N is as good as infinite.
#ifndef GPSTREAM_LEARN_FORETELL_H
#define GPSTREAM_LEARN_FORETELL_H

#include "../read/predict.h"

namespace gpstream {

struct Foretold {
  Vector error, sd;  // of each row, and the standard deviation of a new observation there

  Vector z() const { return error.cwiseQuotient(sd); }
  // Of the rows, with standard deviations multiplied by a factor.
  double log_score(double factor) const {
    const Eigen::ArrayXd wide = factor * sd.array();
    return -(wide.log() + 0.5 * (error.array() / wide).square()).sum() -
           0.9189385332046727 * static_cast<double>(sd.size());
  }
};

// The newest `count` rows, which must be open.
inline Foretold foretell(const StreamingGP& model, Index count) {
  const State& state = model.state();
  const Window& open = state.open;
  const double v = model.v();
  Matrix A =
      in_front(state.trend.features(open.inputs().bottomRows(count)), open.features().rightCols(count));
  const Vector noise = model.s2() * open.own_sites().col(site::om).tail(count).cwiseInverse();
  Vector said = noise;
  if (open.count_apart() > 0) said.array() *= 1.0 + 1e8 * open.apart().tail(count).array();
  Vector e = open.outputs().tail(count).array() - (state.mean - state.offset);
  e -= model.xi() * (A.transpose() * model.weights().a);
  solve_lower(model.factor(), MatrixView(A));
  const Matrix S = v * (A.transpose() * A);
  Matrix rest = -S;
  rest.diagonal() += said;
  // positive definite but for rounding, which a row that alone holds a point can reach
  for (double more = 1e-12; !cholesky(rest); more *= 100) {
    rest = -S;
    rest.diagonal() += (1.0 + more) * said;
  }
  Matrix half = S;
  solve_lower(rest, MatrixView(half));
  solve_lower(rest, VectorView(e));
  solve_lower_transposed(rest, VectorView(e));
  const Vector without = S.diagonal() + half.colwise().squaredNorm().transpose();
  return {said.cwiseProduct(e), (v * open.residuals().tail(count) + without + noise).cwiseSqrt()};
}

}  // namespace gpstream

#endif
