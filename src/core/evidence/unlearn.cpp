#include "unlearn.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "../kernels/diagonal.h"

namespace gpstream {

namespace {

// Of the sum of squares of all rows, and of a row that is taken out: where points are dense, its feature is
// not rounded as it was then.
constexpr double unlearn_tolerance = 1e-10, feature_tolerance = 1e-8;

// Sums of squares of (w, t, y) over rows are positive semi-definite. Trend and output count in their own
// units, those of a typical row.
Matrix gram(const Evidence& one, const Vector& units) {
  const Index M = one.size(), q = one.s.size();
  Matrix out(M + q + 1, M + q + 1);
  out.topLeftCorner(M, M) = one.P.view();
  out.block(M, 0, q, M) = one.H.view().transpose();
  out.block(M, M, q, q) = one.Phi;
  out.bottomRows(1) << one.b.view().transpose(), one.s.transpose(), one.yy;
  for (Index j = 0; j <= q; ++j) {
    out.row(M + j) *= units(j);
    out.col(M + j) *= units(j);
  }
  return out;
}

// Can this be what is left of `before`? A net with holes: a row that is taken out twice can pass.
bool can_be_left(const Evidence& before, const Evidence& after, Index rows) {
  const Index q = before.s.size();
  const double rounding = feature_tolerance * static_cast<double>(rows);
  const double least = unlearn_tolerance * before.n + rounding;
  if (after.n < -least || after.tau.view().minCoeff() < -least) return false;
  Vector units(q + 1);
  units << before.Phi.diagonal(), before.yy;
  for (Index j = 0; j <= q; ++j) units(j) = units(j) > 0 ? std::sqrt(before.n / units(j)) : 1.0;
  const Matrix rest = gram(after, units);
  const double size = gram(before, units).trace();
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(rest, Eigen::EigenvaluesOnly);
  return parts.info() == Eigen::Success &&
         parts.eigenvalues().minCoeff() >= -unlearn_tolerance * size - rounding;
}

}  // namespace

bool unlearn(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const Sites& sites,
             const Matrix& T, const std::vector<Index>& left, Evidence& settled) {
  Matrix A;
  basis.features(kernel, X, A);
  const Diagonal own(kernel, X);
  Evidence rest = settled;
  for (Index i = 0; i < X.rows(); ++i) {
    const Index m = left[static_cast<std::size_t>(i)];
    A.col(i).tail(A.rows() - m).setZero();
    const Vector w = A.col(i), t = T.row(i).transpose();
    const double om = sites(i, site::om), ga = sites(i, site::ga);
    rest.P.view().triangularView<Eigen::Lower>() -= (om * w) * w.transpose();
    rest.b.view() -= ga * w;
    rest.H.view() -= (om * w) * t.transpose();
    rest.Phi -= (om * t) * t.transpose();
    rest.s -= ga * t;
    rest.n -= sites(i, site::n);
    rest.con -= sites(i, site::c);
    rest.yy -= sites(i, site::q);
    rest.tau.view()(m) -= om * std::max(0.0, own(i) - w.squaredNorm());
  }
  if (!can_be_left(settled, rest, X.rows())) return false;
  rest.n = std::max(0.0, rest.n);
  rest.yy = std::max(0.0, rest.yy);
  rest.tau.view() = rest.tau.view().cwiseMax(0.0).eval();
  settled = std::move(rest);
  return true;
}

}  // namespace gpstream
