// What the user wants of the machine, from R's options: gpstream.backend, gpstream.threads.
#ifndef GPSTREAM_PREFERENCES_H
#define GPSTREAM_PREFERENCES_H

#include <RcppEigen.h>

#include "core/machine.h"
#include "core/require.h"

namespace gpstream {

inline Preferences preferences_of_r() {
  static const SEXP backend = Rf_install("gpstream.backend"), threads = Rf_install("gpstream.threads");
  Preferences out;
  const SEXP name = Rf_GetOption1(backend);
  if (!Rf_isNull(name)) {
    const bool string = TYPEOF(name) == STRSXP && Rf_xlength(name) == 1 && STRING_ELT(name, 0) != NA_STRING;
    require(string, "parameter", "the option `gpstream.backend` must be one string: \"auto\", or the name of a back end (see ?gpstream_info).");
    out.backend = CHAR(STRING_ELT(name, 0));
  }
  const SEXP number = Rf_GetOption1(threads);
  if (!Rf_isNull(number)) {
    const bool numeric = (TYPEOF(number) == INTSXP || TYPEOF(number) == REALSXP) && Rf_xlength(number) == 1;
    const double value = numeric ? Rf_asReal(number) : 0.0;
    require(value >= 1 && value <= 1024, "parameter", "the option `gpstream.threads` must be one number, 1 or more.");
    out.threads = static_cast<int>(value);
  }
  return out;
}

}  // namespace gpstream

#endif
