#include "state_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "../kernels/kernels.h"
#include "../linear/linalg.h"
#include "../select/selectors.h"
#include "evidence_record.h"
#include "format.h"

namespace gpstream {

double rows_or_infinite(Index rows) {
  return rows == unlimited ? std::numeric_limits<double>::infinity() : static_cast<double>(rows);
}

Index rows_from(double rows) {
  require(rows >= 0, "parameter", "`lookback` must not be negative.");
  return rows >= static_cast<double>(unlimited) ? unlimited : static_cast<Index>(rows);
}

Matrix history_matrix(const History& history, bool with_now) {
  std::vector<HistoryEntry> entries = history.kept;
  if (with_now && history.now.batch > 0 && !history.is_kept()) entries.push_back(history.now);
  Matrix out(static_cast<Index>(entries.size()), static_cast<Index>(HistoryEntry::fields));
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) = vector_of(entries[static_cast<std::size_t>(i)].values()).transpose();
  return out;
}

Matrix trend_matrix(const Trend& trend) {
  Matrix out(trend.size(), 4);
  out.row(0) << 0.0, static_cast<double>(trend.untold), 1.0, trend.ratio(0);
  for (Index j = 1; j < out.rows(); ++j)
    out.row(j) << static_cast<double>(trend.columns[static_cast<std::size_t>(j - 1)] + 1),
        trend.centre(j - 1), trend.scale(j - 1), trend.ratio(j);
  return out;
}

namespace {

Trend trend_from(const Matrix& matrix, Index D) {
  const auto whole = [](bool ok) { require(ok, "corrupt", "`trend` in the state is damaged."); };
  whole(matrix.rows() > 0 && matrix.cols() == 4 && matrix(0, 0) == 0 && matrix(0, 2) == 1);
  const Index slopes = matrix.rows() - 1;
  const double untold = matrix(0, 1);
  whole(untold >= 0 && untold <= static_cast<double>(slopes) && untold == std::floor(untold));
  Trend out{
      {}, matrix.col(1).tail(slopes), matrix.col(2).tail(slopes), matrix.col(3), static_cast<Index>(untold)};
  for (Index j = 1; j <= slopes; ++j) {
    const double column = matrix(j, 0);
    whole(column >= 1 && column <= static_cast<double>(D) && column == std::floor(column));
    out.columns.push_back(static_cast<Index>(column) - 1);
  }
  whole(out.fits(D));
  return out;
}

// Where sites depend on the posterior: when they are made anew, and what the open rows keep for it.
void put_likelihood(const State& state, Record& out) {
  Vector refresh(3);
  refresh << static_cast<double>(state.every), state.tolerance, state.fresh;
  out.put("refresh", refresh);
  out.put("window_told", state.open.told());
}

}  // namespace

void likelihood_from(const Record& record, State& out) {
  LikelihoodSpec spec{record.get<std::string>("likelihood")};
  const Record numbers = record.within("likelihood.");
  for (const auto& one : numbers.fields()) spec.numbers[one.first] = numbers.number(one.first.c_str());
  out.likelihood = make_likelihood(spec);
  if (out.likelihood->fixed()) return;
  const auto [every, tolerance, fresh] = numbers_of<3>(record, "refresh");
  require(every >= 0 && every < 1e15 && every == std::floor(every) && tolerance >= 0 && fresh >= 0, "corrupt",
          "`refresh` in the state is damaged.");
  out.every = static_cast<Index>(every);
  out.tolerance = tolerance;
  out.fresh = fresh;
}

