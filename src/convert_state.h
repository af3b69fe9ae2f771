// The state of a model as a plain list, and back: what `as.list()` shows and what is saved. And what the user
// gave it.
#ifndef GPSTREAM_CONVERT_STATE_H
#define GPSTREAM_CONVERT_STATE_H

#include "convert.h"
#include "core/core.h"

namespace gpstream {

inline SEXP r_value(double value) { return Rcpp::wrap(value); }
inline SEXP r_value(const std::string& value) { return Rcpp::wrap(value); }
inline SEXP r_value(const Vector& value) { return Rcpp::wrap(value); }
inline SEXP r_value(const Matrix& value) { return Rcpp::wrap(value); }
inline SEXP r_value(const KernelSpec& value) { return kernel_list(value); }
inline SEXP r_value(const SelectorSpec& value) { return selector_list(value); }

inline Rcpp::List list_of(const Record& record) {
  Rcpp::List out;
  for (const auto& field : record.fields()) {
    const Rcpp::Shield<SEXP> value(
        std::visit([](const auto& plain) { return r_value(plain); }, field.second));
    out[field.first] = static_cast<SEXP>(value);
  }
  return out;
}

// Anything else than plain values is left out, and missed by whoever asks for it.
inline Record record_of(const Rcpp::List& list) {
  Record out;
  each_name(list, [&](const std::string& name) {
    const SEXP value = list[name];
    if (name == "kernel" && holds<Rcpp::List>(value))
      out.put(name, kernel_spec(value));
    else if (name == "select" && holds<Rcpp::List>(value))
      out.put(name, selector_spec(value));
    else if (holds<std::string>(value))
      out.put(name, Rcpp::as<std::string>(value));
    else if (holds<Matrix>(value))
      out.put(name, Rcpp::as<Matrix>(value));
    else if (holds<Vector>(value))
      out.put(name, Rcpp::as<Vector>(value));
  });
  return out;
}

inline Rcpp::List state_list(const StreamingGP& model) { return list_of(record(model.state())); }

inline StreamingGP from_list(const Rcpp::List& state, const StreamingGP*) {
  return StreamingGP(restored(record_of(state)));
}

// What the user gave: the arguments of streaming_gp().
inline Wishes wishes_of(const Rcpp::List& spec) {
  Wishes out;
  out.kernel = given_kernel(entry<Rcpp::List>(spec, "kernel"));
  if (spec.containsElementNamed("noise") && !Rf_isNull(spec["noise"])) out.noise = number(spec, "noise");
  const SEXP mean = spec["mean"];
  if (TYPEOF(mean) != STRSXP)
    out.mean = number(spec, "mean");
  else if (entry<std::string>(spec, "mean") == "zero")
    out.mean = 0.0;
  out.select = selector_spec(entry<Rcpp::List>(spec, "select"));
  out.any_rho = number(spec, "any_rho") != 0;
  out.lookback = rows_from(number(spec, "lookback"));
  out.warmup = rows_from(number(spec, "warmup"));
  const std::string learns = entry<std::string>(spec, "optimize");
  out.learns = learns == "none" ? Wishes::nothing : learns == "online" ? Wishes::always : Wishes::at_first;
  return out;
}

}  // namespace gpstream

#endif
