// f and noise of Student's t with nu degrees of freedom: a normal distribution whose variance is
// s2 + phi / W, W ~ Gamma(nu / 2, nu / 2). The sum over log W by the trapezoidal rule is a mixture of normal
// distributions with the same weights in all rows.  [derivation 20]
#ifndef GPSTREAM_STUDENT_PREDICTIVE_H
#define GPSTREAM_STUDENT_PREDICTIVE_H

#include "../linear/types.h"
#include "normal_mixture.h"
#include "responses.h"

namespace gpstream {

// log(1 + z^2) of any z.
double log1p_square(double z);
// log Gamma((nu + 1) / 2) - log Gamma(nu / 2) - log(pi nu) / 2
double student_constant(double nu);

class StudentPredictive final : public NormalMixturePredictive {
 public:
  StudentPredictive(const Latent& at, double phi, double nu);

 protected:
  MixtureNodes nodes(Index) const override { return nodes_; }
  double heavy(Index) const override { return nu_ < 1.3 ? 0.5 : 0.0; }
  double variance_of(Index i) const override {
    return nu_ > 2 ? s2(i) + phi() * nu_ / (nu_ - 2.0) : infinity;
  }

  // So far out that f only adds a trifle, E p(r - f) = p(r) + s2 p''(r) / 2.
  double log_density_of(Index i, double y) const override;

 private:
  static constexpr double far = 1e4;  // in standard deviations

  double nu_;
  MixtureNodes nodes_;
};

}  // namespace gpstream

#endif
