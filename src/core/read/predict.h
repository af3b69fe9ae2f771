// Predictions, in blocks so that memory stays O(block x M).  [derivation 2]
//   mean f(x)   = mean + k1(x, Z) alpha
//   var f(x)    = v (r(x) + |C^-1 w|^2)     a sum of squares: never negative; for many rows, see variance.h
//   cov(x, z)   = v (k1(x, z) - w(x)'w(z) + (C^-1 w(x))'(C^-1 w(z)))
// Where coefficients of the trend are integrated out, w~ of in_front.h stands beside C, and the mean has
// their part.
#ifndef GPSTREAM_PREDICT_H
#define GPSTREAM_PREDICT_H

#include <algorithm>

#include "../model/update.h"

namespace gpstream {

struct Prediction {
  Vector mean;
  Vector variance;  // latent; empty when not asked for
};

// Latent variances, unit amplitude, of rows with kernel values K at the points, k1(x, x) = d and `front`, the
// features of the trend; K is used up.
inline Vector variance_by_solves(const StreamingGP& model, MatrixView K, const Vector& d,
                                 const Matrix& front = Matrix()) {
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

inline Vector variance_by_factor(const StreamingGP& model, const VarianceFactor& factor, const Matrix& K,
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
inline void predict_rows(const StreamingGP& model, const PosteriorWeights& weights,
                         const VarianceFactor* factor, const ConstMatrixView& X, Index from, Index count,
                         Prediction& out) {
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

// A trend goes on for ever, but numbers do not.
inline void require_in_reach(const StreamingGP& model, const ConstMatrixView& X) {
  const Trend& trend = model.state().trend;
  require(trend.active() == 0 || std::isfinite(trend.features(X).squaredNorm() * model.v()), "input",
          "the rows have values so large that the trend overflows there.");
}

inline Prediction predict(const StreamingGP& model, const ConstMatrixView& X, bool variance,
                          Checkpoint check) {
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

// Joint covariance of f at the rows of X, some columns at a time.
inline Matrix covariance(
    const StreamingGP& model, const ConstMatrixView& X, Checkpoint check = [] {}) {
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

// Posterior of u = f(Z).
struct PointPosterior {
  Vector mean;
  Matrix covariance;
};

inline PointPosterior point_posterior(const StreamingGP& model) {
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

}  // namespace gpstream

#endif
