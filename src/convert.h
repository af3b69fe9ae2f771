// Between R values and the core's plain data.
#ifndef GPSTREAM_CONVERT_H
#define GPSTREAM_CONVERT_H

#include "gpstream_types.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/learn/given.h"
#include "core/select/selector.h"

namespace gpstream {

using Rcpp::_;

// f(name) for each named entry of a list.
template <class Function>
void each_name(const Rcpp::List& list, Function f) {
  if (!list.hasAttribute("names")) return;
  const Rcpp::CharacterVector names = list.names();
  for (R_xlen_t i = 0; i < names.size(); ++i) f(Rcpp::as<std::string>(names[i]));
}

// Is this R value what a T is read from? (Asked before Rcpp is, whose own answer to a wrong type is to abort
// in debug builds.)
template <class T>
bool holds(SEXP value) {
  if (std::is_same<T, std::string>::value) return TYPEOF(value) == STRSXP && Rf_xlength(value) == 1;
  if (std::is_same<T, Rcpp::List>::value) return TYPEOF(value) == VECSXP;
  const bool numeric = TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP || TYPEOF(value) == LGLSXP;
  return numeric && (!std::is_same<T, Matrix>::value || Rf_isMatrix(value));
}

// One named entry of a list from R or from a file, of the type asked for.
template <class T>
T entry(const Rcpp::List& list, const char* name) {
  require(list.containsElementNamed(name), "corrupt", std::string("the state has no `") + name + "`.");
  const SEXP value = list[name];
  require(holds<T>(value), "corrupt", std::string("`") + name + "` in the state is of the wrong type.");
  return Rcpp::as<T>(value);
}

double number(const Rcpp::List& list, const char* name);

// A kernel with parts left open: NULL, "ard" for a lengthscale, the number of knots instead of knots.
GivenKernel given_kernel(const Rcpp::List& kernel);

// One of which nothing is open.
KernelSpec kernel_spec(const Rcpp::List& kernel);

Rcpp::List kernel_list(const KernelSpec& spec);

SelectorSpec selector_spec(const Rcpp::List& selector);

Rcpp::List selector_list(const SelectorSpec& spec);

}  // namespace gpstream

#endif
