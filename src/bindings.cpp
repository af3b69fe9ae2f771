// Every function R can call: convert, call the core, return.
#include <algorithm>
#include <cstring>

#include "blas.h"
#include "handle.h"
#include "preferences.h"

using namespace gpstream;

namespace {

void check_interrupt() { Rcpp::checkUserInterrupt(); }

constexpr double largest_output = 1e140;  // as in R/gp-input.R: squares beyond it overflow

// NULL when there is none of that name.
SEXP list_element(SEXP list, const char* name) {
  if (TYPEOF(list) != VECSXP) return R_NilValue;
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  if (TYPEOF(names) != STRSXP) return R_NilValue;
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i)
    if (std::strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  return R_NilValue;
}

// Doubles with no attributes but their dimensions; a vector is one column.
bool is_plain_matrix(SEXP x, R_xlen_t rows, R_xlen_t columns) {
  if (TYPEOF(x) != REALSXP || Rf_xlength(x) != rows * columns) return false;
  if (ATTRIB(x) == R_NilValue) return columns == 1;
  if (TAG(ATTRIB(x)) != R_DimSymbol || CDR(ATTRIB(x)) != R_NilValue) return false;
  return Rf_isMatrix(x) && Rf_nrows(x) == rows && Rf_ncols(x) == columns;
}

}  // namespace

// [[Rcpp::init]]
void register_core(DllInfo* dll) {
  preferences = preferences_of_r;
  try {
    preferences();          // options that were there before
  } catch (const Error&) {  // the first one who asks is told
  }
  if (backends().back().name != "blas")
    backends().push_back(blas_backend());  // unloaded and loaded again, it may be there still
  register_handle<StreamingGP>("model", dll);
  register_handle<PointSet>("points", dll);
}

// --- the machine

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

// --- kernels and selectors

// [[Rcpp::export(rng = false)]]
std::vector<std::string> core_kernel_names() {
  std::vector<std::string> names;
  for (const auto& one : kernel_registry()) names.push_back(one.first);
  return names;
}

