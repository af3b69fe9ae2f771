// A selector on its own: convert, call, return.
#include "convert.h"
#include "core/kernels/kernels.h"
#include "core/select/correlation.h"
#include "core/select/point_set.h"
#include "core/select/proposed.h"
#include "core/select/selectors.h"
#include "handle.h"
#include "register.h"

namespace gpstream {

inline Rcpp::List state_list(const PointSet& set) {
  Rcpp::List out;
  out["kernel"] = kernel_list(set.kernel().spec());
  out["select"] = selector_list(set.selector().spec());
  out["points"] = Matrix(set.points());
  out["index"] = Rcpp::wrap(set.index());
  out["seen"] = set.seen();
  return out;
}

inline PointSet from_list(const Rcpp::List& state, const PointSet*) {
  return PointSet(make_kernel(kernel_spec(entry<Rcpp::List>(state, "kernel"))),
                  make_selector(selector_spec(entry<Rcpp::List>(state, "select"))),
                  entry<Matrix>(state, "points"), entry<std::vector<double>>(state, "index"),
                  number(state, "seen"));
}

}  // namespace gpstream

using namespace gpstream;

namespace {

// Rules that draw random numbers choose in R: R/select-propose.R.
Proposal propose_in_r(const SelectorSpec& rule, const ConstMatrixView& X, const Kernel& kernel, Index have) {
  const Rcpp::Function choose = Rcpp::Environment::namespace_env("gpstream")["propose_points"];
  const Rcpp::RObject chosen =
      choose(selector_list(rule), Matrix(X), kernel_list(kernel.spec()), static_cast<double>(have));
  if (chosen.isNULL()) return Proposal();
  const Rcpp::List list(chosen);
  Proposal out{entry<Matrix>(list, "points"), entry<Vector>(list, "rows")};
  out.rows = out.rows.unaryExpr([](double row) { return std::isnan(row) ? -1.0 : row - 1.0; });
  return out;
}

}  // namespace

void register_sets(DllInfo* dll) {
  propose = propose_in_r;
  register_handle<PointSet>("points", dll);
}

// [[Rcpp::export(rng = false)]]
std::vector<std::string> core_selector_names() {
  std::vector<std::string> names;
  for (const auto& one : selector_registry()) names.push_back(one.first);
  return names;
}

// [[Rcpp::export(rng = false)]]
SEXP core_set_new(Rcpp::List kernel, Rcpp::List selector, int columns) {
  return classed([&] {
    return new_handle(
        PointSet(make_kernel(kernel_spec(kernel)), make_selector(selector_spec(selector)), columns));
  });
}

// One that goes on from points that were chosen elsewhere.
// [[Rcpp::export(rng = false)]]
SEXP core_set_from(Rcpp::List kernel, Rcpp::List selector, const Eigen::MatrixXd& points) {
  return classed([&] {
    return new_handle(PointSet(make_kernel(kernel_spec(kernel)), make_selector(selector_spec(selector)),
                               points, std::vector<double>(static_cast<std::size_t>(points.rows()), 0.0),
                               0.0));
  });
}

// The number of rows that the selector's limit turned away. `variance`, `noise`: of a model, for the rules
// that ask for them.
// [[Rcpp::export(rng = false)]]
double core_set_update(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, double variance = 1.0,
                       double noise = 0.1) {
  return classed([&] { return behind<PointSet>(handle).update(x, check_interrupt, variance, noise); });
}

// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_set_predict(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&] {
    const PointSet& set = behind<PointSet>(handle);
    constexpr Index block = 512;
    Vector out(x.rows());
    for (Index start = 0; start < x.rows(); start += block) {
      check_interrupt();
      const Index rows = std::min(block, x.rows() - start);
      out.segment(start, rows) = highest_correlation(set.kernel(), set.points(), x.middleRows(start, rows));
    }
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_set_state(SEXP handle) {
  return classed([&] { return state_list(behind<PointSet>(handle)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_set_copy(SEXP handle) {
  return classed([&] { return new_handle(PointSet(behind<PointSet>(handle))); });
}
