#include "merge.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "../evidence/merge.h"
#include "../evidence/project.h"
#include "../evidence/settle.h"
#include "../evidence/shift.h"
#include "../select/online.h"
#include "../select/selectors.h"
#include "half_lives.h"
#include "shard.h"
#include "transaction.h"

namespace gpstream {

std::vector<std::string> differences(const State& a, const State& b) {
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

namespace {

// Without the columns that nobody asked for: what was thought of them where they had no spread.
std::vector<Index> asked_columns(const Trend& trend) {
  return {trend.columns.begin(), trend.columns.end() - trend.untold};
}

void drop_untold(State& one) {
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

}  // namespace

void require_same_rows(const State& a, const State& b) {
  require(
      a.columns() == b.columns(), "dimension",
      "the models have " + std::to_string(a.columns()) + " and " + std::to_string(b.columns()) + " columns.");
  require(a.likelihood->spec() == b.likelihood->spec(), "input", "the models have different likelihoods.");
  require(asked_columns(a.trend) == asked_columns(b.trend), "input",
          "the models have trends in different columns.");
}

namespace {

// The points of the second that the first lacks join it. Which of its points those are.
std::vector<Index> join_points_of(const State& b, std::optional<double> most, State& a, Merged& report) {
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
bool begins_with(const State& a, const State& b) {
  return a.size() >= b.size() && a.basis.Z.view().topRows(b.size()) == b.basis.Z.view();
}

// The second as it is seen from the points and the kernel of the first.
void carry_to(const State& a, std::optional<double> most, State& b, Merged& report) {
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

}  // namespace

void put_behind(const Window& later, double most, State& state) {
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

namespace {

// Rows of the first are found as before, its points being the first ones; rows of the second where all of
// them left with all the points.
void put_traces_behind(const State& b, bool whole, const std::vector<Index>& fresh, double seen,
                       Traces& traces) {
  for (std::size_t i = 0; i < fresh.size(); ++i)
    traces.joined[traces.joined.size() - fresh.size() + i] =
        seen + std::max(0.0, b.traces.joined[static_cast<std::size_t>(fresh[i])]);
  // joined are in order: those of the second were, too
  if (!whole) traces.lose(seen, seen + b.counters.seen);
  for (const double at : b.traces.taken) traces.taken.push_back(seen + at);
}

// Points that a shard was given, all of them in the other model, are rows of that one's stream.
bool given_by(const State& a, const State& b) {
  if (!b.shard) return false;
  const std::vector<Index> match = matching_rows(b.basis.Z.view(), a.basis.Z.view());
  for (Index i = 0; i < b.size(); ++i)
    if (b.traces.joined[static_cast<std::size_t>(i)] < 0 && match[static_cast<std::size_t>(i)] < 0)
      return false;
  return true;
}

void add_counters(const Counters& more, Counters& into) {
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
void merge_learners(const State& b, State& a) {
  if (a.learner.memory.limit() == 0) return;
  if (b.learner.memory.limit() > 0)
    merge(b.learner, a.learner);
  else
    a.learner = Learner();
}

}  // namespace

Merged merged(StreamingGP first, const StreamingGP& second, std::optional<double> most) {
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

StreamingGP shard_of(const StreamingGP& model) {
  const State& from = model.state();
  Settings settings;
  settings.kernel = from.kernel;
  settings.selector = from.selector;
  settings.noise = from.noise;
  settings.mean = from.mean;
  settings.lookback = from.open.limit();
  settings.likelihood = from.likelihood;
  settings.trend = from.trend;
  settings.fading = {from.fading().half_life, from.fading().column};
  for (const State& one : from.sisters)
    settings.others.push_back({one.kernel->variance(), one.mean, one.noise, one.trend.ratio});
  State out(settings, from.columns());
  const Index M = from.size();
  out.offset = from.offset;
  out.basis = from.basis;
  out.settled = Evidence(M, from.trend.size());
  out.open = Window(from.open.limit(), from.columns(), M, from.open.tells());
  out.open.set_fading(settings.fading);
  std::vector<double> half_lives;
  for (const Strand& one : from.bank.strands) half_lives.push_back(one.half_life);
  out.bank = Bank::of(half_lives, M, from.trend.size());
  out.used = GrowingVector(Vector::Zero(M));
  out.traces.joined.assign(static_cast<std::size_t>(M), -1.0);
  out.counters.moves = M > 0 ? 1.0 : 0.0;  // its points are none of its rows
  out.shard = true;
  const double never = std::numeric_limits<double>::infinity();
  out.learning = {true, false, 0.0, 0.0, never, 0.0};
  if (from.learner.memory.limit() > 0) {
    out.learner.memory = Memory(from.learner.memory.limit(), from.columns(), from.outputs() - 1);
    out.learner.columns = Moments(from.columns());
  }
  for (std::size_t k = 0; k < out.sisters.size(); ++k) {
    out.sisters[k] = shard_of(StreamingGP(from.sisters[k])).take();
    out.sisters[k].offset = from.sisters[k].offset;
  }
  return StreamingGP(std::move(out));
}

StreamingGP emptied(const StreamingGP& model) {
  const State& from = model.state();
  State out = shard_of(model).take();
  out.shard = false;
  out.counters.moves = from.counters.moves;  // its points are rows that come again
  out.learning = from.learning;
  out.learning.scaled = out.learning.until = 0.0;
  Learner learner = from.learner;
  learner.memory = out.learner.memory;
  learner.columns = out.learner.columns;
  learner.standing = Standing();
  learner.rivals.clear();
  learner.glance.resize(0);
  out.learner = std::move(learner);
  return StreamingGP(std::move(out));
}

bool chooses(const State& state) {
  return dynamic_cast<const Online*>(state.selector.get()) != nullptr &&
         !state.selector->spec().optimize_points;
}

StreamingGP shard_on_points(const StreamingGP& model) {
  State out = shard_of(model).take();
  SelectorSpec spec = out.selector->spec();
  if (chooses(out))
    spec.words["when_full"] = "stop";
  else
    spec = SelectorSpec{"fixed", {}, out.basis.Z.view()};
  const auto put = [&](State& one) { one.selector = make_selector(spec); };
  put(out);
  for (State& one : out.sisters) put(one);
  return StreamingGP(std::move(out));
}

void choose(StreamingGP& model, const ConstMatrixView& X, Checkpoint check) {
  model.grow(X, Vector::Constant(X.rows(), model.state().offset), check);
}

void join_all(const ConstMatrixView& Z, StreamingGP& model) {
  State state = std::move(model).take();
  Transaction transaction(state);
  for (Index i = 0; i < Z.rows(); ++i) transaction.join(Z.middleRows(i, 1), -1);
  transaction.keep();
  model = StreamingGP(std::move(state));
}

}  // namespace gpstream
