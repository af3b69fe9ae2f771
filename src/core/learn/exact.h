// The exact evidence of rows at hand, and its slopes: of order n^3, for a few hundred rows.  [derivation 15]
//   y ~ N(0, C)    C = v K1 + T diag(tau) T' + s2 diag(1 / w)
// Backwards, with a = C^-1 y and Q = a a' - C^-1 the slope by C is Q / 2, so
//   by k1(X, X):  v Q / 2     by log s2:  s2/2 sum Q_ii / w_i     by log tau_j:  tau_j/2 t_j'Q t_j
// and by log v, v/2 tr(Q K1), what these leave of tr(Q C) / 2 = (y'a - n) / 2.
#ifndef GPSTREAM_LEARN_EXACT_H
#define GPSTREAM_LEARN_EXACT_H

#include <algorithm>
#include <limits>

#include "../kernels/kernel.h"
#include "../linear/linalg.h"

namespace gpstream {

struct ExactSlope {
  double value;   // log N(y; 0, C)
  Vector kernel;  // its slopes by the parameters of the kernel, in their order
  double log_noise, log_trend;
  double log_amplitude = 0.0;  // by that of the kernel as a whole
  Vector shape = Vector();     // by its parameters where the amplitude stays
};

class ExactEvidence {
 public:
  // Weights are precisions; none: all 1. The first functions of the trend, columns of T, have coefficients of
  // the `known` prior variances; those of the others have one variance in common.
  // `faded`: by how many rows all count less than their number says. Their likelihoods to the powers that
  // they count for, which are in the weights, have that many more factors of s2^(1/2).
  ExactEvidence(Matrix X, Vector y, const Vector& weights, Matrix T, Vector known, double faded = 0.0)
      : X_(std::move(X)),
        y_(std::move(y)),
        spread_(weights),
        T_(std::move(T)),
        known_(std::move(known)),
        faded_(faded) {
    if (spread_.size() == 0) spread_ = Vector::Ones(y_.size());
    require(y_.size() > 0 && X_.rows() == y_.size() && spread_.size() == y_.size() &&
                T_.rows() == y_.size() && known_.size() <= T_.cols(),
            "dimension", "rows, outputs, weights and trend must be of one length, and not empty.");
    require((spread_.array() > 0).all() && (known_.array() >= 0).all(), "parameter",
            "weights must be positive, prior variances not negative.");
    spread_ = spread_.cwiseInverse().eval();
  }

  Index size() const { return y_.size(); }
  double count() const { return static_cast<double>(size()) - faded_; }

  // `trend` is the variance in common. NaN where C has no Cholesky factor. The value is that of outputs
  // measured in units of which the square is `unit`: the same to rounding, whatever units they came in.
  ExactSlope operator()(const Kernel& kernel, double noise, double trend, double unit = 1.0) {
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

 private:
  // each(first, width): the columns in panels, short enough to stay in cache and to leave out most of what
  // lies above the diagonal, wide enough for the back ends.
  template <class Each>
  static void each_panel(Index n, const Each& each) {
    constexpr Index panel = 48;
    for (Index j = 0; j < n; j += panel) each(j, std::min(panel, n - j));
  }

  void set_covariance(const Kernel& kernel, double noise, const Vector& tau) {
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

  // (L L')^-1 as the sum over panels of L^-T, which is 0 below its diagonal: n^3 operations with those of the
  // factor, where the solve of a full unit matrix and its square would take twice as many.
  void set_inverse() {
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

  // Each pair of rows once: what is below the diagonal counts twice.
  void pull_back(const Kernel& kernel, const Vector& a, VectorView slope) const {
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

  Matrix X_;
  Vector y_, spread_;  // spread: 1 / w
  Matrix T_;
  Vector known_;
  double faded_;
  // C, then its factor; C^-1. Kept from one place to the next: fresh memory takes as long as the factor.
  Matrix C_, inverse_;
};

}  // namespace gpstream

#endif
