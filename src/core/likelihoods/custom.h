// A likelihood that is given by functions from elsewhere, log p(y | f) first of all, for all rows and nodes
// at once. Expectations are by the trapezoidal rule, and so are their slopes, as those of the normal density
// are known.  [derivation 20]
//   e = E log p      de/dm = E z log p / s      p = -2 de/ds2 = -E (z^2 - 1) log p / s2      f = m + s z
// Where log p is not concave p may come out negative; it is then 0, and the step as long as it helps.
#ifndef GPSTREAM_LIKELIHOODS_CUSTOM_H
#define GPSTREAM_LIKELIHOODS_CUSTOM_H

#include <map>
#include <string>
#include <utility>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "custom_predictive.h"
#include "likelihood.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

class Custom : public Likelihood {
 public:
  // As it is read from a file: without functions, which are missed when they are needed.
  explicit Custom(const LikelihoodSpec& spec, CustomFunctions functions = CustomFunctions())
      : numbers_(spec.numbers), functions_(std::move(functions)) {}

  LikelihoodSpec spec() const override;
  double unit() const override { return functions_.unit; }
  std::string refuses(double y, double) const override { return refuses_infinite(y); }
  bool is_bound() const { return functions_.log_density != nullptr; }

  Latent start(const Responses& rows, double) const override;
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override;

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override;

 private:
  void require_bound() const;

  std::map<std::string, double> numbers_;
  CustomFunctions functions_;
};

}  // namespace gpstream

#endif
