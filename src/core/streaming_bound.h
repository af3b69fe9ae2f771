// The streaming bound of a batch, L_t = F_t - F_{t-1}, and its four terms written out.  [derivation 5; GFO21 A.1, Bui17]
//   L_t = -KL(q(u) || p(u)) + E_q log p(y | f) + KL(q(u') || p(u')) - KL(q(u') || q_old(u'))
// u' = f(Z) before the batch. The old posterior is taken as it stands once the batch's points have joined: what the look-back
// (or a new place of all points) made of the old evidence is reported apart.
#ifndef GPSTREAM_STREAMING_BOUND_H
#define GPSTREAM_STREAMING_BOUND_H

#include "update.h"

namespace gpstream {

struct StreamingBound {
  double bound, prior, likelihood, old_prior, old_posterior, points;
};

// KL(N(m, S) || N(m0, G0^-1))
inline double divergence(const Vector& m, const Matrix& S, const Vector& m0, const Matrix& G0) {
  Matrix s = S, g = G0;
  require(cholesky(s) && cholesky(g), "not_pd", "the posterior is not positive definite.");
  const Vector away = m - m0;
  return 0.5 * (G0.cwiseProduct(S).sum() + away.dot(G0 * away) - static_cast<double>(m.size()) - log_determinant(s) - log_determinant(g));
}

inline StreamingBound streaming_bound(const StreamingGP& before, const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                                      const Proposal& proposal = Proposal()) {
  StreamingGP grown = before;
  grown.grow(X, y, check, proposal);
  StreamingGP after = grown;
  after.absorb(X, y, check);

  const Index M = after.size(), old = before.size();
  const bool nested = before.window().size() == 0 && old <= M && Matrix(after.points().topRows(old)) == Matrix(before.points());
  const Index k = nested ? old : M;
  const double v = after.v(), s2 = after.s2(), root_v = std::sqrt(v);
  const auto precision = [](const StreamingGP& model) {
    Matrix G = model.xi() * symmetric(model.evidence().P.view());
    G.diagonal().array() += 1.0;
    return G;
  };
  const auto mean = [&](const StreamingGP& model) -> Vector { return root_v / s2 * model.weights().a; };

  Matrix S = Matrix::Identity(M, M);  // covariance of nu
  solve_lower(after.factor().view(), MatrixView(S));
  S = (S.transpose() * S).eval();
  const Vector m = mean(after);

  Matrix A;
  const Vector left = after.basis().features(after.kernel(), X, A);
  const Vector off = (y.array() - after.settings().mean).matrix() - root_v * (A.transpose() * m);
  const double spread = off.squaredNorm() + v * (left.sum() + (S * A).cwiseProduct(A).sum());

  StreamingBound out;
  out.points = grown.objective() - before.objective();
  out.bound = after.objective() - before.objective();
  out.prior = -divergence(m, S, Vector::Zero(M), Matrix::Identity(M, M));
  out.likelihood = -0.5 * static_cast<double>(X.rows()) * std::log(6.283185307179586 * s2) - 0.5 * spread / s2;
  out.old_prior = divergence(m.head(k), S.topLeftCorner(k, k), Vector::Zero(k), Matrix::Identity(k, k));
  out.old_posterior = -divergence(m.head(k), S.topLeftCorner(k, k), mean(grown).head(k), precision(grown).topLeftCorner(k, k));
  return out;
}

}  // namespace gpstream

#endif
