#include "posterior.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "../evidence/settle.h"
#include "../linear/linalg.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "coefficients.h"
#include "in_front.h"
#include "levels.h"
#include "objective.h"
#include "scale.h"
#include "spare.h"
#include "streaming_bound.h"
#include "totals.h"
#include "variance.h"

namespace gpstream {

Vector Totals::centred(const Scale& scale) const { return b - H * scale.trend; }

double Totals::about(const Scale& scale) const {
  return yy - 2.0 * s.dot(scale.trend) + scale.trend.dot(Phi * scale.trend);
}

Totals totals(const Evidence& settled) {
  return {settled.b.view(), settled.H.view(), settled.Phi, settled.s,
          settled.n,        settled.con,      settled.yy,  settled.residual()};
}

Totals totals(const Evidence& settled, const Window& open, const Trend& trend) {
  Totals out = totals(settled);
  if (open.size() == 0) return out;
  const Sites S = open.sites();
  const Matrix T = trend.at(open.inputs()), weighed = S.col(site::om).asDiagonal() * T;
  out.b.noalias() += open.features() * S.col(site::ga);
  out.H.noalias() += open.features() * weighed;
  out.Phi.noalias() += T.transpose() * weighed;
  out.s.noalias() += T.transpose() * S.col(site::ga);
  out.n += S.col(site::n).sum();
  out.con += S.col(site::c).sum();
  out.yy += S.col(site::q).sum();
  out.tau += S.col(site::om).dot(open.residuals());
  return out;
}

Vector centred_b(const Evidence& settled, const Window& open, const Trend& trend, const Scale& scale) {
  Vector b = settled.b.view() - settled.H.view() * scale.trend, s = settled.s - settled.Phi * scale.trend;
  if (open.size() > 0) {
    const Sites S = open.sites();
    const Matrix T = trend.at(open.inputs());
    const Vector ga = S.col(site::ga) - S.col(site::om).cwiseProduct(T * scale.trend);
    b.noalias() += open.features() * ga;
    s.noalias() += T.transpose() * ga;
  }
  return in_front(trend, s, std::move(b));
}

void total_P(const Evidence& settled, const Window& open, MatrixView out) {
  out = settled.P.view();
  Matrix W = open.features();
  weigh(W, open.sites().col(site::om));
  add_outer(out, W);
}

Matrix total_P(const Evidence& settled, const Window& open) {
  Matrix out(settled.size(), settled.size());
  total_P(settled, open, out);
  return out;
}

void total_P(const Evidence& settled, const Window& open, const Trend& trend, MatrixView out) {
  const Index M = settled.size();
  total_P(settled, open, out.bottomRightCorner(M, M));
  if (trend.active() == 0) return;
  const Totals sums = totals(settled, open, trend);
  put_in_front(trend, sums.Phi, sums.H, out);
}

Matrix total_P(const Evidence& settled, const Window& open, const Trend& trend) {
  const Index all = trend.active() + settled.size();
  Matrix out(all, all);
  total_P(settled, open, trend, out);
  return out;
}

Vector known_trend(const Trend& trend, double mean) {
  Vector out = Vector::Zero(trend.size());
  out(0) = mean;
  return out;
}

Matrix in_front(const ConstMatrixView& front, Matrix rest) {
  if (front.rows() == 0) return rest;
  Matrix out(front.rows() + rest.rows(), rest.cols());
  out.topRows(front.rows()) = front;
  out.bottomRows(rest.rows()) = rest;
  return out;
}

Vector in_front(const Trend& trend, const Vector& s, Vector b) {
  if (trend.active() == 0) return b;
  Vector out(trend.active() + b.size());
  out << trend.spread().transpose() * s, b;
  return out;
}

void put_in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, MatrixView P) {
  const Index q = trend.active(), M = P.rows() - q;
  const Matrix S = trend.spread();
  P.topRightCorner(q, M).setZero();
  P.topLeftCorner(q, q) = S.transpose() * Phi * S;
  P.bottomLeftCorner(M, q) = H * S;
}

Matrix in_front(const Trend& trend, const Matrix& Phi, const Matrix& H, Matrix P) {
  const Index q = trend.active(), M = P.rows();
  if (q == 0) return P;
  Matrix out(q + M, q + M);
  out.bottomRightCorner(M, M) = P;
  put_in_front(trend, Phi, H, out);
  return out;
}

namespace {

// P <- the lower factor of I + xi P, in the lower triangle. False when xi times the rounding in P exceeds 1
// (many rows, hardly any noise, directions without data): then I + xi P need not be positive definite in
// floating point.
bool factor_in_place(MatrixView P, double xi) {
  P *= xi;
  P.diagonal().array() += 1.0;
  return cholesky(P);
}

}  // namespace

Matrix factor_of(const ConstMatrixView& P, double xi) {
  Matrix G = P;
  if (factor_in_place(G, xi)) return G;
  const Index M = P.rows();
  const Eigensystem parts = eigensystem(P);
  Matrix stack(2 * M, M);
  stack << Matrix::Identity(M, M), (xi * parts.values).cwiseSqrt().asDiagonal() * parts.vectors.transpose();
  return lower_factor(stack);
}

