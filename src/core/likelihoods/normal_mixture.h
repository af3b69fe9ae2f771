// Mixtures of normal distributions about f's mean: f and a noise whose variance is not certain.
// [derivation 20]
#ifndef GPSTREAM_NORMAL_MIXTURE_H
#define GPSTREAM_NORMAL_MIXTURE_H

#include <vector>

#include "../linear/types.h"
#include "likelihood.h"
#include "responses.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

// A variance of the noise and its probability.
struct MixtureNode {
  double log_weight, noise, weight = 0.0;
};
using MixtureNodes = std::vector<MixtureNode>;

class NormalMixturePredictive : public RowwisePredictive {
 public:
  NormalMixturePredictive(const Latent& at, double phi) : RowwisePredictive(at), phi_(phi) {}

 protected:
  virtual MixtureNodes nodes(Index i) const = 0;
  virtual double typical_noise(Index) const { return phi_; }
  // Where the mean of |Y| is far above what is usual, or infinite: over how much of log |Y - m| its
  // distribution function is smooth, or infinity where the CRPS is beyond all numbers; otherwise 0.
  virtual double heavy(Index) const { return 0.0; }
  double phi() const { return phi_; }

  double mean_of(Index i) const override { return m(i); }
  double quantile_of(Index i, double p) const override;
  double probability_of(Index i, double y) const override { return tails(i, nodes(i), y - m(i)).below; }
  double log_density_of(Index i, double y) const override;

  // E|Y - y| - E|Y - Y'| / 2.
  double crps_of(Index i, double y) const override;

 private:
  // With Q = 1 - F, which is as large on both sides of the middle, and z = |y - m|: the integrals of Q^2 over
  // r > 0, of (1 - Q)^2 up to z and of Q^2 beyond, all over log r.
  double heavy_crps(Index i, double y) const;

  Tails tails(Index i, const MixtureNodes& all, double r) const;

  double phi_;
};

}  // namespace gpstream

#endif