Record record(const State& state) {
  Record out;
  out.put("format", static_cast<double>(format_number));
  out.put("kernel", state.kernel->spec());
  out.put("select", state.selector->spec());
  out.put("likelihood", state.likelihood->name());
  for (const auto& one : state.likelihood->spec().numbers) out.put("likelihood." + one.first, one.second);
  if (!state.likelihood->fixed()) put_likelihood(state, out);
  out.put("noise", state.noise);
  out.put("mean", state.mean);
  out.put("offset", state.offset);
  out.put("trend", trend_matrix(state.trend));
  out.put("lookback", rows_or_infinite(state.open.limit()));
  out.put("Z", Matrix(state.basis.Z.view()));
  out.put("L", lower(state.basis.L.view()));
  out.put("", evidence_record(state.settled));
  out.put("window_x", state.open.inputs());
  out.put("window_y", state.open.outputs());
  out.put("window_r", state.open.residuals());
  out.put("window_s", Matrix(state.open.own_sites()));
  out.put("window_t", state.open.times());
  if (state.open.count_apart() > 0) out.put("window_apart", state.open.apart());
  out.put("window_w", Matrix(state.open.features()));
  Vector fading(3);
  fading << state.fading().half_life, static_cast<double>(state.fading().column + 1), state.fading().now;
  out.put("fading", fading);
  if (!state.bank.empty()) out.put("bank.", bank_record(state.bank));
  out.put("seen", state.counters.seen);
  out.put("refused", state.counters.refused);
  out.put("turned_away", state.counters.turned_away);
  out.put("set_aside", state.counters.set_aside);
  out.put("removed", state.counters.removed);
  out.put("divergence", state.counters.divergence);
  out.put("forgotten", state.counters.forgotten);
  out.put("made_room", state.counters.made_room);
  out.put("used", Vector(state.used.view()));
  out.put("implausible", state.counters.implausible);
  out.put("moves", state.counters.moves);
  out.put("unlearned", state.counters.unlearned);
  const Traces& traces = state.traces;
  Vector counts(2);
  counts << static_cast<double>(traces.lost.size()), static_cast<double>(traces.taken.size());
  out.put("traces", counts);
  out.put("joined", vector_of(traces.joined));
  out.put("lost_rows", traces.lost_matrix());
  out.put("taken", vector_of(traces.taken));
  out.put("shard", state.shard ? 1.0 : 0.0);
  out.put("history", history_matrix(state.history, false));
  out.put("history_now", vector_of(state.history.now.values()));
  out.put("history_stride", state.history.stride);
  out.put("pit", vector_of(state.history.pit));
  const Learning& learning = state.learning;
  Vector remembered(6);
  remembered << learning.known, learning.warm, learning.fitted, learning.wait, learning.scaled,
      learning.until;
  out.put("learning", remembered);
  out.put("factored", state.factor.made() ? 1.0 : 0.0);
  out.put("C", state.factor.made() ? lower(state.factor.C()) : Matrix(0, 0));
  out.put("waiting", state.factor.made() ? Matrix(state.factor.waiting_rows()) : Matrix(0, 0));
  if (state.learner.memory.limit() > 0 || !state.bank.empty())
    out.put("learner.", learner_record(state.learner));
  for (std::size_t k = 0; k < state.sisters.size(); ++k)
    out.put("sister." + std::to_string(k + 1) + ".", record(state.sisters[k]));
  return out;
}

namespace {

// Before format 7 nothing was unlearned or merged, and nobody knew when points had joined.
bool before_traces(const Record& record) { return !record.has("format") || record.number("format") < 7; }

}  // namespace

History history_from(const Record& record) {
  const Matrix& kept = record.get<Matrix>("history");
  const Vector& now = record.get<Vector>("history_now");
  const auto early = static_cast<Index>(HistoryEntry::fields_without_classes);
  const Index fields = before_traces(record) ? static_cast<Index>(HistoryEntry::fields_of_format_6)
                       : now.size() == early ? early
                                             : static_cast<Index>(HistoryEntry::fields);
  require(now.size() == fields, "corrupt", "`history_now` in the state has another length.");
  require(kept.cols() == fields && kept.rows() <= static_cast<Index>(History::limit), "corrupt",
          "`history` in the state has another size.");
  History out;
  // what was not noted then is 0
  const auto entry = [&](const auto& row) {
    std::array<double, HistoryEntry::fields> values{};
    for (Index j = 0; j < fields; ++j) values[static_cast<std::size_t>(j)] = row(j);
    return HistoryEntry::of(values);
  };
  for (Index i = 0; i < kept.rows(); ++i) out.kept.push_back(entry(kept.row(i)));
  out.stride = record.number("history_stride");
  out.now = entry(now);
  out.pit = numbers_of<History::bins>(record, "pit");
  return out;
}

