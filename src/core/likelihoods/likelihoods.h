// The registry of likelihoods: one line each.
#ifndef GPSTREAM_LIKELIHOODS_H
#define GPSTREAM_LIKELIHOODS_H

#include <map>

#include "gaussian.h"

namespace gpstream {

inline const std::map<std::string, LikelihoodPtr>& likelihood_registry() {
  static const std::map<std::string, LikelihoodPtr> registry = {
      {"gaussian", std::make_shared<Gaussian>()},
  };
  return registry;
}

inline LikelihoodPtr make_likelihood(const std::string& name) {
  const auto found = likelihood_registry().find(name);
  require(found != likelihood_registry().end(), "parameter", "there is no likelihood \"" + name + "\".");
  return found->second;
}

}  // namespace gpstream

#endif
