// The exact evidence of rows at hand, and its slopes: of order n^3, for a few hundred rows.  [derivation 15]
//   y ~ N(0, C)    C = v K1 + T diag(tau) T' + s2 diag(1 / w)
// Backwards, with a = C^-1 y and Q = a a' - C^-1 the slope by C is Q / 2, so
//   by k1(X, X):  v Q / 2     by log s2:  s2/2 sum Q_ii / w_i     by log tau_j:  tau_j/2 t_j'Q t_j
// and by log v, v/2 tr(Q K1), what these leave of tr(Q C) / 2 = (y'a - n) / 2.
#ifndef GPSTREAM_LEARN_EXACT_H
#define GPSTREAM_LEARN_EXACT_H

#include <algorithm>

#include "../kernels/kernel.h"
#include "../linear/types.h"

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
  ExactEvidence(Matrix X, Vector y, const Vector& weights, Matrix T, Vector known, double faded = 0.0);

  Index size() const { return y_.size(); }
  double count() const { return static_cast<double>(size()) - faded_; }

  // `trend` is the variance in common. NaN where C has no Cholesky factor. The value is that of outputs
  // measured in units of which the square is `unit`: the same to rounding, whatever units they came in.
  ExactSlope operator()(const Kernel& kernel, double noise, double trend, double unit = 1.0);

 private:
  // each(first, width): the columns in panels, short enough to stay in cache and to leave out most of what
  // lies above the diagonal, wide enough for the back ends.
  template <class Each>
  static void each_panel(Index n, const Each& each) {
    constexpr Index panel = 48;
    for (Index j = 0; j < n; j += panel) each(j, std::min(panel, n - j));
  }

  void set_covariance(const Kernel& kernel, double noise, const Vector& tau);

  // (L L')^-1 as the sum over panels of L^-T, which is 0 below its diagonal: n^3 operations with those of the
  // factor, where the solve of a full unit matrix and its square would take twice as many.
  void set_inverse();

  // Each pair of rows once: what is below the diagonal counts twice.
  void pull_back(const Kernel& kernel, const Vector& a, VectorView slope) const;

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
