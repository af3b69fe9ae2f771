// The streaming bound of a batch, L_t = F_t - F_{t-1}, and its four terms written out.  [derivation 5; GFO21
// A.1, Bui17]
//   L_t = -KL(q(u) || p(u)) + E_q log p(y | f) + KL(q(u') || p(u')) - KL(q(u') || q_old(u'))
// u' = f(Z) before the batch; with both go the coefficients of the trend that are integrated out. The old
// posterior is taken as it stands once the batch's points have joined: what the look-back (or a new place of
// all points) made of the old evidence is reported apart.
#ifndef GPSTREAM_STREAMING_BOUND_H
#define GPSTREAM_STREAMING_BOUND_H

#include "../model/update.h"

namespace gpstream {

struct StreamingBound {
  double bound, prior, likelihood, old_prior, old_posterior, points;
};

// KL(N(m, B'B) || N(m0, (C C')^-1)), from the factors: whatever their condition, nothing is inverted or
// factored anew.
inline double divergence(const Vector& m, const Matrix& B, const Vector& m0, const Matrix& C) {
  const Vector away = C.transpose() * (m - m0);
  return 0.5 * ((B * C).squaredNorm() + away.squaredNorm() - static_cast<double>(m.size()) -
                log_determinant(lower_factor(B)) - log_determinant(C));
}

inline StreamingBound streaming_bound(const StreamingGP& before, const ConstMatrixView& X,
                                      const ConstVectorView& y, Checkpoint check) {
  StreamingGP grown = before;
  grown.grow(X, y, check);
  StreamingGP after = grown;
  after.absorb(X, y, check);

  const Trend& trend = after.state().trend;
  const Index q = trend.active(), M = q + after.size(), old = before.size();
  const bool nested = before.state().open.size() == 0 && old <= after.size() &&
                      Matrix(after.points().topRows(old)) == Matrix(before.points());
  const Index k = nested ? q + old : M;
  const double v = after.v(), s2 = after.s2(), root_v = std::sqrt(v);
  const auto mean = [&](const StreamingGP& model) -> Vector { return root_v / s2 * model.weights().a; };

  Matrix B = Matrix::Identity(M, M);  // nu has covariance B'B
  solve_lower(after.factor(), MatrixView(B));
  const Vector m = mean(after);

  Matrix A;
  Vector left = after.state().basis.features(after.kernel(), X, A);
  const Vector odd = apart(after.kernel(), X, left, after.state().most_left());
  A = in_front(trend.features(X), std::move(A));
  Vector off = (y.array() - after.state().mean).matrix() - root_v * (A.transpose() * m);
  for (Index i = 0; i < odd.size(); ++i) {
    if (odd(i) == 0) continue;
    left(i) = off(i) = 0.0;  // a row that lies apart says nothing
    A.col(i).setZero();
  }
  const double rows = static_cast<double>(X.rows()) - odd.sum();
  const double spread = off.squaredNorm() + v * (left.sum() + (B * A).squaredNorm());

  StreamingBound out;
  out.points = grown.objective() - before.objective();
  out.bound = after.objective() - before.objective();
  out.prior = -divergence(m, B, Vector::Zero(M), Matrix::Identity(M, M));
  out.likelihood = -0.5 * rows * std::log(6.283185307179586 * s2) - 0.5 * spread / s2;
  out.old_prior = divergence(m.head(k), B.leftCols(k), Vector::Zero(k), Matrix::Identity(k, k));
  out.old_posterior =
      -divergence(m.head(k), B.leftCols(k), mean(grown).head(k), lower(grown.factor()).topLeftCorner(k, k));
  return out;
}

}  // namespace gpstream

#endif
