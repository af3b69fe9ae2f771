// The factorisations and solves of the core, behind one seam. Symmetric matrices live in their lower triangle.
#ifndef GPSTREAM_LINALG_H
#define GPSTREAM_LINALG_H

#include <cmath>

#include "require.h"
#include "types.h"

namespace gpstream {

// B <- L^-1 B
inline void solve_lower(const ConstMatrixView& L, MatrixView B) {
  if (B.size() > 0) L.triangularView<Eigen::Lower>().solveInPlace(B);
}

// B <- L^-T B
inline void solve_lower_transposed(const ConstMatrixView& L, MatrixView B) {
  if (B.size() > 0) L.triangularView<Eigen::Lower>().transpose().solveInPlace(B);
}

inline void solve_lower(const ConstMatrixView& L, VectorView b) {
  if (b.size() > 0) L.triangularView<Eigen::Lower>().solveInPlace(b);
}

inline void solve_lower_transposed(const ConstMatrixView& L, VectorView b) {
  if (b.size() > 0) L.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

// S <- S + A A' (lower triangle)
inline void add_outer(MatrixView S, const ConstMatrixView& A) {
  if (A.size() == 0) return;
  if (A.cols() == 1)
    S.selfadjointView<Eigen::Lower>().rankUpdate(A.col(0));
  else
    S.selfadjointView<Eigen::Lower>().rankUpdate(A);
}

// S <- lower Cholesky factor of S, in place; the strict upper triangle is not touched. False when S is not positive definite.
inline bool cholesky(MatrixView S) {
  if (S.size() == 0) return true;
  Eigen::LLT<Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>, Eigen::Lower> factor(S);
  return factor.info() == Eigen::Success;
}

// The lower factor C with positive diagonal of C C' = R'R, without forming the product.
inline Matrix lower_factor(const Matrix& R) {
  const Index M = R.cols();
  const Eigen::HouseholderQR<Matrix> qr(R);
  Matrix C = qr.matrixQR().topRows(M).triangularView<Eigen::Upper>().transpose();
  for (Index j = 0; j < M; ++j)
    if (C(j, j) < 0) C.col(j) = -C.col(j);
  return C;
}

// C C' <- C C' + w w' for a lower factor C, O(M^2) by plane rotations; w is used up. (Eigen's LLT::rankUpdate does the
// same, but owns its matrix, and ours lives in growing storage.)
inline void cholesky_update(MatrixView C, VectorView w) {
  const Index M = C.rows();
  for (Index j = 0; j < M; ++j) {
    const double before = C(j, j), after = std::hypot(before, w(j));
    const double c = after / before, s = w(j) / before, inverse = before / after;
    const Index below = M - j - 1;
    C(j, j) = after;
    C.col(j).tail(below) = (C.col(j).tail(below) + s * w.tail(below)) * inverse;
    w.tail(below) = c * w.tail(below) - s * C.col(j).tail(below);
  }
}

// log det(C C')
inline double log_determinant(const ConstMatrixView& C) {
  return C.rows() == 0 ? 0.0 : 2.0 * C.diagonal().array().log().sum();
}

// The full symmetric matrix whose lower triangle is S.
inline Matrix symmetric(const ConstMatrixView& S) { return S.selfadjointView<Eigen::Lower>(); }

// Eigenvalues and eigenvectors of a positive semi-definite matrix, from its lower triangle; rounding below 0 removed.
struct Eigensystem {
  Vector values;
  Matrix vectors;
};
inline Eigensystem eigensystem(const ConstMatrixView& S) {
  if (S.rows() == 0) return {Vector(0), Matrix(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(S);
  require(solver.info() == Eigen::Success, "not_pd", "the eigenvalues of the evidence could not be found.");
  return {solver.eigenvalues().cwiseMax(0.0), solver.eigenvectors()};
}

// The lower triangle of L with zeros above.
inline Matrix lower(const ConstMatrixView& L) { return L.triangularView<Eigen::Lower>(); }

}  // namespace gpstream

#endif
