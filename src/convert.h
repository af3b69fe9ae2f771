// Between R values and the core's plain data.
#ifndef GPSTREAM_CONVERT_H
#define GPSTREAM_CONVERT_H

#include <RcppEigen.h>

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

inline double number(const Rcpp::List& list, const char* name) {
  const Vector value = entry<Vector>(list, name);
  require(value.size() == 1 && !std::isnan(value(0)), "corrupt",
          std::string("`") + name + "` in the state must be one number.");
  return value(0);
}

inline KernelSpec kernel_spec(const Rcpp::List& kernel) {
  KernelSpec spec;
  each_name(kernel, [&](const std::string& name) {
    if (name == "name")
      spec.name = entry<std::string>(kernel, "name");
    else if (name == "variance")
      spec.variance = number(kernel, "variance");
    else if (name == "lengthscale")
      spec.lengthscale = entry<Vector>(kernel, "lengthscale");
    else if (name == "parts")
      for (const SEXP part : entry<Rcpp::List>(kernel, "parts")) {
        require(holds<Rcpp::List>(part), "corrupt", "a part of a kernel is not a kernel.");
        spec.parts.push_back(kernel_spec(part));
      }
    else
      spec.extras[name] = number(kernel, name.c_str());
  });
  return spec;
}

// A kernel with parts left open: NULL, or "ard" for a lengthscale.
inline GivenKernel given_kernel(const Rcpp::List& kernel) {
  GivenKernel out;
  each_name(kernel, [&](const std::string& name) {
    const SEXP value = kernel[name];
    if (name == "name") {
      out.name = entry<std::string>(kernel, "name");
    } else if (name == "lengthscale") {
      out.ard = TYPEOF(value) == STRSXP;
      if (!out.ard && !Rf_isNull(value)) out.lengthscale = entry<Vector>(kernel, "lengthscale");
    } else if (name == "parts") {
      for (const SEXP part : entry<Rcpp::List>(kernel, "parts")) {
        require(holds<Rcpp::List>(part), "corrupt", "a part of a kernel is not a kernel.");
        out.parts.push_back(given_kernel(part));
      }
    } else {
      std::optional<double> given;
      if (!Rf_isNull(value)) given = number(kernel, name.c_str());
      if (name == "variance")
        out.variance = given;
      else
        out.extras.emplace_back(name, given);
    }
  });
  return out;
}

inline Rcpp::List kernel_list(const KernelSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  if (spec.parts.empty()) {
    out["lengthscale"] = spec.lengthscale;
    out["variance"] = spec.variance;
  } else {
    Rcpp::List parts;
    for (const KernelSpec& part : spec.parts) parts.push_back(kernel_list(part));
    out["variance"] = spec.variance;
    out["parts"] = parts;
  }
  for (const auto& extra : spec.extras) out[extra.first] = extra.second;
  out.attr("class") = "gpstream_kernel";
  return out;
}

inline SelectorSpec selector_spec(const Rcpp::List& selector) {
  SelectorSpec spec;
  each_name(selector, [&](const std::string& name) {
    if (name == "name")
      spec.name = entry<std::string>(selector, "name");
    else if (name == "points")
      spec.points = entry<Matrix>(selector, "points");
    else if (name == "optimize_points")
      spec.optimize_points = number(selector, "optimize_points") != 0;
    else if (holds<std::string>(selector[name]))
      spec.words[name] = entry<std::string>(selector, name.c_str());
    else
      spec.numbers[name] = number(selector, name.c_str());
  });
  return spec;
}

inline Rcpp::List selector_list(const SelectorSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  for (const auto& one : spec.numbers) out[one.first] = one.second;
  for (const auto& one : spec.words) out[one.first] = one.second;
  if (spec.optimize_points) out["optimize_points"] = true;
  if (spec.points.size() > 0) out["points"] = spec.points;
  out.attr("class") = "gpstream_selector";
  return out;
}

}  // namespace gpstream

#endif
