#include "handle.h"

#include "convert.h"

template <class T>
R_altrep_class_t HandleClass<T>::id;

namespace {

R_xlen_t handle_length(SEXP) { return 0; }

// R calls these two from C: BEGIN_RCPP and END_RCPP turn an exception into an R error.
template <class T>
SEXP handle_state(SEXP handle) {
  BEGIN_RCPP
  return state_list(behind<T>(handle));
  END_RCPP
}

template <class T>
SEXP handle_revive(SEXP, SEXP state) {
  BEGIN_RCPP
  return new_handle(from_state<T>(Rcpp::List(state)));
  END_RCPP
}

template <class T>
void register_handle(const char* name, DllInfo* dll) {
  const R_altrep_class_t id = R_make_altraw_class(name, "gpstream", dll);
  HandleClass<T>::id = id;
  R_set_altrep_Length_method(id, handle_length);
  R_set_altrep_Serialized_state_method(id, handle_state<T>);
  R_set_altrep_Unserialize_method(id, handle_revive<T>);
}

}  // namespace

// [[Rcpp::init]]
void register_handles(DllInfo* dll) {
  register_handle<gpstream::StreamingGP>("model", dll);
  register_handle<gpstream::PointSet>("points", dll);
}
