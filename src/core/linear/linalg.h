// The factorisations and solves of the core, behind one seam: what is cubic goes to the back end of this
// machine. Symmetric matrices live in their lower triangle.
#ifndef GPSTREAM_LINALG_H
#define GPSTREAM_LINALG_H

#include "backends.h"
#include "backends/backend.h"
#include "types.h"

namespace gpstream {

// b <- L^-1 b
void solve_lower(const ConstMatrixView& L, VectorView b);

// b <- L^-T b
void solve_lower_transposed(const ConstMatrixView& L, VectorView b);

// Small problems stay with Eigen, whatever the back end: what they cost is the call.
constexpr Index small_size = 32;
inline const Backend& backend_for(Index size) { return size < small_size ? backends()[0] : backend(); }

// Threads for this many operations, where the back end leaves them to us. Starting one takes as long as some
// 1e6 of them, and a busy machine lets it wait.
int threads_for(double operations);

// For so few columns, one after the other: a solve for matrices packs L first, which for one takes five times
// as long.
constexpr Index few_columns = 4;

// B <- L^-1 B
void solve_lower(const ConstMatrixView& L, MatrixView B);

// B <- L^-T B
void solve_lower_transposed(const ConstMatrixView& L, MatrixView B);

// out <- R'B, R upper triangular
void multiply_transposed(const ConstMatrixView& R, const ConstMatrixView& B, MatrixView out);

// out <- A B
void multiply(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out);

// S <- S + A A' (lower triangle)
void add_outer(MatrixView S, const ConstMatrixView& A);

// S <- lower Cholesky factor of S, in place; the strict upper triangle is not touched. False when S is not
// positive definite.
inline bool cholesky(MatrixView S) { return S.size() == 0 || backend_for(S.rows()).cholesky(S); }

// The lower factor C with positive diagonal of C C' = R'R, without forming the product.
Matrix lower_factor(const Matrix& R);

// C C' <- C C' + w w' for a lower factor C, O(M^2) by plane rotations; w is used up. (Eigen's LLT::rankUpdate
// does the same, but owns its matrix, and ours lives in growing storage.)
void cholesky_update(MatrixView C, VectorView w);

// log det(C C')
double log_determinant(const ConstMatrixView& C);

// The full symmetric matrix whose lower triangle is S.
Matrix symmetric(const ConstMatrixView& S);

// Eigenvalues and eigenvectors of a positive semi-definite matrix, from its lower triangle; rounding below 0
// removed.
struct Eigensystem {
  Vector values;
  Matrix vectors;
};
Eigensystem eigensystem(const ConstMatrixView& S);

// The lower triangle of L with zeros above.
Matrix lower(const ConstMatrixView& L);

}  // namespace gpstream

#endif