// [[Rcpp::export(rng = false)]]
std::vector<std::string> core_selector_names() {
  std::vector<std::string> names;
  for (const auto& one : selector_registry()) names.push_back(one.first);
  return names;
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_kernel_matrix(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x,
                                   const Eigen::Map<Eigen::MatrixXd> z) {
  return classed([&]() -> Matrix {
    const KernelPtr k = make_kernel(kernel_spec(kernel));
    return k->variance() * k->correlation(x, z);
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_kernel_radius(Rcpp::List kernel, double rho, int columns) {
  return classed([&] { return make_kernel(kernel_spec(kernel))->radius(rho, columns); });
}

// The error of the Nystrom approximation, and the number of points it rests on: those of z that others do not
// give already.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_nystrom_error(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x,
                                       const Eigen::Map<Eigen::MatrixXd> z, std::string norm) {
  return classed([&] {
    const KernelPtr k = make_kernel(kernel_spec(kernel));
    std::vector<Index> kept;
    const Basis basis = given_basis(*k, z, check_interrupt, kept);
    const NystromResidual residual(*k, basis, x, check_interrupt);
    const double error = norm == "trace"       ? residual.trace()
                         : norm == "frobenius" ? residual.frobenius()
                                               : residual.spectral();
    return Rcpp::NumericVector::create(_["error"] = k->variance() * error,
                                       _["points"] = static_cast<double>(kept.size()));
  });
}

// --- the k-DPP of a kernel

// [[Rcpp::export(rng = false)]]
Rcpp::List core_kernel_spectrum(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x, double most_rank,
                                double most_entries) {
  return classed([&] {
    const KernelSpectrum out =
        kernel_spectrum(*make_kernel(kernel_spec(kernel)), x, most_rank, most_entries, check_interrupt);
    const Rcpp::NumericVector values = Rcpp::wrap(out.values);
    return Rcpp::List::create(_["values"] = values, _["rounding"] = out.rounding, _["left"] = out.left);
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_dpp_factor(Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> x, double t) {
  return classed([&] { return dpp_factor(*make_kernel(kernel_spec(kernel)), x, t); });
}

// One set for each column of `u`, uniform numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_dpp_draw(const Eigen::Map<Eigen::MatrixXd> factor, const Eigen::Map<Eigen::MatrixXd> u) {
  return classed([&] {
    Rcpp::List sets(u.cols());
    for (Index i = 0; i < u.cols(); ++i) {
      check_interrupt();
      const std::vector<Index> rows = dpp_draw(factor, u.col(i));
      Rcpp::IntegerVector set(rows.begin(), rows.end());
      sets[i] = set + 1;
    }
    return sets;
  });
}

// --- a selector on its own

// [[Rcpp::export(rng = false)]]
SEXP core_set_new(Rcpp::List kernel, Rcpp::List selector, int columns) {
  return classed([&] {
    return new_handle(
        PointSet(make_kernel(kernel_spec(kernel)), make_selector(selector_spec(selector)), columns));
  });
}

// The number of rows that the selector's limit turned away.
// [[Rcpp::export(rng = false)]]
double core_set_update(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x,
                       Rcpp::Nullable<Rcpp::List> proposal = R_NilValue) {
  return classed([&] { return behind<PointSet>(handle).update(x, check_interrupt, proposed(proposal)); });
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

// --- the model

// With the history of another model, where one is given.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_new(Rcpp::List settings, int columns, SEXP after = R_NilValue) {
  return classed([&] {
    const History past = Rf_isNull(after) ? History() : behind<StreamingGP>(after).history();
    return new_handle(StreamingGP(model_settings(settings), columns, past));
  });
}

// [[Rcpp::export(rng = false)]]
double core_gp_nobs(SEXP handle) {
  return classed([&] { return behind<StreamingGP>(handle).evidence().n; });
}

// [[Rcpp::export(rng = false)]]
int core_gp_size(SEXP handle) {
  return classed([&] { return static_cast<int>(behind<StreamingGP>(handle).size()); });
}

// FALSE, with the model unchanged, when the batch is the first to exceed the selector's limit and
// `stop_when_full`.
// [[Rcpp::export(rng = false)]]
bool core_gp_update(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                    bool stop_when_full, Rcpp::Nullable<Rcpp::List> proposal = R_NilValue) {
  return classed([&] {
    return behind<StreamingGP>(handle).update(x, y, check_interrupt, stop_when_full, proposed(proposal));
  });
}

// The short way for the many: numbers as they should be, in a model that absorbs them and does nothing else
// until it has `until` rows. FALSE, with the model unchanged, where anything is otherwise; then R looks
// closer, and says what it is.
// [[Rcpp::export(rng = false)]]
bool core_gp_take(SEXP state, SEXP x, SEXP y) {
  return classed([&] {
    const SEXP until = list_element(state, "until"), frame = list_element(state, "frame");
    const SEXP wanted = list_element(frame, "D"), names = list_element(frame, "names");
    const auto one_number = [](SEXP value) {
      return (TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP) && Rf_xlength(value) == 1;
    };
    if (!one_number(until) || !one_number(wanted) || TYPEOF(y) != REALSXP || ATTRIB(y) != R_NilValue)
      return false;
    StreamingGP& model = behind<StreamingGP>(list_element(state, "handle"));
    const R_xlen_t rows = Rf_xlength(y), columns = model.columns();
    if (Rf_asReal(wanted) != static_cast<double>(columns) ||
        (!Rf_isNull(names) && Rf_xlength(names) != columns))
      return false;
    if (rows == 0 || model.evidence().n + static_cast<double>(rows) >= Rf_asReal(until)) return false;
    if (!is_plain_matrix(x, rows, columns)) return false;
    const Eigen::Map<const Matrix> X(REAL(x), rows, columns);
    const Eigen::Map<const Vector> Y(REAL(y), rows);
    if (!X.allFinite() || !(Y.cwiseAbs().maxCoeff() <= largest_output)) return false;
    const bool long_enough =
        static_cast<double>(rows) * static_cast<double>(model.size() + model.window().size()) >
        1e4;  // to be interrupted
    return model.update(
        X, Y, long_enough ? check_interrupt : [] {}, true);
  });
}

// The two halves of an update: points join, rows are absorbed.
// [[Rcpp::export(rng = false)]]
void core_gp_grow(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                  Rcpp::Nullable<Rcpp::List> proposal = R_NilValue) {
  classed([&] { behind<StreamingGP>(handle).grow(x, y, check_interrupt, proposed(proposal)); });
}

// [[Rcpp::export(rng = false)]]
void core_gp_absorb(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y) {
  classed([&] { behind<StreamingGP>(handle).absorb(x, y, check_interrupt); });
}

// The streaming bound of a batch that is not absorbed, and its terms.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_gp_bound(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x,
                                  const Eigen::Map<Eigen::VectorXd> y,
                                  Rcpp::Nullable<Rcpp::List> proposal = R_NilValue) {
  return classed([&] {
    const StreamingBound out =
        streaming_bound(behind<StreamingGP>(handle), x, y, check_interrupt, proposed(proposal));
    return Rcpp::NumericVector::create(_["bound"] = out.bound, _["prior"] = out.prior,
                                       _["likelihood"] = out.likelihood, _["old_prior"] = out.old_prior,
                                       _["old_posterior"] = out.old_posterior, _["points"] = out.points);
  });
}

// The rows in the look-back window.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_rows(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Vector y = model.window().outputs().array() + model.offset();
    const Rcpp::NumericMatrix inputs = Rcpp::wrap(model.window().inputs());
    const Rcpp::NumericVector outputs = Rcpp::wrap(y);
    return Rcpp::List::create(_["x"] = inputs, _["y"] = outputs);
  });
}

// The objective of a model and a batch, elsewhere; lives no longer than the search that uses it.
// [[Rcpp::export(rng = false)]]
SEXP core_objective(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y) {
  return classed(
      [&]() -> SEXP { return Rcpp::XPtr<Objective>(new Objective(behind<StreamingGP>(handle), x, y)); });
}

// `noise` NA: the best one.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_objective_at(SEXP objective, Rcpp::List kernel, const Eigen::Map<Eigen::MatrixXd> points,
                             double noise, double mean, bool with_points) {
  return classed([&] {
    const std::optional<double> given = std::isnan(noise) ? std::nullopt : std::optional<double>(noise);
    const Rcpp::XPtr<Objective> F(objective);
    const Slope out =
        (*F)(Place{make_kernel(kernel_spec(kernel)), points, given, mean}, with_points, check_interrupt);
    Rcpp::List list;
    list["objective"] = out.objective;
    list["noise"] = out.noise;
    list["kernel"] = out.kernel;
    list["log_noise"] = out.log_noise;
    list["points"] = out.Z;
    return list;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_predict(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, bool variance) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Prediction out = predict(model, x, variance, check_interrupt);
    const Rcpp::NumericVector mean = Rcpp::wrap(out.mean), var = Rcpp::wrap(out.variance);
    return Rcpp::List::create(_["mean"] = mean, _["variance"] = var, _["noise"] = model.s2());
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_gp_covariance(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&] { return covariance(behind<StreamingGP>(handle), x); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_posterior(SEXP handle) {
  return classed([&] {
    const PointPosterior out = point_posterior(behind<StreamingGP>(handle));
    const Rcpp::NumericVector mean = Rcpp::wrap(out.mean);
    const Rcpp::NumericMatrix cov = Rcpp::wrap(out.covariance);
    return Rcpp::List::create(_["mean"] = mean, _["cov"] = cov);
  });
}

// [[Rcpp::export(rng = false)]]
double core_gp_objective(SEXP handle) {
  return classed([&] { return behind<StreamingGP>(handle).objective(); });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_gp_points(SEXP handle) {
  return classed([&]() -> Matrix { return behind<StreamingGP>(handle).points(); });
}

// The settings and counts, nothing of size M.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_info(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    Rcpp::List out;
    out["kernel"] = kernel_list(model.kernel().spec());
    out["select"] = selector_list(model.settings().selector->spec());
    out["noise"] = model.s2();
    out["mean"] = model.settings().mean;
    out["lookback"] = rows_to_r(model.settings().lookback);
    out["columns"] = static_cast<int>(model.columns());
    out["size"] = static_cast<int>(model.size());
    out["nobs"] = model.evidence().n;
    out["batches"] = model.history().now.batch;
    out["window"] = static_cast<double>(model.window().size());
    out["refused"] = model.counters().refused;
    out["turned_away"] = model.counters().turned_away;
    out["tau"] = model.tau();
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
void core_gp_set_scale(SEXP handle, double variance, double noise, double mean) {
  classed([&] { behind<StreamingGP>(handle).set_scale(variance, noise, mean); });
}

// What the objective needs as a function of variance, noise and mean.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_spectrum(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Spectrum parts = spectrum(model.evidence());
    Rcpp::List out;
    out["lambda"] = parts.lambda;
    out["g"] = parts.g;
    out["q"] = parts.q;
    out["n"] = model.evidence().n;
    out["sum_y"] = model.evidence().sum_y;
    out["yy"] = model.evidence().yy;
    out["tau"] = model.tau();
    out["offset"] = model.offset();
    return out;
  });
}

// What a certificate needs beside the spectrum.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_levels(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Carried& carried = model.evidence().carried;
    Rcpp::List out;
    out["tau"] = levels(model);
    out["a"] = model.weights().a;
    out["lost"] = carried.lost;
    out["foreign"] = carried.foreign;
    out["moves"] = model.counters().moves;
    return out;
  });
}

