#include "likelihoods.h"

#include "../linear/require.h"

namespace gpstream {

// The name of a likelihood in files and in R. Its unit defines
// LikelihoodPtr make_<name>(const LikelihoodSpec&).
#define GPSTREAM_EACH_LIKELIHOOD(LIKELIHOOD) \
  LIKELIHOOD(gaussian)                       \
  LIKELIHOOD(bernoulli)                      \
  LIKELIHOOD(probit)                         \
  LIKELIHOOD(binomial)                       \
  LIKELIHOOD(poisson)                        \
  LIKELIHOOD(student)                        \
  LIKELIHOOD(negbin)                         \
  LIKELIHOOD(gamma)                          \
  LIKELIHOOD(exponential)                    \
  LIKELIHOOD(weibull)                        \
  LIKELIHOOD(tobit)                          \
  LIKELIHOOD(laplace)                        \
  LIKELIHOOD(quantile)                       \
  LIKELIHOOD(ordinal)                        \
  LIKELIHOOD(categorical)                    \
  LIKELIHOOD(heteroscedastic)

#define GPSTREAM_DECLARE(name) LikelihoodPtr make_##name(const LikelihoodSpec& spec);
GPSTREAM_EACH_LIKELIHOOD(GPSTREAM_DECLARE)
#undef GPSTREAM_DECLARE
LikelihoodPtr make_custom(const LikelihoodSpec& spec);

const std::map<std::string, LikelihoodMaker>& likelihood_registry() {
  static const std::map<std::string, LikelihoodMaker> registry = {
#define GPSTREAM_ROW(name) {#name, make_##name},
      GPSTREAM_EACH_LIKELIHOOD(GPSTREAM_ROW)
#undef GPSTREAM_ROW
  };
  return registry;
}

LikelihoodPtr make_likelihood(const LikelihoodSpec& spec) {
  if (spec.name == "custom") return make_custom(spec);
  const auto found = likelihood_registry().find(spec.name);
  require(found != likelihood_registry().end(), "parameter", "there is no likelihood \"" + spec.name + "\".");
  return found->second(spec);
}

}  // namespace gpstream
