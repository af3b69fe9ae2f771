// Remove: points leave. Their rows of L go, reflections make the rest triangular again, and what is known
// turns along; O(M^2) a point.  [derivation 16]
//   L_keep Q = [L_new 0]    P <- Q'PQ    b <- Q'b    H <- Q'H    w <- Q'w
// The directions D that only these points could hold come last. Open rows lose them, as if they had been seen
// without the points. So do the settled rows where xi = 0; otherwise f is integrated out along D, and what
// they said of the points that stay is what it was, for this xi:  g = xi (I + xi P_DD)^-1,
//   P -= P_D g P_D'   b -= P_D g b_D   H -= P_D g H_D   Phi -= H_D'g H_D   s -= H_D'g b_D   yy -= b_D'g b_D
#ifndef GPSTREAM_REMOVE_H
#define GPSTREAM_REMOVE_H

#include <vector>

#include "../points/basis.h"
#include "project.h"
#include "window.h"

namespace gpstream {

// I - v v' / (v'v / 2), on some consecutive coordinates.
struct Reflection {
  Index at;
  Vector v;

  void turn_columns(MatrixView A) const {
    auto some = A.middleCols(at, v.size());
    const Vector along = some * (v * (2.0 / v.squaredNorm()));
    some.noalias() -= along * v.transpose();
  }
};

// L, whose row i has entries up to column `last[i]`, becomes lower triangular with a positive diagonal.
inline std::vector<Reflection> triangularise(Matrix& L, const std::vector<Index>& last) {
  std::vector<Reflection> out;
  for (Index i = 0; i < L.rows(); ++i) {
    Vector x = L.row(i).segment(i, last[static_cast<std::size_t>(i)] - i + 1).transpose();
    const double others = x.tail(x.size() - 1).squaredNorm(), norm = x.norm();
    if (others == 0 && x(0) > 0) continue;
    x(0) = x(0) > 0 ? -others / (x(0) + norm) : x(0) - norm;  // without cancellation
    out.push_back({i, std::move(x)});
    out.back().turn_columns(L.bottomRows(L.rows() - i));
    L(i, i) = norm;
  }
  L.triangularView<Eigen::StrictlyUpper>().setZero();
  return out;
}

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

// The last k coordinates of P, H and b leave; what they were is lost (xi = 0) or integrated out.
inline void drop_last(Index k, double xi, Matrix& P, Matrix& H, Vector& b, Evidence& evidence) {
  const Index M = P.rows() - k, q = H.cols();
  if (xi > 0) {
    Matrix root = xi * P.bottomRightCorner(k, k);
    root.diagonal().array() += 1.0;
    require(cholesky(root), "numeric", "a point cannot be removed: what it holds is not positive definite.");
    Matrix half(k, M + q + 1);  // of g, times what the directions have to do with everything else
    half << P.bottomLeftCorner(k, M), H.bottomRows(k), b.tail(k);
    solve_lower(root, MatrixView(half));
    half *= std::sqrt(xi);
    const Matrix points = half.leftCols(M), trend = half.middleCols(M, q);
    const Vector outputs = half.col(M + q);
    P.topLeftCorner(M, M).noalias() -= points.transpose() * points;
    H.topRows(M).noalias() -= points.transpose() * trend;
    b.head(M).noalias() -= points.transpose() * outputs;
    evidence.Phi.noalias() -= trend.transpose() * trend;
    evidence.s.noalias() -= trend.transpose() * outputs;
    evidence.yy -= outputs.squaredNorm();
    evidence.con -= root.diagonal().array().log().sum();
  }
  evidence.P = GrowingMatrix(P.topLeftCorner(M, M));
  evidence.H = GrowingMatrix(H.topRows(M));
  evidence.b = GrowingVector(b.head(M));
}

// `gone` in ascending order.
inline void remove(const std::vector<Index>& gone, Basis& basis, Evidence& evidence, Window& open,
                   double xi = 0.0) {
  const Index M = basis.size(), k = static_cast<Index>(gone.size()), rest = M - k, q = evidence.H.cols();
  Matrix L(rest, M), Z(rest, basis.Z.cols());
  std::vector<Index> kept;
  for (Index i = 0, next = 0; i < M; ++i) {
    if (next < k && gone[static_cast<std::size_t>(next)] == i) {
      ++next;
      continue;
    }
    L.row(i - next) = basis.L.view().row(i);
    Z.row(i - next) = basis.Z.view().row(i);
    kept.push_back(i);
  }
  const std::vector<Reflection> Q = triangularise(L, kept);

  Matrix P = symmetric(evidence.P.view()), side(open.size() + q + 1, M);
  side << open.features().transpose(), evidence.H.view().transpose(), evidence.b.view().transpose();
  for (const Reflection& one : Q) one.turn_columns(side);
  for (int both = 0; both < 2; ++both) {
    for (const Reflection& one : Q) one.turn_columns(P);
    P.transposeInPlace();
  }
  const double lost = xi > 0 ? 0.0 : P.bottomRightCorner(k, k).trace();
  for (Index j = k - 1; j >= 0; --j)
    drop_level(gone[static_cast<std::size_t>(j)], j == 0 ? lost : 0.0, evidence);
  Matrix H = side.middleRows(open.size(), q).transpose();
  Vector b = side.row(open.size() + q).transpose();
  drop_last(k, xi, P, H, b, evidence);
  basis.Z = GrowingMatrix(Z);
  basis.L = GrowingMatrix(L.leftCols(rest));
  const Matrix turned = side.topRows(open.size());
  const Vector more = turned.rightCols(k).rowwise().squaredNorm();
  open.set_features(turned.leftCols(rest).transpose(), open.residuals() + more);
}

}  // namespace gpstream

#endif
