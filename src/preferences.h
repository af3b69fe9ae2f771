// What the user wants of the machine, from R's options: gpstream.backend, gpstream.threads, gpstream.simd.
#ifndef GPSTREAM_PREFERENCES_H
#define GPSTREAM_PREFERENCES_H

#include "gpstream_types.h"

#include "core/linear/machine.h"
#include "core/linear/require.h"
#include "core/linear/vector/lanes.h"

namespace gpstream {

inline Preferences preferences_of_r() {
  static const SEXP backend = Rf_install("gpstream.backend"), threads = Rf_install("gpstream.threads"),
                    simd = Rf_install("gpstream.simd");
  Preferences out;
  const SEXP name = Rf_GetOption1(backend);
  if (!Rf_isNull(name)) {
    const bool string = TYPEOF(name) == STRSXP && Rf_xlength(name) == 1 && STRING_ELT(name, 0) != NA_STRING;
    require(string, "parameter",
            "the option `gpstream.backend` must be one string: \"auto\", or the name of a back end (see "
            "?gpstream_info).");
    out.backend = CHAR(STRING_ELT(name, 0));
  }
  const SEXP number = Rf_GetOption1(threads);
  if (!Rf_isNull(number)) {
    const bool numeric = (TYPEOF(number) == INTSXP || TYPEOF(number) == REALSXP) && Rf_xlength(number) == 1;
    const double value = numeric ? Rf_asReal(number) : 0.0;
    require(value >= 1 && value <= 1024, "parameter",
            "the option `gpstream.threads` must be one number from 1 to 1024.");
    out.threads = static_cast<int>(value);
  }
  const SEXP wide = Rf_GetOption1(simd);
  if (!Rf_isNull(wide)) {
    const bool flag = TYPEOF(wide) == LGLSXP && Rf_xlength(wide) == 1 && LOGICAL(wide)[0] != NA_LOGICAL;
    require(flag, "parameter", "the option `gpstream.simd` must be TRUE or FALSE.");
  }
  vector::use_wide_vectors(Rf_isNull(wide) || LOGICAL(wide)[0] != 0);
  return out;
}

}  // namespace gpstream

#endif
