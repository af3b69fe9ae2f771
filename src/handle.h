// A C++ object as an R value that saves itself: a raw vector of length 0 of an ALTREP class, with an external
// pointer inside. R asks such a value for its state when it is serialized, so saveRDS(), workers and forks
// just work.
#ifndef GPSTREAM_HANDLE_H
#define GPSTREAM_HANDLE_H

#include "classed.h"

#include <R_ext/Altrep.h>  // needs R's types before it

// The ALTREP class of handles to a T; registered when the package is loaded.
template <class T>
struct HandleClass {
  inline static R_altrep_class_t id;
};

// R's collector does not see memory that is not its own: after 256 MB of new objects, remind it.
inline void account(double bytes) {
  static double since_collection = 0;
  since_collection += bytes;
  if (since_collection < 256e6) return;
  since_collection = 0;
  R_gc();
}

template <class T>
SEXP new_handle(T object) {
  account(object.bytes());
  Rcpp::XPtr<T> pointer(new T(std::move(object)));
  return R_new_altrep(HandleClass<T>::id, pointer, R_NilValue);
}

// The object behind a handle. Anything else (a field edited by hand, a dead pointer) is an error, never a
// crash.
template <class T>
T& behind(SEXP handle) {
  using gpstream::require;
  // what a handle becomes in version 2 of R's format, which does not ask for its state
  const bool stripped = TYPEOF(handle) == RAWSXP && !ALTREP(handle) && Rf_xlength(handle) == 0;
  require(!stripped, "input",
          "this object was saved with `version = 2` and lost its model; use saveRDS() with version 3, the "
          "default, or save_gp().");
  require(TYPEOF(handle) == RAWSXP && R_altrep_inherits(handle, HandleClass<T>::id), "input",
          "this object was not made by gpstream, or was edited by hand.");
  SEXP pointer = R_altrep_data1(handle);
  require(TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != nullptr, "input",
          "this object has lost its model.");
  return *static_cast<T*>(R_ExternalPtrAddr(pointer));
}

// R calls these from C: BEGIN_RCPP and END_RCPP turn an exception into an R error.
inline R_xlen_t handle_length(SEXP) { return 0; }

inline void* handle_data(SEXP, Rboolean) {
  static Rbyte nothing = 0;
  return &nothing;
}

// Whoever has handles to a T says what its state is: state_list(object), and from_list(state, const T*) back.
template <class T>
SEXP handle_state(SEXP handle) {
  BEGIN_RCPP
  return classed([&] { return state_list(behind<T>(handle)); });
  END_RCPP
}

template <class T>
SEXP handle_revive(SEXP, SEXP state) {
  BEGIN_RCPP
  return classed([&] { return new_handle(from_list(Rcpp::List(state), static_cast<const T*>(nullptr))); });
  END_RCPP
}

template <class T>
void register_handle(const char* name, DllInfo* dll) {
  const R_altrep_class_t id = R_make_altraw_class(name, "gpstream", dll);
  HandleClass<T>::id = id;
  R_set_altrep_Length_method(id, handle_length);
  R_set_altvec_Dataptr_method(id, handle_data);
  R_set_altrep_Serialized_state_method(id, handle_state<T>);
  R_set_altrep_Unserialize_method(id, handle_revive<T>);
}

#endif
