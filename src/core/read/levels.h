// What is known of the distance between the rows of the stream and what was absorbed of them.  [derivation
// 10]
#ifndef GPSTREAM_LEVELS_H
#define GPSTREAM_LEVELS_H

#include "../model/streaming_gp.h"

namespace gpstream {

// Entry m: the residual of the rows whose feature has length m and is a projection on the first m points.
// Rows in the look-back window are at M; rows whose points were moved since are at 0, where nothing is said
// about directions. What is integrated out of the trend stands in front of all features, whole from the
// start: m counts these entries, too, and nothing is missed in them.
inline Vector levels(const StreamingGP& model) {
  const State& state = model.state();
  const Index q = state.trend.active();
  Vector out = Vector::Zero(q + model.size() + 1);
  out.tail(model.size() + 1) = state.settled.tau.view();
  out(q) += state.settled.carried.norm;
  out(q + model.size()) += state.open.sites().col(site::om).dot(state.open.residuals());
  return out;
}

// The smallest and the largest eigenvalue of L L'; the smallest as the inverse of the largest of its inverse,
// which is accurate where the difference of large numbers is not.
inline Vector extremes(const Basis& basis) {
  const Index M = basis.size();
  if (M == 0) return Vector::Ones(2);
  const auto largest = [](const Matrix& factor) {
    Matrix S = Matrix::Zero(factor.rows(), factor.rows());
    add_outer(S, factor);
    return Eigen::SelfAdjointEigenSolver<Matrix>(S, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  };
  const Matrix L = lower(basis.L.view());
  Matrix inverse = Matrix::Identity(M, M);
  solve_lower(L, MatrixView(inverse));
  Vector out(2);
  out << 1.0 / largest(inverse.transpose()), largest(L);
  return out;
}

}  // namespace gpstream

#endif
