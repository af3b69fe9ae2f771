#include "remove.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "../linear/linalg.h"
#include "../linear/reflections.h"
#include "../linear/require.h"

namespace gpstream {

namespace {

// Point j of those that tau has levels for leaves. Rows whose feature ended before it keep their level; those
// seen with all points lose one; the others have entries behind it that no longer say which points they are
// about, and are carried.
void drop_level(Index j, double lost, Evidence& evidence) {
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
void drop_last(Index k, double xi, Evidence& evidence) {
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

}  // namespace

std::vector<Index> others(const std::vector<Index>& gone, Index M) {
  std::vector<Index> out;
  for (Index i = 0; i < M; ++i)
    if (!std::binary_search(gone.begin(), gone.end(), i)) out.push_back(i);
  return out;
}

namespace {

// Rows `kept` of A, with room for as many as there were.
GrowingMatrix only(const std::vector<Index>& kept, const ConstMatrixView& A) {
  GrowingMatrix out;
  out.resize(A.rows(), A.cols());
  out.resize(static_cast<Index>(kept.size()), A.cols());
  MatrixView rows = out.view();
  for (Index c = 0; c < A.cols(); ++c)
    for (std::size_t i = 0; i < kept.size(); ++i) rows(static_cast<Index>(i), c) = A(kept[i], c);
  return out;
}

}  // namespace

Known without(const std::vector<Index>& gone, const Basis& basis, const Evidence& evidence,
              const Window& open, double xi) {
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

void remove(const std::vector<Index>& gone, Basis& basis, Evidence& evidence, Window& open, double xi) {
  Known less = without(gone, basis, evidence, open, xi);
  basis = std::move(less.basis);
  evidence = std::move(less.settled);
  open = std::move(less.open);
}

}  // namespace gpstream
