// Gaussian noise of variance phi / weight about f:  om = wt, ga = wt y, q = wt y^2, c = 1/2 log(wt / 2 pi).
// Weights are precisions, as in lm(): B equal rows say of f what one row of weight B says.
#ifndef GPSTREAM_LIKELIHOODS_GAUSSIAN_H
#define GPSTREAM_LIKELIHOODS_GAUSSIAN_H

#include <cmath>

#include "likelihood.h"

namespace gpstream {

class Gaussian final : public Likelihood {
 public:
  LikelihoodSpec spec() const override { return {"gaussian"}; }
  double kappa() const override { return 0.5; }
  bool fixed() const override { return true; }
  bool location() const override { return true; }
  bool bounds() const override { return true; }
  std::string refuses(double, double) const override { return ""; }
  Latent start(const Responses& rows, double phi) const override {
    return {rows.y, Vector::Constant(rows.size(), phi)};
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double phi) const override {
    return std::make_unique<GaussianPredictive>(at.mean, at.variance, phi);
  }

  Sites sites(const Responses& rows, const Latent&, double) const override {
    const Vector weights = rows.weights.size() > 0 ? rows.weights : Vector::Ones(rows.size());
    const Vector y = rows.offset.size() > 0 ? Vector(rows.y - rows.offset) : rows.y;
    return sites(y, weights);
  }

  // They do not depend on f.
  static Sites sites(const ConstVectorView& y, const ConstVectorView& weights) {
    const double log_two_pi = 1.8378770664093454;
    Sites out(y.size(), site::columns);
    out.col(site::om) = weights;
    out.col(site::ga) = weights.cwiseProduct(y);
    out.col(site::c) = 0.5 * (weights.array().log() - log_two_pi);
    out.col(site::q) = weights.array() * y.array().square();
    out.col(site::n).setOnes();
    return out;
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double phi) const override {
    return sites(rows, at, phi);
  }
};

}  // namespace gpstream

#endif
