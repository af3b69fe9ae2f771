// The registry of likelihoods: one line each.
#ifndef GPSTREAM_LIKELIHOODS_H
#define GPSTREAM_LIKELIHOODS_H

#include <functional>
#include <type_traits>

#include "asymmetric_laplace.h"
#include "bernoulli.h"
#include "binomial.h"
#include "categorical.h"
#include "custom.h"
#include "gamma.h"
#include "gaussian.h"
#include "heteroscedastic.h"
#include "negbin.h"
#include "ordinal.h"
#include "poisson.h"
#include "probit.h"
#include "student.h"
#include "tobit.h"
#include "weibull.h"

namespace gpstream {

using MakeLikelihood = std::function<LikelihoodPtr(const LikelihoodSpec&)>;

template <class Kind>
LikelihoodPtr new_likelihood(const LikelihoodSpec& spec) {
  if constexpr (std::is_constructible_v<Kind, const LikelihoodSpec&>)
    return std::make_shared<Kind>(spec);
  else
    return std::make_shared<Kind>();
}

inline const std::map<std::string, MakeLikelihood>& likelihood_registry() {
  static const std::map<std::string, MakeLikelihood> registry = {
      {"gaussian", new_likelihood<Gaussian>},
      {"bernoulli", new_likelihood<Bernoulli>},
      {"probit", new_likelihood<Probit>},
      {"binomial", new_likelihood<Binomial>},
      {"poisson", new_likelihood<Poisson>},
      {"student", new_likelihood<Student>},
      {"negbin", new_likelihood<Negbin>},
      {"gamma", new_likelihood<Gamma>},
      {"exponential", new_likelihood<Exponential>},
      {"weibull", new_likelihood<Weibull>},
      {"tobit", new_likelihood<Tobit>},
      {"laplace", new_likelihood<Laplace>},
      {"quantile", new_likelihood<Quantile>},
      {"ordinal", new_likelihood<Ordinal>},
      {"categorical", new_likelihood<Categorical>},
      {"heteroscedastic", new_likelihood<Heteroscedastic>},
  };
  return registry;
}

// One that is given by functions is none of them: by its name and numbers alone it can do nothing.
inline LikelihoodPtr make_likelihood(const LikelihoodSpec& spec) {
  if (spec.name == "custom") return std::make_shared<Custom>(spec);
  const auto found = likelihood_registry().find(spec.name);
  require(found != likelihood_registry().end(), "parameter", "there is no likelihood \"" + spec.name + "\".");
  return found->second(spec);
}
inline LikelihoodPtr make_likelihood(const std::string& name) {
  return make_likelihood(LikelihoodSpec{name});
}

}  // namespace gpstream

#endif
