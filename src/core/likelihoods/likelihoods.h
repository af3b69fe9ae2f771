// The registry of likelihoods: one line each.
#ifndef GPSTREAM_LIKELIHOODS_H
#define GPSTREAM_LIKELIHOODS_H

#include <map>
#include <string>

#include "likelihood.h"

namespace gpstream {

using LikelihoodMaker = LikelihoodPtr (*)(const LikelihoodSpec&);

const std::map<std::string, LikelihoodMaker>& likelihood_registry();

// One that is given by functions is none of them: by its name and numbers alone it can do nothing.
LikelihoodPtr make_likelihood(const LikelihoodSpec& spec);
inline LikelihoodPtr make_likelihood(const std::string& name) {
  return make_likelihood(LikelihoodSpec{name});
}

}  // namespace gpstream

#endif
