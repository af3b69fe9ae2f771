// A likelihood whose functions are R's. R has wrapped them: what comes back are numbers, as many as were
// asked for, or an R error, which unwinds what called it. Not for threads.
#ifndef GPSTREAM_R_LIKELIHOOD_H
#define GPSTREAM_R_LIKELIHOOD_H

#include "gpstream_types.h"

#include "classed.h"
#include "convert.h"
#include "core/likelihoods/custom.h"

namespace gpstream {

CustomFunctions r_functions(const Rcpp::List& from);

class RLikelihood final : public Custom {
 public:
  RLikelihood(const LikelihoodSpec& spec, const Rcpp::List& functions)
      : Custom(spec, r_functions(functions)), functions_(functions) {}
  const Rcpp::List& functions() const { return functions_; }

 private:
  Rcpp::List functions_;
};

}  // namespace gpstream

#endif
