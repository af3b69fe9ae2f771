// The state of a model as a plain list, and back: what `as.list()` shows and what is saved. And what the user
// gave it.
#ifndef GPSTREAM_CONVERT_STATE_H
#define GPSTREAM_CONVERT_STATE_H

#include "convert.h"
#include "core/file/record.h"
#include "core/learn/wishes.h"
#include "core/model/streaming_gp.h"
#include "r_likelihood.h"

namespace gpstream {

Rcpp::List list_of(const Record& record);

// Anything else than plain values is left out, and missed by whoever asks for it.
Record record_of(const Rcpp::List& list);

Rcpp::List state_list(const StreamingGP& model);

StreamingGP from_list(const Rcpp::List& state, const StreamingGP*);

// A trend: `columns`, counted from 1, with their `centre` and `scale`; `ratio`, the prior variances of the
// coefficients over the kernel's, that of the constant first.
Trend trend_of(const Rcpp::List& list);

// Of several outputs, that of the first and the variances of all, a column each.
Rcpp::List trend_list(const StreamingGP& model);

// One with functions of R, where it is such a one.
LikelihoodPtr likelihood_from(const Rcpp::List& list);

Rcpp::List likelihood_list(const Likelihood& likelihood);

// What the user gave: the arguments of streaming_gp().
Wishes wishes_of(const Rcpp::List& spec);

}  // namespace gpstream

#endif
