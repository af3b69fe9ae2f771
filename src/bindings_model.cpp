// The model: convert, call, return.
#include <cstring>

#include "convert_state.h"
#include "core/file/state_record.h"
#include "core/kernels/kernels.h"
#include "core/learn/change.h"
#include "core/learn/follow.h"
#include "core/learn/learn.h"
#include "core/learn/scale.h"
#include "core/model/outputs.h"
#include "core/model/unlearn.h"
#include "core/read/coefficients.h"
#include "core/read/components.h"
#include "core/read/derivative.h"
#include "core/read/gradient.h"
#include "core/read/levels.h"
#include "core/read/predict.h"
#include "core/read/streaming_bound.h"
#include "handle.h"
#include "register.h"

using namespace gpstream;

namespace {

constexpr double largest_output = 1e140;  // as in R/gp-input.R: squares beyond it overflow

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

// Several outputs stand one after the other.
Sample sample_of(const Eigen::Map<Matrix>& x, const Eigen::Map<Vector>& y, const Eigen::Map<Vector>& weights,
                 Told told = Told()) {
  const Index n = x.rows();
  if (n == 0 || y.size() % n != 0 || y.size() == n) {
    Sample out{x, y, weights.size() > 0 ? Vector(weights) : Vector::Ones(y.size())};
    out.told = std::move(told);
    return out;
  }
  Sample out{x, y.head(n), weights.size() > 0 ? Vector(weights) : Vector::Ones(n)};
  out.told = std::move(told);
  out.told.others = Eigen::Map<const Matrix>(y.data() + n, n, y.size() / n - 1);
  return out;
}

// f(model of an output), for all of them.
template <class Function>
Vector of_outputs(const StreamingGP& model, const Function& f) {
  Vector out(model.outputs());
  for (Index k = 0; k < out.size(); ++k) out(k) = f(model.latent(k));
  return out;
}
// A column each; one is a vector.
SEXP wrap_outputs(const Vector& first, const Matrix& others) {
  if (others.cols() == 0) return Rcpp::wrap(first);
  Matrix all(first.size(), 1 + others.cols());
  all << first, others;
  return Rcpp::wrap(all);
}

// A model that the user changes by hand: rivals, which know nothing of it, must not take over.
StreamingGP& given_anew(SEXP handle) {
  StreamingGP& model = behind<StreamingGP>(handle);
  model.learner().rivals.clear();
  model.learner().glance.resize(0);
  return model;
}

}  // namespace

void register_models(DllInfo* dll) { register_handle<StreamingGP>("model", dll); }

// A model for a first batch, which it does not learn yet; before any row, one that knows nothing.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_new(Rcpp::List spec, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                 const Eigen::Map<Eigen::VectorXd> more, const Eigen::Map<Eigen::VectorXd> offset) {
  return classed([&] {
    const Eigen::Map<Vector> none(nullptr, 0);
    const Sample first = sample_of(x, y, none, {more, offset});
    return new_handle(started(wishes_of(spec), first.X, first.y, first.told));
  });
}

// Learn a batch; no weights: all 1. `more`, `offset`: what was observed beside y, or nothing. FALSE, with the
// model unchanged, when the batch is the first to exceed the selector's limit and `stop_when_full`.
// [[Rcpp::export(rng = false)]]
bool core_gp_learn(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                   const Eigen::Map<Eigen::VectorXd> weights, const Eigen::Map<Eigen::VectorXd> more,
                   const Eigen::Map<Eigen::VectorXd> offset, Rcpp::List spec, bool stop_when_full) {
  return classed([&] {
    return learn(behind<StreamingGP>(handle), sample_of(x, y, weights, {more, offset}), wishes_of(spec),
                 stop_when_full, check_interrupt);
  });
}

