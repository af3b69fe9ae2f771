// f and noise E / a - E' / b, E and E' exponential: the asymmetric Laplace distribution, a = tau / phi
// above and b = (1 - tau) / phi below. With z = y - m and
//   U = exp(-a z + a^2 s2 / 2) Phi(z / s - a s)      V = exp(b z + b^2 s2 / 2) Phi(-z / s - b s)
// density a b / (a + b) (U + V), P(Y <= y) = Phi(z / s) - b / (a + b) U + a / (a + b) V.  [derivation 20]
#ifndef GPSTREAM_LAPLACE_PREDICTIVE_H
#define GPSTREAM_LAPLACE_PREDICTIVE_H

#include <utility>

#include "../linear/types.h"
#include "responses.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

class LaplacePredictive final : public RowwisePredictive {
 public:
  LaplacePredictive(const Latent& at, double phi, double tau)
      : RowwisePredictive(at), a_(tau / phi), b_((1.0 - tau) / phi) {}

 protected:
  double mean_of(Index i) const override { return m(i) + 1.0 / a_ - 1.0 / b_; }
  double variance_of(Index i) const override { return s2(i) + 1.0 / (a_ * a_) + 1.0 / (b_ * b_); }
  double quantile_of(Index i, double p) const override;
  double probability_of(Index i, double y) const override { return tails(parts(i, y - m(i))).below; }
  double log_density_of(Index i, double y) const override;

  // E|Y - y| - E|Y - Y'| / 2.
  double crps_of(Index i, double y) const override;

 private:
  struct Parts {
    double below, above, log_U, log_V;  // Phi(z / s), Phi(-z / s)
  };
  Parts parts(Index i, double z) const;
  // log of exp(-k x + k^2 / 2) Phi(x - k): where Phi is small, the density of x over a slope, without a
  // difference of large numbers.
  static double log_product(double k, double x);
  Tails tails(const Parts& of) const;

  // Of noise with both sides of rate k, and a normal variable of standard deviation s: E|.| and its slope
  // in k.
  static std::pair<double, double> away(double k, double s);
  // E|Y - Y'|: the difference is normal, of variance 2 s2, and two such noises, of rates a and b; in partial
  // fractions one or the other.
  double apart(double s) const;

  double a_, b_;
};

}  // namespace gpstream

#endif
