// Remove: a point leaves. Its row of L goes, plane rotations make the rest triangular again, and what is
// known turns along:
//   L_keep Q = [L_new 0]    P <- Q'PQ    b <- Q'b    H <- Q'H    w <- Q'w
// The direction that only this point could hold comes last and is dropped, as if the rows had been seen
// without the point; O(M^2).
#ifndef GPSTREAM_REMOVE_H
#define GPSTREAM_REMOVE_H

#include "../points/basis.h"
#include "project.h"
#include "window.h"

namespace gpstream {

// Columns i and i + 1 of A turn by (c, s).
template <class Columns>
void turn(Columns&& A, Index i, double c, double s) {
  const Vector first = A.col(i);
  A.col(i) = c * first + s * A.col(i + 1);
  A.col(i + 1) = c * A.col(i + 1) - s * first;
}

// Rows whose feature ended before the point keep their level; those seen with all points lose one; the others
// have entries behind it that no longer say which points they are about, and are carried.
inline void drop_level(Index j, double lost, Evidence& evidence) {
  const Index M = evidence.size();
  const Vector tau = evidence.tau.view();
  Vector left = Vector::Zero(M);
  left.head(j + 1) = tau.head(j + 1);
  const double between = tau.segment(j + 1, M - j - 1).sum();
  Carried& carried = evidence.carried;
  const bool whole = between == 0 && carried.tau == 0;
  left(M - 1) += tau(M) + (whole ? lost : 0.0);
  if (!whole) {
    carried.tau += between + lost;
    carried.lost += lost;
    carried.norm = std::pow(std::sqrt(carried.norm + between) + std::sqrt(lost), 2);
  }
  evidence.tau = GrowingVector(left);
}

inline void remove(Index j, Basis& basis, Evidence& evidence, Window& open) {
  const Index M = basis.size(), rest = M - 1 - j;
  Matrix L(M - 1, M), Z(M - 1, basis.Z.cols());
  L << basis.L.view().topRows(j), basis.L.view().bottomRows(rest);
  Z << basis.Z.view().topRows(j), basis.Z.view().bottomRows(rest);
  const Index q = evidence.H.cols();
  Matrix P = symmetric(evidence.P.view()), side(open.size() + q + 1, M);
  side << open.features().transpose(), evidence.H.view().transpose(), evidence.b.view().transpose();
  for (Index i = j; i + 1 < M; ++i) {
    const double h = std::hypot(L(i, i), L(i, i + 1)), c = L(i, i) / h, s = L(i, i + 1) / h;
    turn(L.bottomRows(M - 1 - i), i, c, s);
    turn(P, i, c, s);
    turn(P.transpose(), i, c, s);
    turn(side, i, c, s);
  }
  L.triangularView<Eigen::StrictlyUpper>().setZero();
  const Matrix turned = side.leftCols(M - 1).transpose();
  const Vector out = side.col(M - 1).head(open.size());
  drop_level(j, P(M - 1, M - 1), evidence);
  basis.Z = GrowingMatrix(Z);
  basis.L = GrowingMatrix(L.leftCols(M - 1));
  evidence.P = GrowingMatrix(P.topLeftCorner(M - 1, M - 1));
  evidence.H = GrowingMatrix(turned.middleCols(open.size(), q));
  evidence.b = GrowingVector(turned.col(turned.cols() - 1));
  open.set_features(turned.leftCols(open.size()), open.residuals() + out.cwiseAbs2());
}

}  // namespace gpstream

#endif