// The short way for the many: numbers as they should be, for a model that only absorbs them. FALSE, with the
// model unchanged, where anything is otherwise; then R looks closer, and says what it is.
// [[Rcpp::export(rng = false)]]
bool core_gp_take(SEXP state, SEXP x, SEXP y) {
  return classed([&] {
    const SEXP plain = list_element(state, "plain");
    if (TYPEOF(plain) != LGLSXP || Rf_xlength(plain) != 1 || LOGICAL(plain)[0] != 1) return false;
    if (TYPEOF(y) != REALSXP || ATTRIB(y) != R_NilValue) return false;
    StreamingGP& model = behind<StreamingGP>(list_element(state, "handle"));
    const R_xlen_t rows = Rf_xlength(y), columns = model.columns();
    const SEXP frame = list_element(state, "frame"), D = list_element(frame, "D"),
               names = list_element(frame, "names");
    const bool number = (TYPEOF(D) == REALSXP || TYPEOF(D) == INTSXP) && Rf_xlength(D) == 1;
    if (!number || Rf_asReal(D) != static_cast<double>(columns) ||
        (!Rf_isNull(names) && Rf_xlength(names) != columns))
      return false;
    if (rows == 0 || !is_plain_matrix(x, rows, columns)) return false;
    const Eigen::Map<const Matrix> X(REAL(x), rows, columns);
    const Eigen::Map<const Vector> Y(REAL(y), rows);
    if (!X.allFinite() || !(Y.cwiseAbs().maxCoeff() <= largest_output)) return false;
    return absorb_plainly(model, X, Y, check_interrupt);
  });
}

// Learn what is named in `what`, given or not, on a copy: its handle, and whether signal or noise could not
// be seen. No weights: all 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_optimize(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x,
                            const Eigen::Map<Eigen::VectorXd> y, const Eigen::Map<Eigen::VectorXd> weights,
                            Rcpp::List spec, std::vector<std::string> what, int steps) {
  return classed([&] {
    StreamingGP model = behind<StreamingGP>(handle);
    const BestScale scale =
        optimize(model, sample_of(x, y, weights), wishes_of(spec), what, steps, check_interrupt);
    const Rcpp::RObject made = new_handle(std::move(model));
    return Rcpp::List::create(_["handle"] = made, _["no_signal"] = scale.no_signal,
                              _["no_noise"] = scale.no_noise);
  });
}

// How far a model has come with what it learns by itself; what a state of an older format kept elsewhere is
// handed in.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_learning(SEXP handle) {
  return classed([&] {
    const Learning& now = behind<StreamingGP>(handle).state().learning;
    return Rcpp::List::create(_["known"] = now.known, _["warm"] = now.warm, _["fitted"] = now.fitted,
                              _["scaled"] = now.scaled,
                              _["due"] = scale_due(behind<StreamingGP>(handle).state()));
  });
}

// What a model that goes on learning its kernel has done; `follows` FALSE for one that does not.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_learner(SEXP handle) {
  return classed([&] {
    const State& state = behind<StreamingGP>(handle).state();
    const Learner& learner = state.learner;
    Rcpp::NumericVector evidence;
    for (const auto& one : learner.last.evidence) evidence[one.first] = one.second;
    Rcpp::List out;
    out["follows"] = learner.memory.limit() > 0 && !state.shard;
    out["learned"] = learner.learned;
    out["next_"] = learner.next;
    out["rivals"] = static_cast<int>(learner.rivals.size());
    out["changes"] = learner.changes;
    out["moves"] = learner.moves;
    out["origin"] = learner.memory.origin();
    out["memory"] = static_cast<double>(learner.memory.rows().size());
    out["family"] = learner.last.family;
    out["evidence"] = evidence;
    return out;
  });
}

// The half-lives that compete, the one in use first, with their scores.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_half_lives(SEXP handle) {
  return classed([&] {
    const State& state = behind<StreamingGP>(handle).state();
    std::vector<double> half_life{state.fading().half_life}, score{state.bank.score};
    for (const Strand& one : state.bank.strands) {
      half_life.push_back(one.half_life);
      score.push_back(one.score);
    }
    return Rcpp::List::create(_["half_life"] = half_life, _["score"] = score);
  });
}

// The rows that are kept to learn from, with their numbers in the stream.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_memory(SEXP handle) {
  return classed([&] {
    const Memory& memory = behind<StreamingGP>(handle).state().learner.memory;
    const Sample rows = memory.rows();
    const Rcpp::NumericMatrix x = Rcpp::wrap(rows.X);
    const Rcpp::RObject y = wrap_outputs(rows.y, rows.told.others);
    const Rcpp::NumericVector weights = Rcpp::wrap(rows.weights);
    const Rcpp::NumericVector row = Rcpp::wrap(rows.numbers);
    return Rcpp::List::create(_["row"] = row, _["x"] = x, _["y"] = y, _["weights"] = weights);
  });
}

// How the intervals of a model, of its output `k`, are corrected; see core_log_factor().
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_calibration(SEXP handle, int k = 1) {
  return classed(
      [&] { return vector_of(behind<StreamingGP>(handle).state().learner.calibration_of(k - 1).values()); });
}

