#include "gradient.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../evidence/settle.h"
#include "in_front.h"
#include "objective.h"
#include "shared.h"

namespace gpstream {

RowSlopes::RowSlopes(const Kernel& of, Index points, Index columns)
    : kernel(Vector::Zero(of.parameter_count())), Z(Matrix::Zero(points, columns)) {}

void both_sides(const Basis& basis, Matrix& A) {
  solve_lower_transposed(basis.L.view(), MatrixView(A));
  A = A.transpose().eval();
  solve_lower_transposed(basis.L.view(), MatrixView(A));
}

Slope read_slope(const Evidence& evidence, const Basis& basis, const Kernel& kernel, const Trend& trend,
                 double mean, const std::optional<double>& noise, double kappa, bool points, Adjoint& back) {
  const Index M = basis.size(), q = trend.active();
  const Totals sums = totals(evidence);
  Scale scale{kernel.variance(), 1.0, known_trend(trend, mean)};
  const Vector b = in_front(trend, sums.centred_s(scale), sums.centred(scale));
  const Matrix P = symmetric(in_front(trend, sums.Phi, sums.H, evidence.P.view()));
  const double xi = noise ? kernel.variance() / *noise : kernel.variance();
  const Matrix C = factor_of(P, xi);
  const PosteriorWeights weights(basis, C, b, xi);
  const Vector &a = weights.a, a_points = a.tail(M);
  const double yy = sums.about(scale), rss = yy - xi * b.dot(a);
  const double phi = noise ? *noise : std::max(rss, 1e-14 * yy) / (2.0 * kappa * sums.n);
  scale.dispersion = phi;
  scale.v = xi * phi;
  Slope out;
  out.noise = phi;
  out.objective = objective(C, b, a, sums, scale, kappa);

  Matrix Q = xi * P;
  solve_lower(C, MatrixView(Q));
  solve_lower_transposed(C, MatrixView(Q));
  back = {xi, phi, scale.trend, a, weights.alpha, xi * Q.bottomRows(M)};
  solve_lower_transposed(basis.L.view(), MatrixView(back.Q));

  Matrix to_Z(M, M);
  multiply(Q.bottomRows(M), P.rightCols(M), to_Z);
  to_Z.noalias() += a_points * a_points.transpose() / phi;
  to_Z *= -0.5 * xi;
  both_sides(basis, to_Z);
  RowSlopes own(kernel, points ? M : 0, basis.Z.cols());
  kernel.pull_back(basis.Z.view(), basis.Z.view(), to_Z, own.kernel, own.Z);
  // through xi = v / phi, and phi itself:  dF/dxi = (|a|^2 / phi - tr(G^-1 P) - tau) / 2
  const double by_log_xi = 0.5 * (xi * a.squaredNorm() / phi - Q.trace() - xi * sums.tau);
  out.kernel = own.kernel + by_log_xi * kernel.amplitude_slope();
  out.Z = 2.0 * own.Z;  // Z stands on both sides of k1(Z, Z)
  out.log_noise = 0.5 * rss / phi - kappa * sums.n - by_log_xi;
  out.log_ratio = 0.5 * (xi * a.head(q).cwiseAbs2() / phi - Q.diagonal().head(q));
  return out;
}

void pull_rows(const Basis& basis, const Kernel& kernel, const Trend& trend, const Adjoint& back,
               const ConstMatrixView& X, const Sites& S, Matrix A, RowSlopes& out) {
  const Vector om = S.col(site::om), ga = S.col(site::ga) - om.cwiseProduct(trend.at(X) * back.trend);
  const Matrix W = in_front(trend.features(X), std::move(A));
  const Vector rest = (ga - back.xi * om.cwiseProduct(W.transpose() * back.a)) / back.phi;
  Matrix to_X(basis.size(), X.rows());
  multiply(back.Q, W, to_X);
  to_X = to_X * om.asDiagonal();
  to_X.noalias() += back.alpha * rest.transpose();
  kernel.pull_back(basis.Z.view(), X, to_X, out.kernel, out.Z);
  Matrix stay(0, X.cols());
  kernel.pull_diagonal(X, -0.5 * back.xi * om, out.kernel, stay);
}

Matrix in_their_places(const Matrix& slopes, const std::vector<Index>& kept, Index all) {
  Matrix out = Matrix::Zero(slopes.rows() > 0 ? all : 0, slopes.cols());
  for (Index i = 0; i < slopes.rows(); ++i) out.row(kept[static_cast<std::size_t>(i)]) = slopes.row(i);
  return out;
}

Objective::Objective(const StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y,
                     const Vector& weights)
    : kernel_(model.state().kernel),
      likelihood_(model.state().likelihood),
      trend_(model.state().trend),
      offset_(model.state().offset),
      old_(empty_basis(model.columns())),
      settled_(0, model.state().trend.size()) {
  const State& state = model.state();
  if (state.settled.n > 0) {
    old_ = state.basis;
    settled_ = state.settled;
  }
  const Index here = state.open.size(), B = X.rows();
  const Vector outputs = model.centred(X, y);
  require(B == 0 || state.likelihood->fixed(), "input",
          "rows whose sites depend on the model have to be learned before anything is learned from them.");
  Sites batch_sites = state.likelihood->sites({outputs, weights}, Latent(), 1.0);
  silence(apart_of(model, X), batch_sites);
  X_.resize(here + B, model.columns());
  S_.resize(here + B, site::columns);
  X_ << state.open.inputs(), X;
  S_ << state.open.sites(), batch_sites;
}

Slope Objective::operator()(const Place& at, bool points, Checkpoint check) const {
  const Kernel& kernel = *at.kernel;
  const Projection onto = projection(old_, *kernel_, kernel, at.Z);
  const Basis& basis = onto.basis;
  check();
  Seen seen;
  see(basis, kernel, X_, check, seen);
  Evidence sums = project(settled_, onto, old_, kernel);
  settle(seen.A, seen.r, S_, trend_.at(X_), sums);
  Adjoint back;
  check();
  Slope out = read_slope(sums, basis, kernel, trend_, at.mean - offset_, at.noise, likelihood_->kappa(),
                         points, back);
  RowSlopes rows(kernel, out.Z.rows(), at.Z.cols());
  for (Index start = 0; start < X_.rows(); start += absorb_block) {
    check();
    const Index count = std::min(absorb_block, X_.rows() - start);
    pull_rows(basis, kernel, trend_, back, X_.middleRows(start, count), S_.middleRows(start, count),
              seen.A.middleCols(start, count), rows);
  }
  if (old_.size() > 0) pull_settled(onto, kernel, back, rows);
  out.kernel += rows.kernel;
  out.Z = in_their_places(out.Z + rows.Z, onto.kept, at.Z.rows());
  return out;
}

void Objective::pull_settled(const Projection& onto, const Kernel& kernel, const Adjoint& back,
                             RowSlopes& out) const {
  const Basis& basis = onto.basis;
  const Matrix P = symmetric(settled_.P.view()), HS = settled_.H.view() * trend_.spread();
  const Index q = trend_.active();
  Vector rest = settled_.b.view() - settled_.H.view() * back.trend;
  rest -= back.xi * (P * (onto.S.transpose() * back.a.tail(basis.size())));
  if (q > 0) rest -= back.xi * (HS * back.a.head(q));
  Matrix to_old = back.Q * in_front(HS.transpose(), onto.S * P);
  to_old.noalias() += back.alpha * rest.transpose() / back.phi;
  to_old = to_old.transpose().eval();
  solve_lower_transposed(old_.L.view(), MatrixView(to_old));
  kernel.pull_back(basis.Z.view(), old_.Z.view(), to_old.transpose(), out.kernel, out.Z);
  Matrix old_to_old = -0.5 * back.xi * P, stay(0, old_.Z.cols());
  both_sides(old_, old_to_old);
  kernel.pull_back(old_.Z.view(), old_.Z.view(), old_to_old, out.kernel, stay);
}

Sites View::sites(const ConstVectorView& y, const Vector& weights) const {
  const Vector centred = y.array() - offset;
  return make_likelihood("gaussian")->sites({centred, weights}, Latent(), 1.0);
}

void View::require_rows(const ConstMatrixView& X, const ConstVectorView& y, const Vector& weights) const {
  require(X.cols() == basis.Z.cols() && kernel->fits(X.cols()) && trend.fits(X.cols()) &&
              y.size() == X.rows() && (weights.size() == 0 || weights.size() == y.size()),
          "dimension", "the rows do not fit the points.");
}

void add_rows(const View& view, const ConstMatrixView& X, const ConstVectorView& y, const Vector& weights,
              Checkpoint check, Evidence& sums) {
  view.require_rows(X, y, weights);
  const Vector centred = y.array() - view.offset, times = Vector::Zero(X.rows());
  const Sites sites = view.sites(y, weights);
  const Matrix told(0, 0);
  settle_first(X.rows(), view.basis, *view.kernel, Rows{X, centred, sites, times, view.trend, told, 0},
               Fading(), std::numeric_limits<double>::infinity(), check, sums);
}

void add_slopes(const View& view, const Adjoint& back, const ConstMatrixView& X, const ConstVectorView& y,
                const Vector& weights, Checkpoint check, RowSlopes& out) {
  view.require_rows(X, y, weights);
  const Sites sites = view.sites(y, weights);
  Matrix A;
  for (Index start = 0; start < X.rows(); start += absorb_block) {
    check();
    const Index count = std::min(absorb_block, X.rows() - start);
    const auto rows = X.middleRows(start, count);
    view.basis.features(*view.kernel, rows, A);
    pull_rows(view.basis, *view.kernel, view.trend, back, rows, sites.middleRows(start, count), A, out);
  }
}

SharedObjective::SharedObjective(Trend trend, double offset, Sums sums, Slopes slopes)
    : trend_(std::move(trend)), offset_(offset), sums_(std::move(sums)), slopes_(std::move(slopes)) {}

Slope SharedObjective::operator()(const Place& at, bool points, Checkpoint check) const {
  check();
  std::vector<Index> kept;
  const View view{at.kernel, make_basis(*at.kernel, at.Z, kept), trend_, offset_};
  const Evidence sums = sums_(view);
  require(sums.size() == view.basis.size() && sums.n > 0, "input", "the shards have no rows.");
  Adjoint back;
  Slope out = read_slope(sums, view.basis, *at.kernel, trend_, at.mean - offset_, at.noise,
                         make_likelihood("gaussian")->kappa(), points, back);
  if (!std::isfinite(out.objective)) return out;  // the search goes back: no need to ask again
  const RowSlopes rows = slopes_(view, back, points);
  out.kernel += rows.kernel;
  out.Z = in_their_places(out.Z + rows.Z, kept, at.Z.rows());
  return out;
}

}  // namespace gpstream
