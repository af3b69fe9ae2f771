// Remove: points leave. Their rows of L go, reflections make the rest triangular again, and what is known
// turns along; O(M^2) a point.  [derivation 16]
//   L_keep Q = [L_new 0]    P <- Q'PQ    b <- Q'b    H <- Q'H    w <- Q'w
// The directions D that only these points could hold come last. Open rows lose them, as if they had been seen
// without the points. So do the settled rows where xi = 0; otherwise f is integrated out along D, and what
// they said of the points that stay is what it was, for this xi:  g = xi (I + xi P_DD)^-1,
//   P -= P_D g P_D'   b -= P_D g b_D   H -= P_D g H_D   Phi -= H_D'g H_D   s -= H_D'g b_D   yy -= b_D'g b_D
#ifndef GPSTREAM_REMOVE_H
#define GPSTREAM_REMOVE_H

#include <algorithm>
#include <vector>

#include "../linear/reflections.h"
#include "../points/basis.h"
#include "project.h"
#include "window.h"

namespace gpstream {

// Point j of those that tau has levels for leaves. Rows whose feature ended before it keep their level; those
// seen with all points lose one; the others have entries behind it that no longer say which points they are
// about, and are carried.
inline void drop_level(Index j, double lost, Evidence& evidence) {
  const Vector tau = evidence.tau.view();
  const Index M = tau.size() - 1;
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

// The last k coordinates leave; what they were is lost (xi = 0) or integrated out.
inline void drop_last(Index k, double xi, Evidence& evidence) {
  const Index M = evidence.size() - k, q = evidence.H.cols();
  if (xi > 0) {
    MatrixView P = evidence.P.view(), H = evidence.H.view();
    VectorView b = evidence.b.view();
    Matrix root = xi * P.bottomRightCorner(k, k);
    root.diagonal().array() += 1.0;
    require(cholesky(root), "numeric", "a point cannot be removed: what it holds is not positive definite.");
    Matrix half(k, M + q + 1);  // of g, times what the directions have to do with everything else
    half << P.bottomLeftCorner(k, M), H.bottomRows(k), b.tail(k);
    solve_lower(root, MatrixView(half));
    half *= std::sqrt(xi);
    const Matrix points = half.leftCols(M), trend = half.middleCols(M, q);
    const Vector outputs = half.col(M + q);
    for (Index j = 0; j < M; ++j)
      P.col(j).segment(j, M - j).noalias() -= points.rightCols(M - j).transpose().lazyProduct(points.col(j));
    H.topRows(M).noalias() -= points.transpose() * trend;
    b.head(M).noalias() -= points.transpose() * outputs;
    evidence.Phi.noalias() -= trend.transpose() * trend;
    evidence.s.noalias() -= trend.transpose() * outputs;
    evidence.yy -= outputs.squaredNorm();
    evidence.con -= root.diagonal().array().log().sum();
  }
  evidence.P.resize(M, M);
  evidence.H.resize(M, q);
  evidence.b.resize(M);
}

// Points, and what rows have said about them.
struct Known {
  Basis basis;
  Evidence settled;
  Window open;
};

// The indices below M that are not among `gone`.
inline std::vector<Index> others(const std::vector<Index>& gone, Index M) {
  std::vector<Index> out;
  for (Index i = 0; i < M; ++i)
    if (!std::binary_search(gone.begin(), gone.end(), i)) out.push_back(i);
  return out;
}

// Rows `kept` of A, with room for as many as there were.
inline GrowingMatrix only(const std::vector<Index>& kept, const ConstMatrixView& A) {
  GrowingMatrix out;
  out.resize(A.rows(), A.cols());
  out.resize(static_cast<Index>(kept.size()), A.cols());
  MatrixView rows = out.view();
  for (Index c = 0; c < A.cols(); ++c)
    for (std::size_t i = 0; i < kept.size(); ++i) rows(static_cast<Index>(i), c) = A(kept[i], c);
  return out;
}

// What is left without the points `gone`, in ascending order. Nothing is changed: whoever may have to undo it
// keeps what there was.
inline Known without(const std::vector<Index>& gone, const Basis& basis, const Evidence& evidence,
                     const Window& open, double xi = 0.0) {
  const Index M = basis.size(), k = static_cast<Index>(gone.size()), rest = M - k, q = evidence.H.cols();
  const std::vector<Index> kept = others(gone, M);
  Known out{{only(kept, basis.Z.view()), only(kept, basis.L.view())}, evidence, open};
  const std::vector<Reflection> Q = triangularise(out.basis.L.view(), kept);
  out.basis.L.resize(rest, rest);

  Matrix side(open.size() + q + 1, M);
  side << open.features().transpose(), evidence.H.view().transpose(), evidence.b.view().transpose();
  for (const Reflection& one : Q) one.turn_columns(side);
  out.settled.H.view() = side.middleRows(open.size(), q).transpose();
  out.settled.b.view() = side.row(open.size() + q).transpose();
  turn_both(Q, out.settled.P.view());
  const double lost = xi > 0 ? 0.0 : out.settled.P.view().bottomRightCorner(k, k).trace();
  for (Index j = k - 1; j >= 0; --j)
    drop_level(gone[static_cast<std::size_t>(j)], j == 0 ? lost : 0.0, out.settled);
  drop_last(k, xi, out.settled);
  const Matrix turned = side.topRows(open.size());
  const Vector more = turned.rightCols(k).rowwise().squaredNorm();
  out.open.set_features(turned.leftCols(rest).transpose(), open.residuals() + more);
  return out;
}

inline void remove(const std::vector<Index>& gone, Basis& basis, Evidence& evidence, Window& open,
                   double xi = 0.0) {
  Known less = without(gone, basis, evidence, open, xi);
  basis = std::move(less.basis);
  evidence = std::move(less.settled);
  open = std::move(less.open);
}

}  // namespace gpstream

#endif
