// The trend in front. Where coefficients of the trend are integrated out, their functions are the first
// entries of every feature, and whatever is written for w, P and b holds for  [derivation 2]
//   w~ = (S't; w)      P~ = [S'Phi S, S'H'; H S, P]      b~ = (S's; b)
// S being the columns of diag(sqrt(ratio)) that are not 0. First, because points that join come last. Where
// all coefficients are known these are w, P and b themselves.
#ifndef GPSTREAM_IN_FRONT_H
#define GPSTREAM_IN_FRONT_H

#include <utility>

#include "../evidence/trend.h"

namespace gpstream {

// Features or columns of them; `front` has as many columns as `rest`.
inline Matrix in_front(const ConstMatrixView& front, Matrix rest) {
  if (front.rows() == 0) return rest;
  Matrix out(front.rows() + rest.rows(), rest.cols());
  out.topRows(front.rows()) = front;
  out.bottomRows(rest.rows()) = rest;
  return out;
}

// b and s, measured from what is known of the trend.
inline Vector in_front(const Trend& trend, const Vector& s, Vector b) {
  if (trend.active() == 0) return b;
  Vector out(trend.active() + b.size());
  out << trend.spread().transpose() * s, b;
  return out;
}

// The lower triangle, that of P being in its place.
inline void put_in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, MatrixView P) {
  const Index q = trend.active(), M = P.rows() - q;
  const Matrix S = trend.spread();
  P.topRightCorner(q, M).setZero();
  P.topLeftCorner(q, q) = S.transpose() * Phi * S;
  P.bottomLeftCorner(M, q) = H * S;
}

inline Matrix in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, Matrix P) {
  const Index q = trend.active(), M = P.rows();
  if (q == 0) return P;
  Matrix out(q + M, q + M);
  out.bottomRightCorner(M, M) = P;
  put_in_front(trend, Phi, H, out);
  return out;
}

}  // namespace gpstream

#endif
