#include "predict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "derivative.h"
#include "in_front.h"

namespace gpstream {

Vector variance_by_solves(const StreamingGP& model, MatrixView K, const Vector& d, const Matrix& front) {
  solve_lower(model.state().basis.L.view(), K);
  const Vector left = (d - K.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  if (front.rows() > 0) {
    Matrix all = in_front(front, K);
    solve_lower(model.factor(), MatrixView(all));
    return left + all.colwise().squaredNorm().transpose();
  }
  solve_lower(model.factor(), K);
  return left + K.colwise().squaredNorm().transpose();
}

namespace {

Vector variance_by_factor(const StreamingGP& model, const VarianceFactor& factor, const Matrix& K,
                          const Vector& d, const Matrix& front, Matrix& product) {
  product.resize(K.rows(), K.cols());
  multiply_transposed(factor.R, K, product);
  Vector out = d - product.colwise().squaredNorm().transpose(), large = d;
  if (front.rows() > 0) {
    const Vector own = (factor.own * front).cwiseProduct(front).colwise().sum().transpose();
    out += own + 2.0 * (factor.across.transpose() * K).cwiseProduct(front).colwise().sum().transpose();
    large += own;
  }
  std::vector<Index> small;
  for (Index j = 0; j < out.size(); ++j)
    if (!(out(j) >= factor.below * large(j))) small.push_back(j);
  if (small.empty()) return out;
  const Index count = static_cast<Index>(small.size());
  Matrix again(K.rows(), count), again_front(front.rows(), count);
  Vector prior(count);
  for (Index i = 0; i < count; ++i) {
    const Index j = small[static_cast<std::size_t>(i)];
    again.col(i) = K.col(j);
    again_front.col(i) = front.col(j);
    prior(i) = d(j);
  }
  const Vector solved = variance_by_solves(model, again, prior, again_front);
  for (Index i = 0; i < count; ++i) out(small[static_cast<std::size_t>(i)]) = solved(i);
  return out;
}

// Rows from, ..., from + count - 1 of X; the mean alone skips the O(M^2) part.
void predict_rows(const StreamingGP& model, const PosteriorWeights& weights, const VarianceFactor* factor,
                  const ConstMatrixView& X, Index from, Index count, Prediction& out) {
  constexpr Index block = 512;
  const Trend& trend = model.state().trend;
  Matrix K, product, front;
  Vector d;
  for (Index start = from; start < from + count; start += block) {
    const Index rows = std::min(block, from + count - start);
    K.resize(model.size(), rows);
    model.kernel().value(model.points(), X.middleRows(start, rows), K);
    // one dot product a row: the value does not depend on the block it stands in
    for (Index j = 0; j < rows; ++j) out.mean(start + j) = model.state().mean + K.col(j).dot(weights.alpha);
    front = trend.features(X.middleRows(start, rows));
    if (front.rows() > 0)
      for (Index j = 0; j < rows; ++j) out.mean(start + j) += front.col(j).dot(weights.front);
    if (out.variance.size() == 0) continue;
    d.resize(rows);
    model.kernel().diagonal(X.middleRows(start, rows), d);
    const Vector unit = factor ? variance_by_factor(model, *factor, K, d, front, product)
                               : variance_by_solves(model, K, d, front);
    out.variance.segment(start, rows) = model.v() * unit;
  }
}

}  // namespace

void require_in_reach(const StreamingGP& model, const ConstMatrixView& X) {
  const Trend& trend = model.state().trend;
  require(trend.active() == 0 || std::isfinite(trend.features(X).squaredNorm() * model.v()), "input",
          "the rows have values so large that the trend overflows there.");
}

Prediction predict(const StreamingGP& model, const ConstMatrixView& X, bool variance, Checkpoint check) {
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  const Index M = model.size(), N = X.rows();
  require_in_reach(model, X);
  Prediction out{Vector(N), Vector(variance ? N : 0)};
  // what is derived when it is asked for is asked for here, before there are threads
  const PosteriorWeights& weights = model.weights();
  const VarianceFactor* factor = variance && VarianceFactor::pays(N, M) ? model.variance_factor() : nullptr;
  const int threads =
      threads_for(static_cast<double>(M) * static_cast<double>(variance ? M : 20) * static_cast<double>(N));
  const Index step = (threads == 1 ? 512 : 16 * 512) * threads;
  for (Index start = 0; start < N; start += step) {
    check();
    in_parts(std::min(step, N - start), threads, [&](Index, Index from, Index count) {
      predict_rows(model, weights, factor, X, start + from, count, out);
    });
  }
  return out;
}

Matrix covariance(const StreamingGP& model, const ConstMatrixView& X, Checkpoint check) {
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  require_in_reach(model, X);
  const Index N = X.rows();
  const auto by_columns = [&](Index cost, const auto& part) {  // of a column, in multiplications
    const Index step = std::max<Index>(1, 200000000 / std::max<Index>(cost, 1));
    for (Index from = 0; from < N; from += step) {
      check();
      part(from, std::min(step, N - from));
    }
  };
  Matrix prior(model.size(), N), posterior, K(N, N), A;
  by_columns(model.size() * model.size(), [&](Index from, Index count) {
    const ConstMatrixView rows = X.middleRows(from, count);
    model.state().basis.features(model.kernel(), rows, A);
    prior.middleCols(from, count) = A;
    A = in_front(model.state().trend.features(rows), std::move(A));
    solve_lower(model.factor(), MatrixView(A));
    posterior.conservativeResize(A.rows(), N);
    posterior.middleCols(from, count) = A;
  });
  by_columns(N * (model.size() + posterior.rows() + 20), [&](Index from, Index count) {
    MatrixView part = K.middleCols(from, count);
    model.kernel().value(X, X.middleRows(from, count), part);
    part.noalias() -= prior.transpose() * prior.middleCols(from, count);
    part.noalias() += posterior.transpose() * posterior.middleCols(from, count);
    part *= model.v();
  });
  return K;
}

PointPosterior point_posterior(const StreamingGP& model) {
  const Index M = model.size();
  Vector mean = model.xi() * model.weights().a.tail(M);
  mean = model.state().basis.L.view().triangularView<Eigen::Lower>() * mean;
  const Matrix front = model.state().trend.features(model.points());
  if (front.rows() > 0) mean += front.transpose() * model.weights().front;
  Matrix root = in_front(front, lower(model.state().basis.L.view()).transpose());  // C^-1 (.; L')
  solve_lower(model.factor(), MatrixView(root));
  Matrix covariance = Matrix::Zero(M, M);
  add_outer(covariance, root.transpose());
  return {mean.array() + model.state().mean, model.v() * symmetric(covariance)};
}

bool has_slope(const Kernel& kernel, Index D, Index d) {
  const Matrix somewhere = Matrix::Zero(1, D);
  return kernel.along(somewhere, somewhere, d).has_value();
}

namespace {

// Of a block of rows, unit amplitude: the mean, w_x and C^-1 w~_x, a column a row.
struct SlopeRows {
  Vector mean;
  Matrix w, root;
};

SlopeRows slope_rows(const StreamingGP& model, const ConstMatrixView& X, Index d, bool spread) {
  const Trend& trend = model.state().trend;
  SlopeRows out;
  const Vector rise = trend.slopes(d);
  out.w = model.kernel().along(model.points(), X, d)->b;
  out.mean = out.w.transpose() * model.weights().alpha;
  if (rise.size() > 0) out.mean.array() += rise.dot(model.weights().front);
  if (!spread) return out;
  solve_lower(model.state().basis.L.view(), MatrixView(out.w));
  out.root = in_front(rise.replicate(1, X.rows()), out.w);
  solve_lower(model.factor(), MatrixView(out.root));
  return out;
}

void require_slope(const StreamingGP& model, const ConstMatrixView& X, Index d) {
  require(X.cols() == model.columns() && d >= 0 && d < X.cols(), "dimension",
          "the rows do not fit the model.");
  require(has_slope(model.kernel(), X.cols(), d), "parameter",
          "the function has no slope along column " + std::to_string(d + 1) + ": its kernel is too rough.");
}

void require_finite(bool finite) {
  require(finite, "input", "the function is so steep there that its slope overflows.");
}

}  // namespace

Prediction derivative(const StreamingGP& model, const ConstMatrixView& X, Index d, bool variance,
                      Checkpoint check) {
  require_slope(model, X, d);
  const Index N = X.rows();
  Prediction out{Vector(N), Vector(variance ? N : 0)};
  constexpr Index block = 512;
  for (Index from = 0; from < N; from += block) {
    check();
    const Index n = std::min(block, N - from);
    const ConstMatrixView rows = X.middleRows(from, n);
    const SlopeRows here = slope_rows(model, rows, d, variance);
    out.mean.segment(from, n) = here.mean;
    if (!variance) continue;
    Vector left(n);
    for (Index i = 0; i < n; ++i)
      left(i) = model.kernel().along(rows.middleRows(i, 1), rows.middleRows(i, 1), d)->ab(0, 0);
    left = (left - here.w.colwise().squaredNorm().transpose()).cwiseMax(0.0);
    out.variance.segment(from, n) = model.v() * (left + here.root.colwise().squaredNorm().transpose());
  }
  require_finite(out.mean.allFinite() && out.variance.allFinite());
  return out;
}

Matrix derivative_covariance(const StreamingGP& model, const ConstMatrixView& X, Index d) {
  require_slope(model, X, d);
  const SlopeRows here = slope_rows(model, X, d, true);
  Matrix out = model.kernel().along(X, X, d)->ab;
  out.noalias() -= here.w.transpose() * here.w;
  out.noalias() += here.root.transpose() * here.root;
  out *= model.v();
  require_finite(out.allFinite());
  return out;
}

}  // namespace gpstream
