// Merge two models that saw different rows: as if the stream of the second had come after that of the first,
// with the points of both.  [derivation 18]
#ifndef GPSTREAM_MODEL_MERGE_H
#define GPSTREAM_MODEL_MERGE_H

#include "../evidence/merge.h"
#include "../evidence/project.h"
#include "../evidence/shift.h"
#include "half_lives.h"
#include "streaming_gp.h"
#include "transaction.h"

namespace gpstream {

// What became of the second on the way to the first.
struct Merged {
  StreamingGP model;
  double added = 0.0;    // points that only the second had
  double refused = 0.0;  // such points that say nothing the others do not say already
  double foreign = 0.0;  // rows that had settled under another kernel
  double lost = 0.0;     // what its evidence lost, in units of the kernel's variance: the price of the move
};

// In what two models differ of the things that evidence is about, up to its variance the kernel, and of those
// that it is read with.
inline bool same_kernel(const State& a, const State& b) {
  return same_unit_kernel(a.kernel->spec(), b.kernel->spec());
}
inline std::vector<std::string> differences(const State& a, const State& b) {
  std::vector<std::string> out;
  if (!same_kernel(a, b)) out.push_back("kernel");
  if (a.kernel->variance() != b.kernel->variance()) out.push_back("variance");
  if (a.noise != b.noise) out.push_back("noise");
  if (a.mean != b.mean) out.push_back("mean");
  if (a.trend.columns != b.trend.columns || a.trend.ratio != b.trend.ratio) out.push_back("trend");
  if (a.outputs() > 1)
    for (std::size_t k = 0; k < a.sisters.size(); ++k)
      for (const std::string& one : differences(a.sisters[k], b.sisters[k]))
        if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  return out;
}
// Without the columns that nobody asked for: what was thought of them where they had no spread.
inline std::vector<Index> asked_columns(const Trend& trend) {
  return {trend.columns.begin(), trend.columns.end() - trend.untold};
}
inline void drop_untold(State& one) {
  const Index q = one.trend.size() - one.trend.untold;
  one.bank.settle(one.fading());
  each_evidence(one, [&](Evidence& sums) {
    sums.H = GrowingMatrix(Matrix(sums.H.view().leftCols(q)));
    sums.Phi = sums.Phi.topLeftCorner(q, q).eval();
    sums.s.conservativeResize(q);
  });
  one.bank.resize(one.size());
  Trend& trend = one.trend;
  trend = {asked_columns(trend), trend.centre.head(q - 1), trend.scale.head(q - 1), trend.ratio.head(q)};
  one.factor.forget();
}
inline void require_same_rows(const State& a, const State& b) {
  require(
      a.columns() == b.columns(), "dimension",
      "the models have " + std::to_string(a.columns()) + " and " + std::to_string(b.columns()) + " columns.");
  require(a.likelihood->spec() == b.likelihood->spec(), "input", "the models have different likelihoods.");
  require(asked_columns(a.trend) == asked_columns(b.trend), "input",
          "the models have trends in different columns.");
}

// The points of the second that the first lacks join it. Which of its points those are.
inline std::vector<Index> join_points_of(const State& b, std::optional<double> most, State& a,
                                         Merged& report) {
  const std::vector<Index> match = matching_rows(b.basis.Z.view(), a.basis.Z.view());
  std::vector<Index> out;
  const double refused = a.counters.refused;
  Transaction transaction(a, nullptr, most);
  for (Index i = 0; i < b.size(); ++i)
    if (match[static_cast<std::size_t>(i)] < 0 && transaction.join(b.basis.Z.view().middleRows(i, 1), -1))
      out.push_back(i);
  transaction.keep();
  report.added = static_cast<double>(out.size());
  report.refused = a.counters.refused - refused;
  return out;
}

// Are the first points of `a` those of `b`, in the same order?
inline bool begins_with(const State& a, const State& b) {
  return a.size() >= b.size() && a.basis.Z.view().topRows(b.size()) == b.basis.Z.view();
}

// The second as it is seen from the points and the kernel of the first.
inline void carry_to(const State& a, std::optional<double> most, State& b, Merged& report) {
  if (same_kernel(a, b) && begins_with(a, b)) {
    Transaction transaction(b, nullptr, most);  // the rest joins, and nothing else changes
    for (Index i = b.size(); i < a.size(); ++i) transaction.join(a.basis.Z.view().middleRows(i, 1), -1);
    if (b.size() == a.size()) return transaction.keep();
  }
  const Projection onto = projection(b.basis, *b.kernel, *a.kernel, a.basis);
  const double lost = b.settled.carried.lost;
  each_evidence(b, [&](Evidence& one) { one = project(one, onto, b.basis, *a.kernel); });
  report.lost = b.settled.carried.lost - lost;
  if (!onto.same_kernel) report.foreign = b.settled.n;
  Seen seen;
  see(
      a.basis, *a.kernel, b.open.inputs(), [] {}, seen);
  b.open.set_features(seen.A, seen.r);
  if (!onto.same_kernel || report.refused > 0) b.counters.moves += 1.0;
}

// Open rows side by side; the oldest that exceed the look-back settle. `most`: the share of its variance that
// points may leave of a row that counts.
inline void put_behind(const Window& later, double most, State& state) {
  Window& open = state.open;
  const Index M = state.size(), first = open.size(), all = first + later.size();
  const Index leaving = all > open.limit() ? all - open.limit() : 0;
  Matrix X(all, open.columns()), W(M, all);
  Vector y(all), r(all), odd(all), times(all);
  Sites sites(all, site::columns);
  X << open.inputs(), later.inputs();
  W << open.features(), later.features();
  y << open.outputs(), later.outputs();
  r << open.residuals(), later.residuals();
  sites << open.own_sites(), later.own_sites();
  times << open.times(), later.times();
  Matrix told(all, open.told().cols());
  told << open.told(), later.told();
  odd << open.apart(), later.apart();
  const Vector still = apart(*state.kernel, X, r, most);
  odd = still.size() > 0 ? Vector(odd.cwiseProduct(still)) : Vector::Zero(all);
  Sites said = sites.topRows(leaving);
  silence(odd.head(leaving), said);
  const Matrix T = state.trend.at(X.topRows(leaving));
  const Sites counted = open.fading().shares(times.head(leaving)).asDiagonal() * said;
  settle(W.leftCols(leaving), r.head(leaving), counted, T, state.settled);
  state.bank.wait(W.leftCols(leaving), r.head(leaving), said, T, times.head(leaving));
  std::vector<Index> aside;
  for (Index i = 0; i < leaving; ++i)
    if (odd(i) != 0) aside.push_back(i);
  state.note_set_aside(aside, first, state.counters.seen);
  const Index stay = all - leaving;
  Window out(open.limit(), open.columns(), M, open.tells());
  out.reserve(M, stay);
  out.set_fading(open.fading());
  out.push(X.bottomRows(stay), y.tail(stay), r.tail(stay), sites.bottomRows(stay), W.rightCols(stay),
           odd.tail(stay), times.tail(stay), told.bottomRows(stay));
  open = std::move(out);
  state.fresh = static_cast<double>(stay);
}

// Rows of the first are found as before, its points being the first ones; rows of the second where all of
// them left with all the points.
inline void put_traces_behind(const State& b, bool whole, const std::vector<Index>& fresh, double seen,
                              Traces& traces) {
  for (std::size_t i = 0; i < fresh.size(); ++i)
    traces.joined[traces.joined.size() - fresh.size() + i] =
        seen + std::max(0.0, b.traces.joined[static_cast<std::size_t>(fresh[i])]);
  // joined are in order: those of the second were, too
  if (!whole) traces.lose(seen, seen + b.counters.seen);
  for (const double at : b.traces.taken) traces.taken.push_back(seen + at);
}

// Points that a shard was given, all of them in the other model, are rows of that one's stream.
inline bool given_by(const State& a, const State& b) {
  if (!b.shard) return false;
  const std::vector<Index> match = matching_rows(b.basis.Z.view(), a.basis.Z.view());
  for (Index i = 0; i < b.size(); ++i)
    if (b.traces.joined[static_cast<std::size_t>(i)] < 0 && match[static_cast<std::size_t>(i)] < 0)
      return false;
  return true;
}

inline void add_counters(const Counters& more, Counters& into) {
  into.seen += more.seen;
  into.refused += more.refused;
  into.turned_away += more.turned_away;
  into.set_aside += more.set_aside;
  into.moves += more.moves;
  into.unlearned += more.unlearned;
  into.removed += more.removed;
  into.divergence += more.divergence;
  into.implausible += more.implausible;
  into.forgotten += more.forgotten;
}

// Where one of the two kept no rows to learn from, learning anew would forget what it knows: the kernel
// stays.
inline void merge_learners(const State& b, State& a) {
  if (a.learner.memory.limit() == 0) return;
  if (b.learner.memory.limit() > 0)
    merge(b.learner, a.learner);
  else
    a.learner = Learner();
}

// Noise, variance, mean and prior of the trend, the selector, the look-back and what it learns by itself are
// those of the first. With another kernel, too, the evidence of the second is carried over.
inline Merged merged(StreamingGP first, const StreamingGP& second, std::optional<double> most = {}) {
  require_same_rows(first.state(), second.state());
  Merged out{std::move(first)};
  if (second.state().counters.seen == 0 && begins_with(out.model.state(), second.state())) return out;
  State a = std::move(out.model).take(), b = second.state();
  if (!most && a.outputs() > 1) most = a.most_left();  // the same rows lie apart in all outputs
  for (std::size_t k = 0; k < a.sisters.size(); ++k) {
    Merged one = merged(StreamingGP(std::move(a.sisters[k])), StreamingGP(std::move(b.sisters[k])), most);
    a.sisters[k] = std::move(one.model).take();
  }
  std::vector<State> sisters = std::move(a.sisters);
  a.sisters.clear();
  b.sisters.clear();
  require(same_half_lives(a, b), "input", "the models forget at different rates.");
  if (a.trend.columns != b.trend.columns) drop_untold(a), drop_untold(b);
  const double seen = a.counters.seen;
  const bool none_late =
      std::all_of(b.traces.joined.begin(), b.traces.joined.end(), [](double since) { return since <= 0; });
  const bool whole = a.size() == b.size() && begins_with(a, b) && none_late && b.traces.lost.empty() &&
                     a.open.limit() == b.open.limit() && same_kernel(a, b);
  const bool given = given_by(a, b);
  bring_to_one_time(a, b);
  shift(a.offset - b.offset, b.open);
  each_evidence(b, [&](Evidence& one) {
    shift(a.offset - b.offset, one);
    change_trend(b.trend, a.trend, one);
  });
  const std::vector<double> joined = b.traces.joined;
  const std::vector<Index> fresh = join_points_of(b, most, a, out);
  carry_to(a, most, b, out);
  merge(b.settled, a.settled);
  for (std::size_t i = 0; i < a.bank.strands.size(); ++i)
    merge(b.bank.strands[i].settled, a.bank.strands[i].settled);
  put_behind(b.open, most ? *most : a.most_left(), a);
  b.traces.joined = joined;
  put_traces_behind(b, whole, fresh, seen, a.traces);
  const double points = static_cast<double>(a.size() - static_cast<Index>(fresh.size()));
  a.history.append(b.history, [&](double rows) {
    return points + static_cast<double>(std::count_if(fresh.begin(), fresh.end(), [&](Index i) {
             return joined[static_cast<std::size_t>(i)] < rows;
           }));
  });
  if (given && b.counters.moves > 0) b.counters.moves -= 1.0;
  add_counters(b.counters, a.counters);
  merge_learners(b, a);
  a.learning.until = 0.0;
  a.learner.glance.resize(0);
  a.shard = a.shard && b.shard;
  a.factor.forget();
  a.sisters = std::move(sisters);
  out.model = StreamingGP(std::move(a));
  return out;
}

}  // namespace gpstream

#endif
