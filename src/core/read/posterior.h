// Posterior: prior times evidence, for given amplitude v and dispersion phi, xi = v / phi.  [derivation 2]
//   u = f(Z) - trend = sqrt(v) L nu,  nu ~ N(0, I) a priori
//   nu | data ~ N((sqrt(v)/phi) a, G^-1),   G = I + xi P = C C',   a = G^-1 b
// Where coefficients of the trend are integrated out, P~ and b~ of in_front.h, nu having theirs in front.
#ifndef GPSTREAM_POSTERIOR_H
#define GPSTREAM_POSTERIOR_H

#include "../points/basis.h"
#include "totals.h"

namespace gpstream {

// P <- the lower factor of I + xi P, in the lower triangle. False when xi times the rounding in P exceeds 1
// (many rows, hardly any noise, directions without data): then I + xi P need not be positive definite in
// floating point.
inline bool factor_in_place(MatrixView P, double xi) {
  P *= xi;
  P.diagonal().array() += 1.0;
  return cholesky(P);
}

// The same in every case: [I; sqrt(xi P)] is factored by rotations instead, P made semi-definite again.
inline Matrix factor_of(const ConstMatrixView& P, double xi) {
  Matrix G = P;
  if (factor_in_place(G, xi)) return G;
  const Index M = P.rows();
  const Eigensystem parts = eigensystem(P);
  Matrix stack(2 * M, M);
  stack << Matrix::Identity(M, M), (xi * parts.values).cwiseSqrt().asDiagonal() * parts.vectors.transpose();
  return lower_factor(stack);
}

// The factor C of all rows. Derived, but which of its roundings it has depends on when it was asked for, so
// it belongs to the state: built in O(M^3) when first asked for, then kept up to date in O(M^2) a row. Rows
// that came since it was last asked for wait.
class PosteriorFactor {
 public:
  PosteriorFactor() = default;
  PosteriorFactor(const ConstMatrixView& C, const ConstMatrixView& waiting)
      : made_(true), C_(C), waiting_(waiting) {}

  bool made() const { return made_; }
  Index waiting() const { return waiting_.cols(); }
  ConstMatrixView C() const { return C_.view(); }
  ConstMatrixView waiting_rows() const { return waiting_.view(); }

  ConstMatrixView read(const Evidence& settled, const Window& open, const Trend& trend, double xi) {
    if (!made_) {
      GrowingMatrix C;
      C.resize(trend.active() + settled.size(), trend.active() + settled.size());
      total_P(settled, open, trend, C.view());
      if (!factor_in_place(C.view(), xi)) C.view() = factor_of(total_P(settled, open, trend), xi);
      C_ = std::move(C);
      waiting_.resize(C_.rows(), 0);
      made_ = true;
    }
    if (waiting() > 0) rotate_in(xi);  // otherwise nothing is written: threads may read
    return C_.view();
  }

  void forget() {
    made_ = false;
    C_ = GrowingMatrix();
    waiting_.resize(waiting_.rows(), 0);
  }

  // Is it cheaper to start anew than to rotate these in, too? One factorisation costs about as much as M / 16
  // rows.
  bool too_many(Index rows) const { return waiting() + rows > 1 && 16 * (waiting() + rows) > C_.rows(); }

  // Room for `wait`; the only step of it that can fail.
  void reserve(Index rows) { waiting_.reserve(C_.rows(), waiting() + rows); }
  void wait(const ConstMatrixView& front, const ConstMatrixView& A, const ConstVectorView& om) {
    waiting_.resize(C_.rows(), waiting() + A.cols());
    MatrixView added = waiting_.view().rightCols(A.cols());
    if (front.rows() > 0) added.topRows(front.rows()) = front;
    added.bottomRows(A.rows()) = A;
    weigh(added, om);
  }

  // A point joins, before the open rows extend their features W by `fresh`. False when rounding spoils the
  // pivot, which is at least 1.
  bool append(const Window& open, const Trend& trend, const Vector& fresh, double xi) {
    rotate_in(xi);
    const Index M = C_.rows(), q = trend.active();
    C_.reserve(M + 1, M + 1);
    Vector edge = Vector::Zero(M);
    double corner = 0.0;
    if (open.size() > 0) {
      const Vector weighed = open.sites().col(site::om).cwiseProduct(fresh);
      corner = weighed.dot(fresh);
      if (q > 0) edge.head(q) = trend.features(open.inputs()) * weighed;
      edge.tail(M - q).noalias() = open.features() * weighed;
      edge *= xi;
      solve_lower(C_.view(), VectorView(edge));
    }
    const double pivot = 1.0 + xi * corner - edge.squaredNorm();
    if (!(pivot > 0.5)) return false;
    C_.resize(M + 1, M + 1);
    waiting_.resize(M + 1, 0);
    MatrixView C = C_.view();
    C.col(M).setZero();
    C.row(M).head(M) = edge.transpose();
    C(M, M) = std::sqrt(pivot);
    return true;
  }
  void truncate(Index M) {
    C_.resize(M, M);
    waiting_.resize(M, 0);
  }

 private:
  void rotate_in(double xi) {
    MatrixView A = waiting_.view();
    A *= std::sqrt(xi);
    for (Index i = 0; i < A.cols(); ++i) cholesky_update(C_.view(), A.col(i));
    waiting_.resize(C_.rows(), 0);
  }

  bool made_ = false;
  GrowingMatrix C_, waiting_;
};

// The vectors that predictions of the mean need.
struct PosteriorWeights {
  Vector a;      // G^-1 b
  Vector front;  // xi times its head:  mean f(x) = what is known of the trend + (S't)'front + k1(x, Z) alpha
  Vector alpha;  // xi L^-T times its tail

  // b is the evidence measured from what is known of the trend
  PosteriorWeights(const Basis& basis, const ConstMatrixView& C, Vector b, double xi) : a(std::move(b)) {
    solve_lower(C, VectorView(a));
    solve_lower_transposed(C, VectorView(a));
    front = xi * a.head(a.size() - basis.size());
    alpha = xi * a.tail(basis.size());
    solve_lower_transposed(basis.L.view(), VectorView(alpha));
  }
};

}  // namespace gpstream

#endif
