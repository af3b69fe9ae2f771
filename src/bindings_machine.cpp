// The machine, and what is registered with R when the package is loaded: convert, call, return.
#include "blas.h"
#include "classed.h"
#include "core/linear/linalg.h"
#include "preferences.h"
#include "register.h"

using namespace gpstream;
using Rcpp::_;

// [[Rcpp::init]]
void register_core(DllInfo* dll) {
  preferences = preferences_of_r;
  try {
    preferences();          // options that were there before
  } catch (const Error&) {  // the first one who asks is told
  }
  if (backends().back().name != "blas")
    backends().push_back(blas_backend());  // unloaded and loaded again, it may be there still
  register_models(dll);
  register_sets(dll);
}

// The back end in use, all there are, and the seconds each took in the race.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_machine() {
  return classed([&] {
    std::vector<std::string> names;
    for (const Backend& one : backends()) names.push_back(one.name);
    const Rcpp::NumericVector seconds = Rcpp::wrap(raced());
    const Rcpp::CharacterVector all = Rcpp::wrap(names);
    const Preferences now = preferences();
    return Rcpp::List::create(
        _["backend"] = backend().name, _["threads"] = now.threads, _["simd"] = vector::wide_vectors(),
        _["backends"] = all, _["seconds"] = seconds,
        _["eigen"] = std::vector<int>{EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION});
  });
}

// One bare operation by the back end in use, in place: A is the triangle, or what is added; B is what
// changes. For tests, and as the yardstick of the benchmark. (FALSE from "cholesky": not positive definite.)
// [[Rcpp::export(rng = false)]]
bool core_bare(std::string operation, const Eigen::Map<Eigen::MatrixXd> A, Eigen::Map<Eigen::MatrixXd> B) {
  return classed([&] {
    if (operation == "solve")
      solve_lower(A, MatrixView(B));
    else if (operation == "solve_transposed")
      solve_lower_transposed(A, MatrixView(B));
    else if (operation == "outer")
      add_outer(B, A);
    else if (operation == "cholesky")
      return cholesky(B);
    return true;
  });
}

// out <- R'B
// [[Rcpp::export(rng = false)]]
void core_bare_multiply(const Eigen::Map<Eigen::MatrixXd> R, const Eigen::Map<Eigen::MatrixXd> B,
                        Eigen::Map<Eigen::MatrixXd> out) {
  classed([&] { multiply_transposed(R, B, MatrixView(out)); });
}

// out <- A B
// [[Rcpp::export(rng = false)]]
void core_bare_product(const Eigen::Map<Eigen::MatrixXd> A, const Eigen::Map<Eigen::MatrixXd> B,
                       Eigen::Map<Eigen::MatrixXd> out) {
  classed([&] { multiply(A, B, MatrixView(out)); });
}
