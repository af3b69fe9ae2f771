#include "evidence.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "../kernels/kernel.h"
#include "../linear/linalg.h"
#include "../linear/machine.h"
#include "../points/basis.h"
#include "forget.h"
#include "join.h"
#include "merge.h"
#include "settle.h"
#include "shift.h"
#include "site.h"
#include "trend.h"
#include "window.h"

namespace gpstream {

Evidence::Evidence(Index M, Index q) : Phi(Matrix::Zero(q, q)), s(Vector::Zero(q)) {
  P = GrowingMatrix(Matrix::Zero(M, M));
  H = GrowingMatrix(Matrix::Zero(M, q));
  b = GrowingVector(Vector::Zero(M));
  tau = GrowingVector(Vector::Zero(M + 1));
}

double Evidence::residual() const { return carried.tau + tau.view().sum(); }

void Evidence::reserve(Index M) {
  P.reserve(M, M);
  H.reserve(M, H.cols());
  b.reserve(M);
  tau.reserve(M + 1);
}

void Evidence::append() {
  const Index M = size();
  P.resize(M + 1, M + 1);
  H.resize(M + 1, H.cols());
  MatrixView sums = P.view();
  sums.col(M).setZero();
  sums.row(M).setZero();
  H.view().row(M).setZero();
  b.push(0.0);
  tau.push(0.0);
}

void Evidence::truncate(Index M) {
  P.resize(M, M);
  H.resize(M, H.cols());
  b.resize(M);
  tau.resize(M + 1);
}

std::optional<Joining> prepare_join(const Basis& basis, const Window& open, const Kernel& kernel,
                                    const ConstMatrixView& z) {
  std::optional<Border> edge = basis.border(kernel, z);
  if (!edge) return std::nullopt;
  Joining out{std::move(*edge), Vector()};
  if (open.size() == 0) return out;
  out.fresh = kernel.value(open.inputs(), z).col(0);
  out.fresh.noalias() -= open.features().transpose() * out.edge.l;
  out.fresh /= out.edge.d;
  return out;
}

void merge(const Evidence& other, Evidence& into) {
  into.P.view().triangularView<Eigen::Lower>() += other.P.view();
  into.H.view() += other.H.view();
  into.b.view() += other.b.view();
  into.Phi += other.Phi;
  into.s += other.s;
  into.n += other.n;
  into.con += other.con;
  into.yy += other.yy;
  into.tau.view() += other.tau.view();
  into.carried.tau += other.carried.tau;
  into.carried.lost += other.carried.lost;
  into.carried.norm += other.carried.norm;  // the rows are not the same
  into.carried.foreign += other.carried.foreign;
}

void forget(double keep, Evidence& settled) {
  settled.P.view() *= keep;
  settled.H.view() *= keep;
  settled.b.view() *= keep;
  settled.Phi *= keep;
  settled.s *= keep;
  settled.n *= keep;
  settled.con *= keep;
  settled.yy *= keep;
  settled.tau.view() *= keep;
  settled.carried.tau *= keep;
  settled.carried.lost *= keep;
  settled.carried.norm *= keep;
  settled.carried.foreign *= keep;
}

void forget(double keep, Evidence& settled, Window& open) {
  forget(keep, settled);
  open.weigh_down(keep);
}

void weigh(MatrixView A, const ConstVectorView& om) {
  for (Index i = 0; i < A.cols(); ++i)
    if (om(i) != 1.0) A.col(i) *= std::sqrt(om(i));
}

void settle(const ConstMatrixView& A, const ConstVectorView& r, const Sites& S, const Matrix& T,
            Evidence& evidence) {
  if (S.rows() == 0) return;
  const auto om = S.col(site::om), ga = S.col(site::ga);
  if (A.rows() > 0) {
    const bool unit = (om.array() == 1.0).all();
    const Matrix weighed_T = om.asDiagonal() * T;
    Matrix weighed;
    if (!unit) weighed = A, weigh(weighed, om);
    add_outer(evidence.P.view(), unit ? A : ConstMatrixView(weighed));  // the last step that can fail
    evidence.b.view().noalias() += A * ga;
    for (Index j = 0; j < T.cols(); ++j) evidence.H.view().col(j).noalias() += A * weighed_T.col(j);
  }
  evidence.Phi += T.transpose().lazyProduct(om.asDiagonal() * T);
  evidence.s += T.transpose().lazyProduct(ga);
  evidence.n += S.col(site::n).sum();
  evidence.con += S.col(site::c).sum();
  evidence.yy += S.col(site::q).sum();
  evidence.tau.view()(A.rows()) += om.dot(r);
}

void shift(double d, Evidence& settled) {
  if (d == 0) return;
  const Vector phi = settled.Phi.col(0);
  settled.b.view() -= d * settled.H.view().col(0);
  settled.yy = std::max(0.0, settled.yy - 2.0 * d * settled.s(0) + d * d * phi(0));
  settled.s -= d * phi;
}

void shift(double d, Window& open) {
  if (d == 0) return;
  Sites sites = open.own_sites();
  const Vector om = sites.col(site::om), ga = sites.col(site::ga);
  sites.col(site::q) = (sites.col(site::q) - 2.0 * d * ga + d * d * om).cwiseMax(0.0);
  sites.col(site::ga) = ga - d * om;
  open.set_outputs(open.outputs().array() - d);
  open.set_sites(sites);
}

namespace {

// The trend `from` as that of `to`, which has the same columns: A.
Matrix trend_change(const Trend& from, const Trend& to) {
  Matrix A = Matrix::Identity(from.size(), from.size());
  for (Index j = 1; j < from.size(); ++j) {
    A(j, j) = from.scale(j - 1) / to.scale(j - 1);
    A(j, 0) = (from.centre(j - 1) - to.centre(j - 1)) / to.scale(j - 1);
  }
  return A;
}

}  // namespace

void change_trend(const Trend& from, const Trend& to, Evidence& settled) {
  if (from.centre == to.centre && from.scale == to.scale) return;
  const Matrix A = trend_change(from, to);
  settled.H = GrowingMatrix(Matrix(settled.H.view() * A.transpose()));
  settled.Phi = (A * settled.Phi * A.transpose()).eval();
  settled.s = (A * settled.s).eval();
}

}  // namespace gpstream