ConstMatrixView PosteriorFactor::read(const Evidence& settled, const Window& open, const Trend& trend,
                                      double xi) {
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

void PosteriorFactor::forget() {
  made_ = false;
  C_ = GrowingMatrix();
  waiting_.resize(waiting_.rows(), 0);
}

void PosteriorFactor::wait(const ConstMatrixView& front, const ConstMatrixView& A,
                           const ConstVectorView& om) {
  waiting_.resize(C_.rows(), waiting() + A.cols());
  MatrixView added = waiting_.view().rightCols(A.cols());
  if (front.rows() > 0) added.topRows(front.rows()) = front;
  added.bottomRows(A.rows()) = A;
  weigh(added, om);
}

bool PosteriorFactor::append(const Window& open, const Trend& trend, const Vector& fresh, double xi) {
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

void PosteriorFactor::truncate(Index M) {
  C_.resize(M, M);
  waiting_.resize(M, 0);
}

void PosteriorFactor::rotate_in(double xi) {
  MatrixView A = waiting_.view();
  A *= std::sqrt(xi);
  for (Index i = 0; i < A.cols(); ++i) cholesky_update(C_.view(), A.col(i));
  waiting_.resize(C_.rows(), 0);
}

PosteriorWeights::PosteriorWeights(const Basis& basis, const ConstMatrixView& C, Vector b, double xi)
    : a(std::move(b)) {
  solve_lower(C, VectorView(a));
  solve_lower_transposed(C, VectorView(a));
  front = xi * a.head(a.size() - basis.size());
  alpha = xi * a.tail(basis.size());
  solve_lower_transposed(basis.L.view(), VectorView(alpha));
}

bool VarianceFactor::pays(Index rows, Index M) { return rows >= 4 * M; }

std::optional<VarianceFactor> variance_factor(const Basis& basis, const ConstMatrixView& C) {
  const Index M = basis.size(), all = C.rows(), q = all - M;
  Matrix inverse = Matrix::Identity(all, all), rest = Matrix::Zero(all, all);
  solve_lower(C, MatrixView(inverse));
  add_outer(rest, inverse.transpose());
  rest = -symmetric(rest);
  Matrix across = -rest.bottomLeftCorner(M, q);
  solve_lower_transposed(basis.L.view(), MatrixView(across));
  // points that no row came near leave a direction without evidence, where I - G^-1 is 0, or less by rounding
  for (const double shift : {0.0, static_cast<double>(M) * 2.3e-16}) {
    inverse = rest.bottomRightCorner(M, M).reverse();
    inverse.diagonal().array() += 1.0 + shift;
    if (!cholesky(inverse)) continue;
    VarianceFactor out{lower(inverse).reverse(), 0.0, -rest.topLeftCorner(q, q), across};
    solve_lower_transposed(basis.L.view(), MatrixView(out.R));
    const double rounding =
        std::max(shift, 2.3e-16 * (M == 0 ? 0.0 : std::sqrt(out.R.colwise().squaredNorm().maxCoeff())));
    out.below = std::max(1e-8, 1e6 * rounding);  // right to six digits at least
    return out;
  }
  return std::nullopt;
}

Coefficients coefficients(const StreamingGP& model) {
  const State& state = model.state();
  const Index q = state.trend.active();
  Coefficients out{known_trend(state.trend, state.mean),
                   Matrix::Zero(state.trend.size(), state.trend.size())};
  if (q == 0) return out;
  const Matrix S = state.trend.spread();
  out.mean += S * model.weights().front;
  Matrix root = Matrix::Identity(q + model.size(), q);
  solve_lower(model.factor(), MatrixView(root));
  root = (root * S.transpose()).eval();
  out.covariance = model.v() * root.transpose() * root;
  return out;
}

double objective(const ConstMatrixView& C, const Vector& b, const Vector& a, const Totals& sums,
                 const Scale& scale, double kappa) {
  const double phi = scale.dispersion, xi = scale.xi();
  return -0.5 * log_determinant(C) + 0.5 * xi * (b.dot(a) / phi) - 0.5 * xi * sums.tau + sums.con -
         kappa * sums.n * std::log(phi) - 0.5 * sums.about(scale) / phi;
}

Spectrum spectrum(const ConstMatrixView& P, const Totals& sums, const Trend& trend) {
  Eigensystem parts = eigensystem(P);
  const Matrix step = in_front(trend, sums.Phi.col(0), sums.H.col(0));
  return {std::move(parts.values), parts.vectors.transpose() * in_front(trend, sums.s, sums.b),
          parts.vectors.transpose() * step};
}

Vector levels(const StreamingGP& model) {
  const State& state = model.state();
  const Index q = state.trend.active();
  Vector out = Vector::Zero(q + model.size() + 1);
  out.tail(model.size() + 1) = state.settled.tau.view();
  out(q) += state.settled.carried.norm;
  out(q + model.size()) += state.open.sites().col(site::om).dot(state.open.residuals());
  return out;
}

Vector extremes(const Basis& basis) {
  const Index M = basis.size();
  if (M == 0) return Vector::Ones(2);
  const auto largest = [](const Matrix& factor) {
    Matrix S = Matrix::Zero(factor.rows(), factor.rows());
    add_outer(S, factor);
    return Eigen::SelfAdjointEigenSolver<Matrix>(S, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  };
  const Matrix L = lower(basis.L.view());
  Matrix inverse = Matrix::Identity(M, M);
  solve_lower(L, MatrixView(inverse));
  Vector out(2);
  out << 1.0 / largest(inverse.transpose()), largest(L);
  return out;
}

double divergence(const Vector& m, const Matrix& B, const Vector& m0, const Matrix& C) {
  const Vector away = C.transpose() * (m - m0);
  return 0.5 * ((B * C).squaredNorm() + away.squaredNorm() - static_cast<double>(m.size()) -
                log_determinant(lower_factor(B)) - log_determinant(C));
}

StreamingBound streaming_bound(const StreamingGP& before, const ConstMatrixView& X, const ConstVectorView& y,
                               Checkpoint check) {
  StreamingGP grown = before;
  grown.grow(X, y, check);
  StreamingGP after = grown;
  after.absorb(X, y, check);
  StreamingGP updated = before;  // in parts, and some rows as noise or not at all
  updated.update(X, y, check);

  const Trend& trend = after.state().trend;
  const Index q = trend.active(), M = q + after.size(), old = before.size();
  const bool nested = before.state().open.size() == 0 && old <= after.size() &&
                      Matrix(after.points().topRows(old)) == Matrix(before.points());
  const Index k = nested ? q + old : M;
  const double v = after.v(), s2 = after.s2(), root_v = std::sqrt(v);
  const auto mean = [&](const StreamingGP& model) -> Vector { return root_v / s2 * model.weights().a; };

  Matrix B = Matrix::Identity(M, M);  // nu has covariance B'B
  solve_lower(after.factor(), MatrixView(B));
  const Vector m = mean(after);

  Matrix A;
  Vector left = after.state().basis.features(after.kernel(), X, A);
  const Vector odd = apart(after.kernel(), X, left, after.state().most_left());
  A = in_front(trend.features(X), std::move(A));
  Vector off = (y.array() - after.state().mean).matrix() - root_v * (A.transpose() * m);
  for (Index i = 0; i < odd.size(); ++i) {
    if (odd(i) == 0) continue;
    left(i) = off(i) = 0.0;  // a row that lies apart says nothing
    A.col(i).setZero();
  }
  const double rows = static_cast<double>(X.rows()) - odd.sum();
  const double spread = off.squaredNorm() + v * (left.sum() + (B * A).squaredNorm());

  StreamingBound out;
  out.points = (grown.objective() - before.objective()) + (updated.objective() - after.objective());
  out.bound = updated.objective() - before.objective();
  out.prior = -divergence(m, B, Vector::Zero(M), Matrix::Identity(M, M));
  out.likelihood = -0.5 * rows * std::log(6.283185307179586 * s2) - 0.5 * spread / s2;
  out.old_prior = divergence(m.head(k), B.leftCols(k), Vector::Zero(k), Matrix::Identity(k, k));
  out.old_posterior =
      -divergence(m.head(k), B.leftCols(k), mean(grown).head(k), lower(grown.factor()).topLeftCorner(k, k));
  return out;
}

Vector divergences(const Basis& basis, const ConstMatrixView& C, const Vector& a, const Scale& scale,
                   const std::vector<Index>& points) {
  const Index M = basis.size(), k = static_cast<Index>(points.size()), front = C.rows() - M;
  Matrix q = Matrix::Zero(M, k);
  for (Index i = 0; i < k; ++i) q(points[static_cast<std::size_t>(i)], i) = 1.0;
  solve_lower(basis.L.view(), MatrixView(q));
  q.colwise().normalize();
  Matrix down = Matrix::Zero(front + M, k);
  down.bottomRows(M) = q;
  const Vector m = std::sqrt(scale.v) / scale.dispersion * (q.transpose() * a.tail(M));
  const Matrix up = C.bottomRightCorner(M, M).triangularView<Eigen::Lower>().transpose() * q,
               ahead = C.bottomLeftCorner(M, front).transpose() * q;
  solve_lower(C, MatrixView(down));
  const Eigen::ArrayXd G = (up.colwise().squaredNorm() + ahead.colwise().squaredNorm()).transpose();
  return 0.5 * (G.log() - 1.0 + down.colwise().squaredNorm().transpose().array() + m.array().square());
}

Vector patience(const ConstVectorView& used) {
  const Vector idle = used.maxCoeff() - used.array();
  Vector sorted = idle;
  std::nth_element(sorted.data(), sorted.data() + sorted.size() / 2, sorted.data() + sorted.size());
  const double most = std::max(8.0 * sorted(sorted.size() / 2), 1.0);
  return most / idle.array().max(most);
}

}  // namespace gpstream
