// Between R values and the core's plain data.
#ifndef GPSTREAM_CONVERT_H
#define GPSTREAM_CONVERT_H

#include <RcppEigen.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/core.h"

namespace gpstream {

using Rcpp::_;

// f(name) for each named entry of a list.
template <class Function>
void each_name(const Rcpp::List& list, Function f) {
  if (!list.hasAttribute("names")) return;
  const Rcpp::CharacterVector names = list.names();
  for (R_xlen_t i = 0; i < names.size(); ++i) f(Rcpp::as<std::string>(names[i]));
}

// Is this R value what a T is read from? (Asked before Rcpp is, whose own answer to a wrong type is to abort
// in debug builds.)
template <class T>
bool holds(SEXP value) {
  if (std::is_same<T, std::string>::value) return TYPEOF(value) == STRSXP && Rf_xlength(value) == 1;
  if (std::is_same<T, Rcpp::List>::value) return TYPEOF(value) == VECSXP;
  const bool numeric = TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP || TYPEOF(value) == LGLSXP;
  return numeric && (!std::is_same<T, Matrix>::value || Rf_isMatrix(value));
}

// One named entry of a list from R or from a file, of the type asked for.
template <class T>
T entry(const Rcpp::List& list, const char* name) {
  require(list.containsElementNamed(name), "corrupt", std::string("the state has no `") + name + "`.");
  const SEXP value = list[name];
  require(holds<T>(value), "corrupt", std::string("`") + name + "` in the state is of the wrong type.");
  return Rcpp::as<T>(value);
}

inline double number(const Rcpp::List& list, const char* name) {
  const Vector value = entry<Vector>(list, name);
  require(value.size() == 1 && !std::isnan(value(0)), "corrupt",
          std::string("`") + name + "` in the state must be one number.");
  return value(0);
}

inline KernelSpec kernel_spec(const Rcpp::List& kernel) {
  KernelSpec spec;
  each_name(kernel, [&](const std::string& name) {
    if (name == "name")
      spec.name = entry<std::string>(kernel, "name");
    else if (name == "variance")
      spec.variance = number(kernel, "variance");
    else if (name == "lengthscale")
      spec.lengthscale = entry<Vector>(kernel, "lengthscale");
    else if (name == "parts")
      for (const SEXP part : entry<Rcpp::List>(kernel, "parts")) {
        require(holds<Rcpp::List>(part), "corrupt", "a part of a kernel is not a kernel.");
        spec.parts.push_back(kernel_spec(part));
      }
    else
      spec.extras[name] = number(kernel, name.c_str());
  });
  return spec;
}

inline Rcpp::List kernel_list(const KernelSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  if (spec.parts.empty()) {
    out["lengthscale"] = spec.lengthscale;
    out["variance"] = spec.variance;
  } else {
    Rcpp::List parts;
    for (const KernelSpec& part : spec.parts) parts.push_back(kernel_list(part));
    out["variance"] = spec.variance;
    out["parts"] = parts;
  }
  for (const auto& extra : spec.extras) out[extra.first] = extra.second;
  out.attr("class") = "gpstream_kernel";
  return out;
}

inline SelectorSpec selector_spec(const Rcpp::List& selector) {
  SelectorSpec spec;
  each_name(selector, [&](const std::string& name) {
    if (name == "name")
      spec.name = entry<std::string>(selector, "name");
    else if (name == "points")
      spec.points = entry<Matrix>(selector, "points");
    else if (name == "optimize_points")
      spec.optimize_points = number(selector, "optimize_points") != 0;
    else if (holds<std::string>(selector[name]))
      spec.words[name] = entry<std::string>(selector, name.c_str());
    else
      spec.numbers[name] = number(selector, name.c_str());
  });
  return spec;
}

inline Rcpp::List selector_list(const SelectorSpec& spec) {
  Rcpp::List out = Rcpp::List::create(_["name"] = spec.name);
  for (const auto& one : spec.numbers) out[one.first] = one.second;
  for (const auto& one : spec.words) out[one.first] = one.second;
  if (spec.optimize_points) out["optimize_points"] = true;
  if (spec.points.size() > 0) out["points"] = spec.points;
  out.attr("class") = "gpstream_selector";
  return out;
}

// Points that R puts forward along with a batch: list(points =, rows =), rows from 1 or NA.
inline Proposal proposed(const Rcpp::Nullable<Rcpp::List>& proposal) {
  if (proposal.isNull()) return Proposal();
  const Rcpp::List list(proposal);
  Proposal out{entry<Matrix>(list, "points"), entry<Vector>(list, "rows")};
  require(out.rows.size() == out.points.rows(), "dimension", "a proposal needs one row number a point.");
  out.rows = out.rows.unaryExpr([](double row) { return std::isnan(row) ? -1.0 : row - 1.0; });
  return out;
}

// A number of rows; in R, Inf stands for no limit.
inline Index rows_from_r(double rows) {
  require(rows >= 0, "parameter", "`lookback` must not be negative.");
  return rows >= static_cast<double>(unlimited) ? unlimited : static_cast<Index>(rows);
}
inline double rows_to_r(Index rows) { return rows == unlimited ? R_PosInf : static_cast<double>(rows); }

inline Settings model_settings(const Rcpp::List& settings) {
  Settings out;
  out.kernel = make_kernel(kernel_spec(entry<Rcpp::List>(settings, "kernel")));
  out.selector = make_selector(selector_spec(entry<Rcpp::List>(settings, "select")));
  out.noise = number(settings, "noise");
  out.mean = number(settings, "mean");
  out.lookback = rows_from_r(number(settings, "lookback"));
  require(std::isfinite(out.noise) && out.noise > 0, "parameter", "`noise` must be positive and finite.");
  return out;
}

// One row an entry: the columns are those of `HistoryEntry`. `with_now` adds the present state where it is
// not kept.
inline Rcpp::NumericMatrix history_matrix(const History& history, bool with_now) {
  std::vector<HistoryEntry> entries = history.kept;
  if (with_now && history.now.batch > 0 && !history.is_kept()) entries.push_back(history.now);
  Rcpp::NumericMatrix out(static_cast<int>(entries.size()), static_cast<int>(HistoryEntry::fields));
  for (int row = 0; row < out.nrow(); ++row) {
    const auto values = entries[static_cast<std::size_t>(row)].values();
    for (int i = 0; i < out.ncol(); ++i) out(row, i) = values[static_cast<std::size_t>(i)];
  }
  return out;
}

template <class Numbers>
Rcpp::NumericVector numbers(const Numbers& values) {
  return Rcpp::NumericVector(values.begin(), values.end());
}

// The whole state of an object as a plain list, and back: what `as.list()` shows and what is saved.
inline Rcpp::List state_list(const StreamingGP& model) {
  const StreamingGP::Saved saved = model.saved();
  Rcpp::List out;
  out["kernel"] = kernel_list(saved.settings.kernel->spec());
  out["select"] = selector_list(saved.settings.selector->spec());
  out["noise"] = saved.settings.noise;
  out["mean"] = saved.settings.mean;
  out["lookback"] = rows_to_r(saved.settings.lookback);
  out["offset"] = saved.offset;
  out["Z"] = Matrix(saved.basis.Z.view());
  out["L"] = lower(saved.basis.L.view());
  out["P"] = lower(saved.evidence.P.view());
  out["b"] = Vector(saved.evidence.b.view());
  out["h"] = Vector(saved.evidence.h.view());
  out["n"] = saved.evidence.n;
  out["sum_y"] = saved.evidence.sum_y;
  out["yy"] = saved.evidence.yy;
  out["tau"] = Vector(saved.evidence.tau.view());
  out["carried"] = saved.evidence.carried.tau;
  out["lost"] = saved.evidence.carried.lost;
  out["norm"] = saved.evidence.carried.norm;
  out["foreign"] = saved.evidence.carried.foreign;
  out["window_x"] = saved.window.inputs();
  out["window_y"] = saved.window.outputs();
  out["window_r"] = saved.window.residuals();
  out["window_w"] = Matrix(saved.window.features());
  out["refused"] = saved.counters.refused;
  out["turned_away"] = saved.counters.turned_away;
  out["moves"] = saved.counters.moves;
  out["history"] = history_matrix(saved.history, false);
  out["history_now"] = numbers(saved.history.now.values());
  out["history_stride"] = saved.history.stride;
  out["pit"] = numbers(saved.history.pit);
  out["factored"] = saved.factor.has_value();
  out["C"] = saved.factor ? *saved.factor : Matrix(0, 0);
  out["pending"] = saved.pending;
  return out;
}

// Such states do not say how what they carry came about: from another kernel, for all they know. Nor do they
// say whether points were ever moved: what is in the look-back carries no trace of it.
inline bool before_format_3(const Rcpp::List& state) {
  for (const char* name : {"lost", "norm", "foreign", "moves"})
    if (state.containsElementNamed(name)) return false;
  return true;
}

inline Carried carried_from(const Rcpp::List& state) {
  const double tau = number(state, "carried");
  if (before_format_3(state)) return {tau, 0.0, 0.0, tau > 0 ? number(state, "n") : 0.0};
  return {tau, number(state, "lost"), number(state, "norm"), number(state, "foreign")};
}

// Such states were factored when they were saved, and knew no scores.
inline bool before_format_4(const Rcpp::List& state) {
  for (const char* name : {"history_now", "pit", "factored", "pending"})
    if (state.containsElementNamed(name)) return false;
  return true;
}

template <std::size_t size>
std::array<double, size> numbers_from(const Rcpp::List& state, const char* name) {
  const Vector values = entry<Vector>(state, name);
  require(values.size() == static_cast<Index>(size), "corrupt",
          std::string("`") + name + "` in the state has another length.");
  std::array<double, size> out;
  std::copy(values.data(), values.data() + size, out.begin());
  return out;
}

inline History history_from(const Rcpp::List& state) {
  const bool old = before_format_4(state);
  const Matrix kept = entry<Matrix>(state, "history");
  const Index fields = old ? 3 : static_cast<Index>(HistoryEntry::fields);
  require(kept.cols() == fields && kept.rows() <= static_cast<Index>(History::limit), "corrupt",
          "`history` in the state has another size.");
  const auto entry_of = [&](const RowVector& row) {
    auto values = HistoryEntry().values();
    std::copy(row.data(), row.data() + fields, values.begin());
    return HistoryEntry::of(values);
  };
  History out;
  out.stride = number(state, "history_stride");
  for (Index i = 0; i < kept.rows(); ++i) out.kept.push_back(entry_of(kept.row(i)));
  if (old) {
    const double points = static_cast<double>(entry<Matrix>(state, "Z").rows());
    out.now.batch = number(state, "history_batches");
    out.now.nobs = number(state, "n");
    out.now.points = points;
  } else {
    out.now = HistoryEntry::of(numbers_from<HistoryEntry::fields>(state, "history_now"));
    out.pit = numbers_from<History::bins>(state, "pit");
  }
  return out;
}

template <class T>
T from_state(const Rcpp::List& state);

template <>
inline StreamingGP from_state<StreamingGP>(const Rcpp::List& state) {
  const Matrix Z = entry<Matrix>(state, "Z");
  Basis basis{GrowingMatrix(Z), GrowingMatrix(entry<Matrix>(state, "L"))};
  Evidence evidence;
  evidence.P = GrowingMatrix(entry<Matrix>(state, "P"));
  evidence.b = GrowingVector(entry<Vector>(state, "b"));
  evidence.h = GrowingVector(entry<Vector>(state, "h"));
  evidence.n = number(state, "n");
  evidence.sum_y = number(state, "sum_y");
  evidence.yy = number(state, "yy");
  evidence.tau = GrowingVector(entry<Vector>(state, "tau"));
  evidence.carried = carried_from(state);

  const Settings settings = model_settings(state);
  const Matrix x = entry<Matrix>(state, "window_x"), w = entry<Matrix>(state, "window_w");
  const Vector y = entry<Vector>(state, "window_y"), r = entry<Vector>(state, "window_r");
  const Index rows = x.rows();
  require(x.cols() == Z.cols() && y.size() == rows && r.size() == rows && w.cols() == rows &&
              w.rows() == Z.rows() && rows <= settings.lookback,
          "corrupt", "the saved state does not fit together.");
  Window window(settings.lookback, Z.cols(), Z.rows());
  window.reserve(Z.rows(), rows);
  window.push(x, y, r, w);

  const double moves = before_format_3(state) ? 1.0 : number(state, "moves");
  Counters counters{number(state, "refused"), number(state, "turned_away"), moves};
  const bool old = before_format_4(state), factored = old || number(state, "factored") != 0;
  const Matrix C = entry<Matrix>(state, "C");
  require(factored || C.size() == 0, "corrupt", "the saved state does not fit together.");
  return StreamingGP(StreamingGP::Saved{settings, number(state, "offset"), std::move(basis),
                                        std::move(evidence), std::move(window), counters, history_from(state),
                                        factored ? std::optional<Matrix>(C) : std::nullopt,
                                        old ? Matrix(Z.rows(), 0) : entry<Matrix>(state, "pending")});
}

inline Rcpp::List state_list(const PointSet& set) {
  Rcpp::List out;
  out["kernel"] = kernel_list(set.kernel().spec());
  out["select"] = selector_list(set.selector().spec());
  out["points"] = Matrix(set.points());
  out["index"] = Rcpp::wrap(set.index());
  out["seen"] = set.seen();
  return out;
}

template <>
inline PointSet from_state<PointSet>(const Rcpp::List& state) {
  return PointSet(make_kernel(kernel_spec(entry<Rcpp::List>(state, "kernel"))),
                  make_selector(selector_spec(entry<Rcpp::List>(state, "select"))),
                  entry<Matrix>(state, "points"), entry<std::vector<double>>(state, "index"),
                  number(state, "seen"));
}

}  // namespace gpstream

#endif
