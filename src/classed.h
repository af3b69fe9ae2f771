// The core's errors as R conditions.
#ifndef GPSTREAM_CLASSED_H
#define GPSTREAM_CLASSED_H

#include "gpstream_types.h"

#include <new>
#include <string>

#include "core/linear/require.h"

// Ctrl-C, and the error of setTimeLimit(): both are jumps of R, which must unwind what called this.
inline void check_interrupt() {
  const auto ask = [](void*) -> SEXP {
    R_CheckUserInterrupt();
    return R_NilValue;
  };
  Rcpp::unwindProtect(ask, nullptr);
}

// Runs f; what it throws arrives in R with class gpstream_error_<kind>.
template <class Function>
auto classed(Function f) -> decltype(f()) {
  std::string kind, message;
  try {
    return f();
  } catch (const gpstream::Error& error) {
    kind = error.kind();
    message = error.what();
  } catch (const std::bad_alloc&) {
    kind = "memory";
    message = "there is not enough memory for this step; the object is unchanged.";
  }
  Rcpp::Function stop_core = Rcpp::Environment::namespace_env("gpstream")["stop_core"];
  stop_core(kind, message);
  throw gpstream::Error(kind, message);  // not reached
}

#endif