// The logarithm of the factor by which an interval of each level is wider than the model says.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_log_factor(const Eigen::VectorXd& calibration, const Eigen::VectorXd& level) {
  return classed([&] {
    require(calibration.size() == static_cast<Index>(Calibration::fields), "input",
            "this is not the calibration of a model.");
    std::array<double, Calibration::fields> values;
    std::copy(calibration.data(), calibration.data() + calibration.size(), values.begin());
    const Calibration found = Calibration::of(values);
    Vector out(level.size());
    for (Index i = 0; i < out.size(); ++i) out(i) = found.log_factor(level(i));
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
void core_gp_adopt(SEXP handle, bool warm, double fitted, double wait, double scaled) {
  classed([&] { behind<StreamingGP>(handle).set_learning({true, warm, fitted, wait, scaled, 0.0}); });
}

// Below this number of rows nothing is learned.
// [[Rcpp::export(rng = false)]]
double core_few_rows() { return few_rows; }

// [[Rcpp::export(rng = false)]]
double core_gp_nobs(SEXP handle) {
  return classed([&] { return behind<StreamingGP>(handle).state().counters.seen; });
}

// [[Rcpp::export(rng = false)]]
int core_gp_size(SEXP handle) {
  return classed([&] { return static_cast<int>(behind<StreamingGP>(handle).size()); });
}

// The streaming bound of a batch that is not absorbed, and its terms.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_gp_bound(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x,
                                  const Eigen::Map<Eigen::VectorXd> y) {
  return classed([&] {
    const StreamingBound out = streaming_bound(behind<StreamingGP>(handle), x, y, check_interrupt);
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
    const Sample rows = open_rows(model);
    const Rcpp::NumericMatrix inputs = Rcpp::wrap(rows.X);
    const Rcpp::RObject outputs = wrap_outputs(rows.y, rows.told.others);
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
    list["log_ratio"] = out.log_ratio;
    list["points"] = out.Z;
    return list;
  });
}

// Of several latent functions, one after the other.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_predict(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, bool variance) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Index n = x.rows(), K = model.latents();
    Rcpp::NumericVector mean(n * K), var(variance ? n * K : 0);
    for (Index k = 0; k < K; ++k) {
      const Prediction out = predict(model.latent(k), x, variance, check_interrupt);
      std::copy(out.mean.data(), out.mean.data() + n, mean.begin() + k * n);
      if (variance) std::copy(out.variance.data(), out.variance.data() + n, var.begin() + k * n);
    }
    return Rcpp::List::create(
        _["mean"] = mean, _["variance"] = var,
        _["noise"] = of_outputs(model, [](const StreamingGP& one) { return one.s2(); }));
  });
}

// Name and parameters of the likelihood as they are now.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_likelihood(SEXP handle) {
  return classed([&] { return likelihood_list(*behind<StreamingGP>(handle).state().likelihood); });
}

// The functions of R that a likelihood is made of, for a model that was saved without them.
// [[Rcpp::export(rng = false)]]
void core_gp_bind(SEXP handle, Rcpp::List likelihood) {
  classed([&] {
    StreamingGP& model = behind<StreamingGP>(handle);
    const auto* own = dynamic_cast<const Custom*>(model.state().likelihood.get());
    if (own != nullptr && !own->is_bound()) model.set_likelihood(likelihood_from(likelihood));
  });
}

// The sites of all rows of the look-back are made anew, to the last digits that the steps can tell; a model
// whose sites stay what they are is not touched.
// [[Rcpp::export(rng = false)]]
void core_gp_refresh(SEXP handle) {
  classed([&] { behind<StreamingGP>(handle).refresh(check_interrupt, 1e-12); });
}

// What the points leave of the prior variance of each row, relative to the kernel's.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_residual(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    require(x.cols() == model.columns(), "dimension", "the rows do not fit the model.");
    Matrix A;
    Vector out(x.rows());
    for (Index from = 0; from < x.rows(); from += 512) {
      check_interrupt();
      const Index count = std::min<Index>(512, x.rows() - from);
      out.segment(from, count) = model.state().basis.features(model.kernel(), x.middleRows(from, count), A);
    }
    return out;
  });
}

