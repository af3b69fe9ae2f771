// Likelihood: how an observation comes from f. To the core it is a function from outputs to sites; with the
// one law
//   E_q[site] = e(mean, variance),    de/dmean = (ga - om mean) / phi,    de/dvariance = -om / (2 phi)
// everything built on sites works for it.  [derivation 2]
#ifndef GPSTREAM_LIKELIHOOD_H
#define GPSTREAM_LIKELIHOOD_H

#include <memory>
#include <string>

#include "../evidence/site.h"
#include "predictive.h"

namespace gpstream {

class Likelihood {
 public:
  virtual ~Likelihood() = default;
  virtual std::string name() const = 0;

  // How often a row counts the log of the dispersion.
  virtual double kappa() const = 0;

  // What new observations may be, from the latent function there.
  virtual PredictivePtr predictive(const ConstVectorView& mean, const ConstVectorView& variance,
                                   double dispersion) const = 0;

  // The sites of rows with outputs y and weights; they do not depend on the posterior.
  virtual Sites sites(const ConstVectorView& y, const ConstVectorView& weights) const = 0;
};

using LikelihoodPtr = std::shared_ptr<const Likelihood>;

}  // namespace gpstream

#endif