void traces_from(const Record& record, State& out) {
  if (before_traces(record)) {
    out.traces.lose_all(out.counters.seen, out.size());
    return;
  }
  const auto whole = [](bool ok) { require(ok, "corrupt", "what is known of when rows left is damaged."); };
  const Vector &joined = record.get<Vector>("joined"), &taken = record.get<Vector>("taken");
  const Matrix& lost = record.get<Matrix>("lost_rows");
  const auto counts = numbers_of<2>(record, "traces");
  const double seen = out.counters.seen;
  whole(joined.size() == out.size() && lost.cols() == 2 && lost.allFinite() && taken.allFinite());
  whole(static_cast<double>(lost.rows()) == counts[0] && static_cast<double>(taken.size()) == counts[1]);
  whole(joined.size() == 0 || (joined.allFinite() && joined.minCoeff() >= -1 && joined.maxCoeff() <= seen &&
                               std::is_sorted(joined.data(), joined.data() + joined.size())));
  out.traces.joined.assign(joined.data(), joined.data() + joined.size());
  out.traces.taken.assign(taken.data(), taken.data() + taken.size());
  for (Index i = 0; i < lost.rows(); ++i) out.traces.lost.push_back({lost(i, 0), lost(i, 1)});
  out.counters.unlearned = record.number("unlearned");
  whole(out.counters.unlearned >= 0 && out.counters.unlearned <= seen);
  out.shard = record.number("shard") != 0;
}

void check_whole(const State& state, bool some) {
  const Index M = state.size(), D = state.columns(), q = state.trend.size();
  const auto whole = [](bool ok) { require(ok, "corrupt", "the saved state does not fit together."); };
  const auto count = [](double value) { return std::isfinite(value) && value >= 0; };
  whole(D > 0 && state.kernel->fits(D) && std::isfinite(state.noise) && state.noise > 0 &&
        std::isfinite(state.mean));
  whole(std::isfinite(state.offset) && state.basis.Z.rows() == M && state.basis.L.cols() == M);
  whole(state.basis.Z.view().allFinite() && state.basis.L.view().allFinite());
  whole(sound(state.settled, M, q));
  const Sites sites = state.open.own_sites();
  whole(state.open.features().rows() == M && state.open.inputs().allFinite() &&
        (some || state.open.outputs().allFinite()));
  whole(state.open.features().allFinite() && state.open.residuals().allFinite() && sites.allFinite() &&
        state.open.times().allFinite());
  whole(sites.rows() == 0 || sites.col(site::om).minCoeff() >= 0);
  whole(count(state.counters.seen) && count(state.counters.refused) && count(state.counters.turned_away) &&
        count(state.counters.set_aside) && count(state.counters.moves) && count(state.counters.removed) &&
        count(state.counters.implausible));
  whole(count(state.counters.made_room) && count(state.counters.forgotten));
  whole(std::isfinite(state.counters.divergence) && state.used.size() == M && state.used.view().allFinite());
  whole(count(state.learning.fitted) || std::isinf(state.learning.fitted));
  whole(!std::isnan(state.learning.wait) && !std::isnan(state.learning.scaled) &&
        !std::isnan(state.learning.until) && state.history.sound());
  whole(M == 0 || (state.basis.L.view().diagonal().array() > 0).all());
  whole(state.learner.glance.size() <= state.trend.active() + M && state.learner.glance.allFinite());
  if (!state.factor.made()) return;
  const ConstMatrixView C = state.factor.C(), waiting = state.factor.waiting_rows();
  const Index all = state.trend.active() + M;
  whole(C.rows() == all && C.cols() == all && C.allFinite() && waiting.rows() == all && waiting.allFinite());
  whole(all == 0 || (C.diagonal().array() > 0).all());
}

Settings settings_from(const Record& record) {
  Settings out;
  out.kernel = make_kernel(record.get<KernelSpec>("kernel"));
  out.selector = make_selector(record.get<SelectorSpec>("select"));
  out.noise = record.number("noise");
  out.mean = record.number("mean");
  out.lookback = rows_from(record.number("lookback"));
  require(std::isfinite(out.noise) && out.noise > 0, "parameter", "`noise` must be positive and finite.");
  return out;
}

namespace {

// Before format 8 nothing faded.
bool before_fading(const Record& record) { return !record.has("format") || record.number("format") < 8; }

}  // namespace

void fading_from(const Record& record, State& out) {
  if (before_fading(record)) {  // the open rows are the latest
    const double seen = out.counters.seen, rows = static_cast<double>(out.open.size());
    out.open.set_times(Vector::LinSpaced(out.open.size(), seen - rows + 1.0, seen));
    Fading fading;
    if (seen > 0) fading.now = seen;
    return out.open.set_fading(fading);
  }
  const auto [half_life, column, now] = numbers_of<3>(record, "fading");
  require(half_life > 0 && column >= 0 && column <= static_cast<double>(out.columns()) &&
              column == std::floor(column) && now < std::numeric_limits<double>::infinity(),
          "corrupt", "`fading` in the state is damaged.");
  out.open.set_fading({half_life, static_cast<Index>(column) - 1, now});
  if (record.has("bank.size"))
    out.bank = bank_from(record.within("bank."), out.fading(), out.size(), out.trend.size());
}