// Of latent function `k`, counted from 1.
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_gp_covariance(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, int k = 1) {
  return classed([&] { return covariance(behind<StreamingGP>(handle).latent(k - 1), x, check_interrupt); });
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
    const State& state = model.state();
    Rcpp::List out;
    out["kernel"] = kernel_list(model.kernel().spec());
    out["select"] = selector_list(state.selector->spec());
    out["noise"] = of_outputs(model, [](const StreamingGP& one) { return one.s2(); });
    out["mean"] = of_outputs(model, [](const StreamingGP& one) { return one.state().mean; });
    out["variance"] = of_outputs(model, [](const StreamingGP& one) { return one.v(); });
    out["outputs"] = static_cast<int>(model.outputs());
    out["trend"] = trend_list(model);
    out["lookback"] = rows_or_infinite(state.open.limit());
    out["columns"] = static_cast<int>(model.columns());
    out["size"] = static_cast<int>(model.size());
    out["nobs"] = state.counters.held();
    out["unlearned"] = state.counters.unlearned;
    out["shard"] = state.shard;
    out["batches"] = state.history.now.batch;
    out["window"] = static_cast<double>(state.open.size());
    out["refused"] = state.counters.refused;
    out["turned_away"] = state.counters.turned_away;
    out["set_aside"] = state.counters.set_aside;
    out["forgotten"] = state.counters.forgotten;
    out["fades"] = state.fades();
    out["removed"] = state.counters.removed;
    out["divergence"] = state.counters.divergence;
    out["implausible"] = state.counters.implausible;
    out["tau"] = model.tau();
    return out;
  });
}

// Of several outputs, a number each.
// [[Rcpp::export(rng = false)]]
void core_gp_set_scale(SEXP handle, const Eigen::VectorXd& variance, const Eigen::VectorXd& noise,
                       const Eigen::VectorXd& mean) {
  classed([&] {
    StreamingGP& model = given_anew(handle);
    const Index count = model.outputs();
    require(variance.size() == count && noise.size() == count && mean.size() == count, "dimension",
            "each output needs a variance, a noise and a mean.");
    StreamingGP next = model;
    next.each_output([&](StreamingGP& one, Index k) { one.set_scale(variance(k), noise(k), mean(k)); });
    model = std::move(next);
  });
}

// The trend, and its coefficients as the data leave them; apart from the other settings, because this reads
// the posterior.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_trend(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Coefficients beta = coefficients(model);
    Rcpp::List out = trend_list(model);
    out["coefficients"] = beta.mean;
    out["cov"] = beta.covariance;
    return out;
  });
}

// Variance and constant mean of each latent function.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_functions(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    Vector variance(model.latents()), mean(model.latents());
    for (Index k = 0; k < model.latents(); ++k) {
      variance(k) = model.latent(k).v();
      mean(k) = coefficients(model.latent(k)).mean(0);
    }
    return Rcpp::List::create(_["variance"] = variance, _["mean"] = mean);
  });
}

// Other prior variances of the coefficients, over that of the kernel.
// [[Rcpp::export(rng = false)]]
void core_gp_set_trend(SEXP handle, const Eigen::Map<Eigen::VectorXd> ratio) {
  classed([&] { given_anew(handle).each_output([&](StreamingGP& one, Index) { one.set_trend(ratio); }); });
}

// What the objective needs as a function of variance, noise and mean; `trend` is the sum of squares of what
// stands in front of the features.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_spectrum(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const ScaleSums sums = scale_sums(model);
    const Vector front = model.totals().Phi.diagonal().cwiseProduct(model.state().trend.ratio);
    Rcpp::List out;
    out["lambda"] = sums.lambda;
    out["g"] = sums.g;
    out["q"] = sums.q;
    out["n"] = sums.n;
    out["weight"] = sums.so;
    out["sum_y"] = sums.sg;
    out["yy"] = sums.yy;
    out["tau"] = sums.tau;
    out["con"] = sums.con;
    out["offset"] = sums.offset;
    out["trend"] = front.sum();
    return out;
  });
}

// Every row seen so far counts `keep` times what it did.
// [[Rcpp::export(rng = false)]]
void core_gp_forget(SEXP handle, double keep) {
  classed([&] { forget_everywhere(behind<StreamingGP>(handle), keep); });
}

// Rows that were left out.
// [[Rcpp::export(rng = false)]]
void core_gp_count_implausible(SEXP handle, double rows) {
  classed([&] { behind<StreamingGP>(handle).count_implausible(rows); });
}

// [[Rcpp::export(rng = false)]]
void core_gp_note_alarms(SEXP handle, double alarms) {
  classed([&] { behind<StreamingGP>(handle).note_alarms(alarms); });
}

