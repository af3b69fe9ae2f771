// Predictions, in blocks so that memory stays O(block x M).  [derivation 2]
//   mean f(x)   = mean + k1(x, Z) alpha
//   var f(x)    = v (r(x) + |C^-1 w|^2)              a sum of squares: never negative
//   cov(x, z)   = v (k1(x, z) - w(x)'w(z) + (C^-1 w(x))'(C^-1 w(z)))
#ifndef GPSTREAM_PREDICT_H
#define GPSTREAM_PREDICT_H

#include <algorithm>

#include "update.h"

namespace gpstream {

struct Prediction {
  Vector mean;
  Vector variance;  // latent; empty when not asked for
};

// The mean alone skips the O(M^2) part.
inline Prediction predict(const StreamingGP& model, const ConstMatrixView& X, bool variance, Checkpoint check) {
  constexpr Index block = 512;
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  const Kernel& kernel = model.kernel();
  const Basis& basis = model.basis();
  const Vector& alpha = model.weights().alpha;
  Prediction out{Vector(X.rows()), Vector(variance ? X.rows() : 0)};
  Matrix A;
  for (Index start = 0; start < X.rows(); start += block) {
    check();
    const Index rows = std::min(block, X.rows() - start);
    A.resize(basis.size(), rows);
    kernel.correlation(basis.Z.view(), X.middleRows(start, rows), A);
    // one dot product a row: the value does not depend on the block it stands in
    for (Index j = 0; j < rows; ++j) out.mean(start + j) = model.settings().mean + A.col(j).dot(alpha);
    if (!variance) continue;
    solve_lower(basis.L.view(), MatrixView(A));
    const Vector left = (1.0 - A.colwise().squaredNorm().transpose().array()).max(0.0);
    solve_lower(model.factor().view(), MatrixView(A));
    out.variance.segment(start, rows) = model.v() * (left.array() + A.colwise().squaredNorm().transpose().array());
  }
  return out;
}

// Joint covariance of f at the rows of X.
inline Matrix covariance(const StreamingGP& model, const ConstMatrixView& X) {
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  Matrix A, K = model.kernel().correlation(X, X);
  model.basis().features(model.kernel(), X, A);
  K.noalias() -= A.transpose() * A;
  solve_lower(model.factor().view(), MatrixView(A));
  K.noalias() += A.transpose() * A;
  return model.v() * K;
}

// Posterior of u = f(Z).
struct PointPosterior {
  Vector mean;
  Matrix covariance;
};

inline PointPosterior point_posterior(const StreamingGP& model) {
  const Index M = model.size();
  Vector mean = model.xi() * model.weights().a;
  mean = model.basis().L.view().triangularView<Eigen::Lower>() * mean;
  Matrix root = lower(model.basis().L.view()).transpose();  // C^-1 L'
  solve_lower(model.factor().view(), MatrixView(root));
  Matrix covariance = Matrix::Zero(M, M);
  add_outer(covariance, root.transpose());
  return {mean.array() + model.settings().mean, model.v() * symmetric(covariance)};
}

}  // namespace gpstream

#endif
