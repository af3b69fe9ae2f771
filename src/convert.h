// Between R values and the core's plain data. Matrices from R are viewed, never kept.
#ifndef GPSTREAM_CONVERT_H
#define GPSTREAM_CONVERT_H

#include <RcppEigen.h>

#include "core/core.h"


gpstream::KernelSpec kernel_spec(const Rcpp::List& kernel);
Rcpp::List kernel_list(const gpstream::KernelSpec& spec);

gpstream::SelectorSpec selector_spec(const Rcpp::List& selector);
Rcpp::List selector_list(const gpstream::SelectorSpec& spec);

gpstream::Settings model_settings(const Rcpp::List& settings);
gpstream::Index row_limit(double rows);  // Inf: unlimited
double row_limit(gpstream::Index rows);

Rcpp::NumericMatrix history_matrix(const gpstream::History& history);

// The whole state of an object as a plain list, and back. What `as.list()` shows and what is saved.
Rcpp::List state_list(const gpstream::StreamingGP& model);
Rcpp::List state_list(const gpstream::PointSet& set);
template <class T>
T from_state(const Rcpp::List& state);

#endif
