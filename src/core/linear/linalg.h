// The factorisations and solves of the core, behind one seam: what is cubic goes to the back end of this
// machine. Symmetric matrices live in their lower triangle.
#ifndef GPSTREAM_LINALG_H
#define GPSTREAM_LINALG_H

#include <cmath>

#include "backends.h"
#include "require.h"
#include "types.h"

namespace gpstream {

// One vector needs no back end, only the width of the processor's own.
inline bool in_wide_vectors(Index size) { return size >= 16 && vector::available(); }

// b <- L^-1 b
inline void solve_lower(const ConstMatrixView& L, VectorView b) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(b.size())) return vector::solve_lower(b.size(), L.data(), L.outerStride(), b.data());
#endif
  if (b.size() > 0) L.triangularView<Eigen::Lower>().solveInPlace(b);
}

// b <- L^-T b
inline void solve_lower_transposed(const ConstMatrixView& L, VectorView b) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(b.size()))
    return vector::solve_lower_transposed(b.size(), L.data(), L.outerStride(), b.data());
#endif
  if (b.size() > 0) L.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

// S <- S + a a' (lower triangle)
inline void add_outer_of_one(MatrixView S, const ConstVectorView& a) {
#if GPSTREAM_WIDE
  if (in_wide_vectors(a.size())) return vector::add_outer(a.size(), a.data(), S.data(), S.outerStride());
#endif
  S.selfadjointView<Eigen::Lower>().rankUpdate(a);
}

// Small problems stay with Eigen, whatever the back end: what they cost is the call.
constexpr Index small_size = 32;
inline const Backend& backend_for(Index size) { return size < small_size ? backends()[0] : backend(); }

// Threads for this many operations, where the back end leaves them to us. Starting one takes as long as some
// 1e6 of them, and a busy machine lets it wait.
inline int threads_for(double operations) {
  return operations < 5e7 || backend().own_threads ? 1 : wanted().threads;
}

// For so few columns, one after the other: a solve for matrices packs L first, which for one takes five times
// as long.
constexpr Index few_columns = 4;

// B <- L^-1 B
inline void solve_lower(const ConstMatrixView& L, MatrixView B) {
  if (B.cols() <= few_columns) {
    for (Index j = 0; j < B.cols(); ++j) solve_lower(L, VectorView(B.col(j)));
  } else if (B.rows() > 0) {
    backend_for(B.rows()).solve_lower(L, B);
  }
}

// B <- L^-T B
inline void solve_lower_transposed(const ConstMatrixView& L, MatrixView B) {
  if (B.cols() <= few_columns) {
    for (Index j = 0; j < B.cols(); ++j) solve_lower_transposed(L, VectorView(B.col(j)));
  } else if (B.rows() > 0) {
    backend_for(B.rows()).solve_lower_transposed(L, B);
  }
}

// out <- R'B, R upper triangular
inline void multiply_transposed(const ConstMatrixView& R, const ConstMatrixView& B, MatrixView out) {
  if (B.size() > 0) backend_for(B.rows()).multiply_transposed(R, B, out);
}

// out <- A B
inline void multiply(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) {
  if (out.size() == 0) return;
  if (A.cols() == 0) {
    out.setZero();
    return;
  }
  backend_for(std::min(A.rows(), A.cols())).multiply(A, B, out);
}

// S <- S + A A' (lower triangle)
inline void add_outer(MatrixView S, const ConstMatrixView& A) {
  if (A.size() == 0) return;
  if (A.cols() == 1) return add_outer_of_one(S, A.col(0));
  backend_for(A.rows()).add_outer(S, A);
}

// S <- lower Cholesky factor of S, in place; the strict upper triangle is not touched. False when S is not
// positive definite.
inline bool cholesky(MatrixView S) { return S.size() == 0 || backend_for(S.rows()).cholesky(S); }

// The lower factor C with positive diagonal of C C' = R'R, without forming the product.
inline Matrix lower_factor(const Matrix& R) {
  const Index M = R.cols();
  const Eigen::HouseholderQR<Matrix> qr(R);
  Matrix C = qr.matrixQR().topRows(M).triangularView<Eigen::Upper>().transpose();
  for (Index j = 0; j < M; ++j)
    if (C(j, j) < 0) C.col(j) = -C.col(j);
  return C;
}

// C C' <- C C' + w w' for a lower factor C, O(M^2) by plane rotations; w is used up. (Eigen's LLT::rankUpdate
// does the same, but owns its matrix, and ours lives in growing storage.)
inline void cholesky_update(MatrixView C, VectorView w) {
  const Index M = C.rows();
#if GPSTREAM_WIDE
  if (in_wide_vectors(M)) return vector::cholesky_update(M, C.data(), C.outerStride(), w.data());
#endif
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

// Eigenvalues and eigenvectors of a positive semi-definite matrix, from its lower triangle; rounding below 0
// removed.
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
