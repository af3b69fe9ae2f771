#include "exact.h"

#include <cmath>
#include <limits>
#include <utility>

#include "../linear/linalg.h"
#include "../linear/require.h"

namespace gpstream {

ExactEvidence::ExactEvidence(Matrix X, Vector y, const Vector& weights, Matrix T, Vector known, double faded)
    : X_(std::move(X)),
      y_(std::move(y)),
      spread_(weights),
      T_(std::move(T)),
      known_(std::move(known)),
      faded_(faded) {
  if (spread_.size() == 0) spread_ = Vector::Ones(y_.size());
  require(y_.size() > 0 && X_.rows() == y_.size() && spread_.size() == y_.size() && T_.rows() == y_.size() &&
              known_.size() <= T_.cols(),
          "dimension", "rows, outputs, weights and trend must be of one length, and not empty.");
  require((spread_.array() > 0).all() && (known_.array() >= 0).all(), "parameter",
          "weights must be positive, prior variances not negative.");
  spread_ = spread_.cwiseInverse().eval();
}

ExactSlope ExactEvidence::operator()(const Kernel& kernel, double noise, double trend, double unit) {
  const Index n = size(), q = T_.cols(), free = q - known_.size();
  Vector tau(q);
  tau << known_, Vector::Constant(free, trend);
  set_covariance(kernel, noise, tau);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!cholesky(C_)) return {none, Vector::Constant(kernel.parameter_count(), none), none, none, none};

  // L^-1 (y, T): t'C^-1 t as a square loses nothing to the large variance of a constant
  Matrix U(n, 1 + q);
  U << y_, T_;
  solve_lower(C_, MatrixView(U));
  Vector a = U.col(0);
  const double square = a.squaredNorm(), count = static_cast<double>(n);
  solve_lower_transposed(C_, VectorView(a));
  set_inverse();

  ExactSlope out;
  const double log_determinant = 2.0 * (C_.diagonal().array() / std::sqrt(unit)).log().sum();
  out.value = -0.5 * (square + log_determinant + count * 1.8378770664093454);
  out.log_noise = 0.5 * noise * spread_.dot(a.cwiseAbs2() - inverse_.diagonal());
  const Vector by_tau =
      0.5 * tau.array() *
      ((T_.transpose() * a).array().square() - U.rightCols(q).colwise().squaredNorm().transpose().array());
  out.log_trend = by_tau.tail(free).sum();
  out.log_amplitude = 0.5 * (square - count) - out.log_noise - by_tau.sum();
  out.kernel = out.log_amplitude * kernel.amplitude_slope();
  out.shape = -out.kernel;
  pull_back(kernel, a, out.kernel);
  out.shape += out.kernel;
  out.value += 0.5 * faded_ * std::log(noise / unit);
  out.log_noise += 0.5 * faded_;
  return out;
}

void ExactEvidence::set_covariance(const Kernel& kernel, double noise, const Vector& tau) {
  const Index n = size();
  C_.resize(n, n);
  each_panel(n, [&](Index j, Index width) {
    MatrixView below = C_.block(j, j, n - j, width);
    kernel.value(X_.bottomRows(n - j), X_.middleRows(j, width), below);
    below *= kernel.variance();
  });
  C_.diagonal() += noise * spread_;
  add_outer(C_, T_ * tau.cwiseSqrt().asDiagonal());
}

void ExactEvidence::set_inverse() {
  const Index n = size();
  inverse_.setZero(n, n);
  each_panel(n, [&](Index j, Index width) {
    const Index end = j + width;
    Matrix W = Matrix::Zero(end, width);
    W.bottomRows(width).setIdentity();
    solve_lower_transposed(C_.topLeftCorner(end, end), MatrixView(W));
    add_outer(inverse_.topLeftCorner(end, end), W);
  });
}

void ExactEvidence::pull_back(const Kernel& kernel, const Vector& a, VectorView slope) const {
  const Index n = size();
  Matrix bar, stay(0, X_.cols());
  each_panel(n, [&](Index j, Index width) {
    bar = -inverse_.block(j, j, n - j, width);
    bar.noalias() += a.tail(n - j) * a.segment(j, width).transpose();
    bar *= kernel.variance();
    bar.topRows(width).triangularView<Eigen::StrictlyUpper>().setZero();
    bar.diagonal() *= 0.5;
    kernel.pull_back(X_.bottomRows(n - j), X_.middleRows(j, width), bar, slope, stay);
  });
}

}  // namespace gpstream
