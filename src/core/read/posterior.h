// Posterior: prior times evidence, for given amplitude v and noise s2, xi = v / s2.  [derivation 2]
//   u = f(Z) - mean = sqrt(v) L nu,  nu ~ N(0, I) a priori
//   nu | data ~ N((sqrt(v)/s2) a, G^-1),   G = I + xi P = C C',   a = G^-1 b
#ifndef GPSTREAM_POSTERIOR_H
#define GPSTREAM_POSTERIOR_H

#include "../points/basis.h"
#include "../evidence/evidence.h"

namespace gpstream {

// The factor C. Built from the evidence in O(M^3) when first asked for, then kept up to date in O(M^2) a row.
class PosteriorFactor {
 public:
  PosteriorFactor(const Evidence& evidence, double xi) : C_(evidence.P.view()) {
    MatrixView G = C_.view();
    G *= xi;
    G.diagonal().array() += 1.0;
    if (!cholesky(G)) C_ = GrowingMatrix(careful(evidence, xi));
  }
  explicit PosteriorFactor(const ConstMatrixView& C) : C_(C) {}

  ConstMatrixView view() const { return C_.view(); }
  void reserve(Index M) { C_.reserve(M, M); }
  void truncate(Index M) { C_.resize(M, M); }

  // A point has joined with this new row and corner of P. False when rounding spoils the pivot, which is at
  // least 1.
  bool append(const ConstVectorView& row, double corner, double xi) {
    const Index M = C_.rows();
    Vector edge = xi * row;
    solve_lower(C_.view(), VectorView(edge));
    const double pivot = 1.0 + xi * corner - edge.squaredNorm();
    if (!(pivot > 0.5)) return false;
    C_.resize(M + 1, M + 1);
    MatrixView C = C_.view();
    C.col(M).setZero();
    C.row(M).head(M) = edge.transpose();
    C(M, M) = std::sqrt(pivot);
    return true;
  }

  // Rows with features A have been absorbed; A is used up.
  void absorb(MatrixView A, double xi) {
    A *= std::sqrt(xi);
    for (Index i = 0; i < A.cols(); ++i) cholesky_update(C_.view(), A.col(i));
  }

 private:
  // When xi times the rounding in P exceeds 1 (many rows, hardly any noise, directions without data), I + xi
  // P need not be positive definite in floating point: factor [I; sqrt(xi P)] by rotations instead, P made
  // semi-definite again.
  static Matrix careful(const Evidence& evidence, double xi) {
    const Index M = evidence.P.rows();
    const Eigensystem P = eigensystem(evidence.P.view());
    Matrix stack(2 * M, M);
    stack << Matrix::Identity(M, M), (xi * P.values).cwiseSqrt().asDiagonal() * P.vectors.transpose();
    return lower_factor(stack);
  }

  GrowingMatrix C_;
};

// The two vectors that predictions of the mean need.
struct PosteriorWeights {
  Vector a;      // G^-1 b
  Vector alpha;  // xi L^-T a:  mean f(x) = mean + k1(x, Z) alpha

  // b is the evidence measured from the model's mean
  PosteriorWeights(const Basis& basis, const PosteriorFactor& factor, const Vector& b, double xi) : a(b) {
    solve_lower(factor.view(), VectorView(a));
    solve_lower_transposed(factor.view(), VectorView(a));
    alpha = xi * a;
    solve_lower_transposed(basis.L.view(), VectorView(alpha));
  }
};

}  // namespace gpstream

#endif