Window window_from(const Record& record, const Sites& sites, Index limit, Index D, Index M, bool tells,
                   bool sister) {
  const Matrix &X = record.get<Matrix>("window_x"), &W = record.get<Matrix>("window_w");
  const Vector &y = record.get<Vector>("window_y"), &r = record.get<Vector>("window_r");
  const Index rows = X.rows();
  const Vector apart = record.has("window_apart") ? record.get<Vector>("window_apart") : Vector::Zero(rows);
  require(apart.size() == rows && (apart.array() == 0 || apart.array() == 1).all(), "corrupt",
          "`window_apart` in the state is damaged.");
  const Matrix told = tells ? record.get<Matrix>("window_told") : Matrix(rows, 0);
  require((rows <= limit || tells || sister) && told.rows() == rows && told.cols() == (tells ? 3 : 0) &&
              told.allFinite() && X.cols() == D && y.size() == rows && r.size() == rows &&
              sites.rows() == rows && W.cols() == rows && W.rows() == M,
          "corrupt", "the saved state does not fit together.");
  Window out(limit, D, M, tells);
  out.reserve(M, rows);
  const Vector times = before_fading(record) ? Vector::Zero(rows) : record.get<Vector>("window_t");
  require(times.size() == rows, "corrupt", "the saved state does not fit together.");
  out.push(X, y, r, sites, W, apart, times, told);
  return out;
}

State begun(const Record& record) {
  const Matrix& Z = record.get<Matrix>("Z");
  const Settings settings = settings_from(record);
  State out(settings, Z.cols());
  out.offset = record.number("offset");
  out.basis = Basis{GrowingMatrix(Z), GrowingMatrix(record.get<Matrix>("L"))};
  out.used = GrowingVector(Vector::Zero(out.size()));
  out.counters.refused = record.number("refused");
  out.counters.turned_away = record.number("turned_away");
  return out;
}

State read_state(const Record& record, bool sister) {
  State out = begun(record);
  likelihood_from(record, out);
  out.trend = trend_from(record.get<Matrix>("trend"), out.columns());
  out.settled = evidence_from(record);
  const Matrix& sites = record.get<Matrix>("window_s");
  require(sites.cols() == site::columns, "corrupt", "the saved state does not fit together.");
  out.open = window_from(record, sites, out.open.limit(), out.columns(), out.size(), !out.likelihood->fixed(),
                         sister);
  out.counters.seen = record.number("seen");
  fading_from(record, out);
  out.counters.moves = record.number("moves");
  out.counters.set_aside = record.number("set_aside");
  if (record.number("format") > 6) {
    out.counters.removed = record.number("removed");
    out.counters.divergence = record.number("divergence");
    out.counters.forgotten = record.number("forgotten");
    out.counters.made_room = record.number("made_room");
    out.used = GrowingVector(record.get<Vector>("used"));
    out.counters.implausible = record.number("implausible");
  }
  traces_from(record, out);
  out.history = history_from(record);
  const auto learning = numbers_of<6>(record, "learning");
  for (const double one : learning)
    require(!std::isnan(one), "corrupt", "`learning` in the state is damaged.");
  out.learning = {learning[0] != 0, learning[1] != 0, learning[2], learning[3], learning[4], learning[5]};
  const bool factored = record.number("factored") != 0;
  require(factored || record.get<Matrix>("C").size() == 0, "corrupt",
          "the saved state does not fit together.");
  if (factored) out.factor = PosteriorFactor(record.get<Matrix>("C"), record.get<Matrix>("waiting"));
  if (record.has("learner.counts"))
    out.learner = learner_from(record.within("learner."), out.columns(), out.outputs() - 1);
  out.learner.memory.set_half_life(out.fading().in_rows());
  check_whole(out, sister || out.outputs() > 1);
  for (Index k = 1; k < out.likelihood->latents(); ++k) {
    out.sisters.push_back(read_state(record.within("sister." + std::to_string(k) + "."), true));
    const State& one = out.sisters.back();
    require(one.basis.Z.view() == out.basis.Z.view() && one.open.size() == out.open.size() &&
                (one.noise == out.noise || out.outputs() > 1) && one.trend.size() == out.trend.size() &&
                one.trend.columns == out.trend.columns && !one.open.outputs().array().isInf().any(),
            "corrupt", "the saved state does not fit together.");
  }
  return out;
}

}  // namespace gpstream
