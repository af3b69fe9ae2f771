// The slope of f along column d of the inputs. f is linear in what is known at the points, so its slope is
// normal as well, and exact.  [derivation 2]
//   mean f'(x)         = t'(x)'beta + k_x(x, Z) alpha
//   cov(f'(x), f'(z))  = v (k_xz(x, z) - w_x(x)'w_x(z) + (C^-1 w~_x(x))'(C^-1 w~_x(z)))
// k_x and k_xz being the slopes of k1 by its first and by both inputs, w_x = L^-1 k_x(Z, x), and w~_x that
// with the slopes of the trend in front.
#ifndef GPSTREAM_DERIVATIVE_H
#define GPSTREAM_DERIVATIVE_H

#include "predict.h"

namespace gpstream {

inline bool has_slope(const Kernel& kernel, Index D, Index d) {
  const Matrix somewhere = Matrix::Zero(1, D);
  return kernel.along(somewhere, somewhere, d).has_value();
}

// Of a block of rows, unit amplitude: the mean, w_x and C^-1 w~_x, a column a row.
struct SlopeRows {
  Vector mean;
  Matrix w, root;
};

inline SlopeRows slope_rows(const StreamingGP& model, const ConstMatrixView& X, Index d, bool spread) {
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

inline void require_slope(const StreamingGP& model, const ConstMatrixView& X, Index d) {
  require(X.cols() == model.columns() && d >= 0 && d < X.cols(), "dimension",
          "the rows do not fit the model.");
  require(has_slope(model.kernel(), X.cols(), d), "parameter",
          "the function has no slope along column " + std::to_string(d + 1) + ": its kernel is too rough.");
}
inline void require_finite(bool finite) {
  require(finite, "input", "the function is so steep there that its slope overflows.");
}

inline Prediction derivative(const StreamingGP& model, const ConstMatrixView& X, Index d, bool variance,
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

// Joint covariance of the slopes at the rows of X.
inline Matrix derivative_covariance(const StreamingGP& model, const ConstMatrixView& X, Index d) {
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

#endif
