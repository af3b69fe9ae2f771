// Gaussian noise of variance phi / weight about f:  om = wt, ga = wt y, q = wt y^2, c = 1/2 log(wt / 2 pi).
// Weights are precisions, as in lm(): B equal rows say of f what one row of weight B says.
#ifndef GPSTREAM_LIKELIHOODS_GAUSSIAN_H
#define GPSTREAM_LIKELIHOODS_GAUSSIAN_H

#include <cmath>

#include "likelihood.h"

namespace gpstream {

class Gaussian final : public Likelihood {
 public:
  std::string name() const override { return "gaussian"; }
  double kappa() const override { return 0.5; }

  PredictivePtr predictive(const ConstVectorView& mean, const ConstVectorView& variance,
                           double dispersion) const override {
    return std::make_unique<GaussianPredictive>(mean, variance, dispersion);
  }

  Sites sites(const ConstVectorView& y, const ConstVectorView& weights) const override {
    const double log_two_pi = 1.8378770664093454;
    Sites out(y.size(), site::columns);
    out.col(site::om) = weights;
    out.col(site::ga) = weights.cwiseProduct(y);
    out.col(site::c) = 0.5 * (weights.array().log() - log_two_pi);
    out.col(site::q) = weights.array() * y.array().square();
    out.col(site::n).setOnes();
    return out;
  }
};

}  // namespace gpstream

#endif