// The smallest and the largest eigenvalue of the correlation matrix of the points.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_extremes(SEXP handle) {
  return classed([&] { return extremes(behind<StreamingGP>(handle).basis()); });
}

// [[Rcpp::export(rng = false)]]
void core_gp_rebase(SEXP handle, Rcpp::List kernel, const Eigen::MatrixXd& points) {
  classed([&] { behind<StreamingGP>(handle).rebase(make_kernel(kernel_spec(kernel)), points); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_state(SEXP handle) {
  return classed([&] { return state_list(behind<StreamingGP>(handle)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_gp_restore(Rcpp::List state) {
  return classed([&] { return new_handle(from_state<StreamingGP>(state)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_gp_copy(SEXP handle) {
  return classed([&] { return new_handle(StreamingGP(behind<StreamingGP>(handle))); });
}

// The running sums of `HistoryEntry`, a row an entry, the present state last.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix core_gp_history(SEXP handle) {
  return classed([&] { return history_matrix(behind<StreamingGP>(handle).history(), true); });
}

// How many of the outputs that were scored fell into each twentieth of their predictive distribution.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_gp_pit(SEXP handle) {
  return classed([&] { return numbers(behind<StreamingGP>(handle).history().pit); });
}

// How well the newest batch was foretold; `seconds` and `bound` NA where they are not known.
// [[Rcpp::export(rng = false)]]
void core_gp_note(SEXP handle, double scored, double squared, double log_score, double covered,
                  Rcpp::NumericVector pit, double seconds, double bound) {
  classed([&] {
    behind<StreamingGP>(handle).note(Scores{scored, squared, log_score, covered, seconds, bound}, pit);
  });
}
