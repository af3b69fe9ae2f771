// The objective of rows that need not be in one place, in pieces that add up.  [derivation 6, 23]
//   forwards    each row adds its site to the evidence (settle.h), under a kernel and points
//   at the end  from all of the evidence: F, the best noise, and an adjoint, which is all that a row has to
//               be told to say how F changes with its features
//   backwards   each row adds to the slopes by the parameters of the kernel and by the points; what k1(Z, Z)
//               and the amplitude add is known at the end
// With G = I + xi P, a = G^-1 b and Q = xi G^-1 P (= I - G^-1 without the cancellation), ga and b measured
// from the trend:
//   dF/dW = xi (Q W diag(om) + a (ga - xi om .* W'a)' / phi)
//   dF/dk1(Z, X) = L^-T dF/dW    dF/dk1(x, x) = -xi om / 2
//   dF/dk1(Z, Z) = -1/2 L^-T xi (Q P + a a'/phi) L^-1
// Where coefficients of the trend are integrated out, P, G, Q, b and a have them in front (in_front.h), and
// dF/dW are the rows of the points: W~ stands for W, Q loses its first rows, a in front of a transpose its
// first entries; dF/dk1(Z, Z) has the last block of Q P and of a a'. What is in front depends on the ratios
// only:
//   dF/dlog ratio_j = 1/2 (xi a_j^2 / phi - Q_jj)
#ifndef GPSTREAM_ADJOINT_H
#define GPSTREAM_ADJOINT_H

#include <optional>

#include "../evidence/absorb.h"
#include "objective.h"

namespace gpstream {

struct Slope {
  double objective, noise;  // F, and the noise it holds for
  Vector kernel;            // dF/d(parameters of the kernel), the noise fixed
  double log_noise;
  Vector log_ratio;  // of the coefficients that are integrated out
  Matrix Z;
};

// What rows are told.
struct Adjoint {
  double xi, phi;
  Vector trend;     // what is known of it
  Vector a, alpha;  // G^-1 b, and xi L^-T times its part of the points
  Matrix Q;         // xi L^-T Q
};

// What rows answer: slopes by the kernel's parameters, and by points, where these are asked for.
struct RowSlopes {
  Vector kernel;
  Matrix Z;

  RowSlopes(const Kernel& of, Index points, Index columns)
      : kernel(Vector::Zero(of.parameter_count())), Z(Matrix::Zero(points, columns)) {}
};

// A <- L^-T A L^-1 for symmetric A
inline void both_sides(const Basis& basis, Matrix& A) {
  solve_lower_transposed(basis.L.view(), MatrixView(A));
  A = A.transpose().eval();
  solve_lower_transposed(basis.L.view(), MatrixView(A));
}

// The end: all but what the rows add to the slopes. `mean` is measured from the offset; without a noise, it
// is the best one, the kernel's variances being in units of it.  [derivation 3]
inline Slope read_slope(const Evidence& evidence, const Basis& basis, const Kernel& kernel,
                        const Trend& trend, double mean, const std::optional<double>& noise, double kappa,
                        bool points, Adjoint& back) {
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

// Backwards: rows with features A and sites S.
inline void pull_rows(const Basis& basis, const Kernel& kernel, const Trend& trend, const Adjoint& back,
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

// The slopes by the points that were kept, in the places that all had.
inline Matrix in_their_places(const Matrix& slopes, const std::vector<Index>& kept, Index all) {
  Matrix out = Matrix::Zero(slopes.rows() > 0 ? all : 0, slopes.cols());
  for (Index i = 0; i < slopes.rows(); ++i) out.row(kept[static_cast<std::size_t>(i)]) = slopes.row(i);
  return out;
}

}  // namespace gpstream

#endif
