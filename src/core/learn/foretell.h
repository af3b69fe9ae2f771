// How the newest rows would have been foretold without themselves: by the model as it would stand had they
// not come, though with the points it has. Taken from the posterior that has them, so that no earlier model
// need be kept, and any cut of the stream gives the same.  [derivation 15] With S the posterior covariance of
// what the features say of the rows, N = phi / om their noise and e what the posterior leaves of them:
//   e_without = N (N - S)^-1 e        S_without = S + S (N - S)^-1 S
// A row that lies apart is not in the posterior: there N is as good as infinite.
#ifndef GPSTREAM_LEARN_FORETELL_H
#define GPSTREAM_LEARN_FORETELL_H

#include "../read/predict.h"
#include "spread.h"

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

// The newest `count` rows, which must be open; of one of several outputs, those in which it was observed.
struct Newest {
  Matrix A;
  Vector y, om, r, apart;

  Newest(const State& state, Index count)
      : A(in_front(state.trend.features(state.open.inputs().bottomRows(count)),
                   state.open.features().rightCols(count))),
        y(state.open.outputs().tail(count)),
        om(state.open.own_sites().col(site::om).tail(count)),
        r(state.open.residuals().tail(count)),
        apart(state.open.apart().tail(count)) {
    if (!y.hasNaN()) return;
    std::vector<Index> seen;
    for (Index i = 0; i < count; ++i)
      if (!std::isnan(y(i))) seen.push_back(i);
    A = Matrix(rows_of(A.transpose(), seen)).transpose().eval();
    y = entries_of(y, seen);
    om = entries_of(om, seen);
    r = entries_of(r, seen);
    apart = entries_of(apart, seen);
  }
};

inline Foretold foretell(const StreamingGP& model, Index count) {
  const State& state = model.state();
  const double v = model.v();
  Newest rows(state, count);
  Matrix& A = rows.A;
  const Vector noise = model.s2() * rows.om.cwiseInverse();
  Vector said = noise;
  if (state.open.count_apart() > 0) said.array() *= 1.0 + 1e8 * rows.apart.array();
  Vector e = rows.y.array() - (state.mean - state.offset);
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
  return {said.cwiseProduct(e), (v * rows.r + without + noise).cwiseSqrt()};
}

// Of several outputs one may come late: until the model has learned its scale from some rows that have it,
// what it foretells of it is a guess, and nothing is to be concluded from that.
inline bool is_known(const StreamingGP& model, Index k) {
  if (model.outputs() == 1) return true;
  const Learner& learner = model.state().learner;
  if (learner.memory.limit() == 0) return model.latent(k).totals().n >= 50;
  const Sample rows = learner.memory.rows();
  const Vector y = rows.output(k);
  Index count = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (rows.numbers(i) <= learner.learned && !std::isnan(y(i))) ++count;
  return count >= 10;
}

// How each output was foretold corrects its intervals. `known`: those of which that can be said.
inline void calibrate(const std::vector<Foretold>& outputs, const std::vector<bool>& known,
                      Learner& learner) {
  learner.calibrations.resize(outputs.size() - 1);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (known[k]) (k == 0 ? learner.calibration : learner.calibrations[k - 1]).see(outputs[k].z());
}
inline std::vector<bool> known_outputs(const StreamingGP& model) {
  std::vector<bool> out;
  for (Index k = 0; k < model.outputs(); ++k) out.push_back(is_known(model, k));
  return out;
}

// Several outputs as if they were one; those that are `known`, unless none of them is in these rows.
inline Foretold in_one(const std::vector<Foretold>& each, const std::vector<bool>& known = {}) {
  std::vector<const Foretold*> some;
  Index n = 0;
  for (std::size_t k = 0; k < each.size(); ++k)
    if (known.empty() || known[k]) some.push_back(&each[k]), n += each[k].sd.size();
  if (n == 0 && !known.empty()) return in_one(each);
  Foretold out{Vector(n), Vector(n)};
  n = 0;
  for (const Foretold* one : some) {
    out.error.segment(n, one->sd.size()) = one->error;
    out.sd.segment(n, one->sd.size()) = one->sd;
    n += one->sd.size();
  }
  return out;
}

}  // namespace gpstream

#endif