// [[Rcpp::export(rng = false)]]
void core_gp_rebase(SEXP handle, Rcpp::List kernel, const Eigen::MatrixXd& points) {
  classed([&] { given_anew(handle).rebase(make_kernel(kernel_spec(kernel)), points); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_state(SEXP handle) {
  return classed([&] { return state_list(behind<StreamingGP>(handle)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_gp_restore(Rcpp::List state) {
  return classed([&] { return new_handle(from_list(state, static_cast<const StreamingGP*>(nullptr))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_gp_copy(SEXP handle) {
  return classed([&] { return new_handle(StreamingGP(behind<StreamingGP>(handle))); });
}

// One of several outputs, as a model of its own.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_output(SEXP handle, int k) {
  return classed([&] { return new_handle(output_of(behind<StreamingGP>(handle), k - 1)); });
}

// A new model without these rows; `at` NA for a row of the look-back, `weights` NA where none were given.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_unlearn(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                     const Eigen::Map<Eigen::VectorXd> weights, const Eigen::Map<Eigen::VectorXd> at) {
  return classed(
      [&] { return new_handle(unlearned(behind<StreamingGP>(handle), sample_of(x, y, weights), at)); });
}

// The running sums of `HistoryEntry`, a row an entry, the present state last.
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_gp_history(SEXP handle) {
  return classed([&] { return history_matrix(behind<StreamingGP>(handle).state().history, true); });
}

// How many of the outputs that were scored fell into each twentieth of their predictive distribution.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_pit(SEXP handle) {
  return classed([&] { return vector_of(behind<StreamingGP>(handle).state().history.pit); });
}

// How well the newest batch was foretold; `seconds` and `bound` NA where they are not known.
// [[Rcpp::export(rng = false)]]
void core_gp_note(SEXP handle, double scored, double squared, double log_score, double covered,
                  Rcpp::NumericVector pit, double seconds, double bound, double correct, double brier) {
  classed([&] {
    behind<StreamingGP>(handle).note(
        Scores{scored, squared, log_score, covered, seconds, bound, correct, brier}, pit);
  });
}

// What a certificate needs beside the spectrum.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_levels(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const State& state = model.state();
    const Carried& carried = state.settled.carried;
    Rcpp::List out;
    out["tau"] = levels(model);
    out["a"] = model.weights().a;
    out["lost"] = carried.lost;
    out["foreign"] = carried.foreign;
    out["moves"] = state.counters.moves;
    const Totals sums = model.totals();
    out["weighted"] = std::abs(sums.con + 0.5 * sums.n * std::log(6.283185307179586)) > 1e-9 * sums.n;
    return out;
  });
}

// The smallest and the largest eigenvalue of the correlation matrix of the points.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_extremes(SEXP handle) {
  return classed([&] { return extremes(behind<StreamingGP>(handle).state().basis); });
}

// The parts of f at the rows: `mean`, a column each; `cov`, theirs in each row, column after column, where it
// is asked for.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_components(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, bool covariance,
                              bool centred) {
  return classed([&] {
    const Components out = components(behind<StreamingGP>(handle), x, covariance, centred, check_interrupt);
    const Rcpp::NumericMatrix mean = Rcpp::wrap(out.mean), cov = Rcpp::wrap(out.covariance);
    return Rcpp::List::create(_["mean"] = mean, _["cov"] = cov);
  });
}

// The slope of f along a column, of several latent functions one after the other.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_gp_derivative(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, int column, bool variance) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    const Index K = model.latents();
    Matrix mean(x.rows(), K), var(variance ? x.rows() : 0, K);
    for (Index k = 0; k < K; ++k) {
      const Prediction out = derivative(model.latent(k), x, column - 1, variance, check_interrupt);
      mean.col(k) = out.mean;
      if (variance) var.col(k) = out.variance;
    }
    const Rcpp::NumericMatrix slope = Rcpp::wrap(mean), spread = Rcpp::wrap(var);
    return Rcpp::List::create(_["mean"] = slope, _["variance"] = spread);
  });
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd core_gp_derivative_cov(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x, int column) {
  return classed([&] { return derivative_covariance(behind<StreamingGP>(handle).latent(0), x, column - 1); });
}

// Along which columns has the function a slope?
// [[Rcpp::export(rng = false)]]
std::vector<bool> core_gp_smooth(SEXP handle) {
  return classed([&] {
    const StreamingGP& model = behind<StreamingGP>(handle);
    std::vector<bool> out;
    for (Index d = 0; d < model.columns(); ++d) out.push_back(has_slope(model.kernel(), model.columns(), d));
    return out;
  });
}
