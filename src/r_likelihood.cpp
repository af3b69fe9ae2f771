#include "r_likelihood.h"

#include "gpstream_types.h"
#include "classed.h"
#include "convert.h"
#include "core/likelihoods/custom.h"

namespace gpstream {

namespace {

Vector r_numbers(SEXP value, Index n) {
  require(TYPEOF(value) == REALSXP && Rf_xlength(value) == n, "likelihood",
          "a function of the likelihood gave other numbers than it was asked for.");
  return Eigen::Map<const Vector>(REAL(value), n);
}

}  // namespace

CustomFunctions r_functions(const Rcpp::List& from) {
  CustomFunctions out;
  const auto there = [&](const char* name) {
    return from.containsElementNamed(name) && Rf_isFunction(from[name]);
  };
  const auto of_one = [&](const char* name) -> CustomFunctions::OfOne {
    if (!there(name)) return nullptr;
    const Rcpp::Function call = from[name];
    return [call](const Vector& at) {
      check_interrupt();
      const Rcpp::Shield<SEXP> argument(Rcpp::wrap(at));
      const Rcpp::Shield<SEXP> value(call(static_cast<SEXP>(argument)));
      return r_numbers(value, at.size());
    };
  };
  const auto of_both = [&](const char* name) -> CustomFunctions::OfBoth {
    if (!there(name)) return nullptr;
    const Rcpp::Function call = from[name];
    return [call](const Vector& y, const Vector& f) {
      check_interrupt();
      const Rcpp::Shield<SEXP> first(Rcpp::wrap(y)), second(Rcpp::wrap(f));
      const Rcpp::Shield<SEXP> value(call(static_cast<SEXP>(first), static_cast<SEXP>(second)));
      return r_numbers(value, f.size());
    };
  };
  out.log_density = of_both("log_density");
  out.probability = of_both("cdf");
  out.start = of_one("start");
  out.mean = of_one("mean");
  out.unit = number(from, "unit");
  out.width = number(from, "width");
  return out;
}

}  // namespace gpstream
