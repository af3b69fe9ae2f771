// A shard: an empty twin, to be updated elsewhere and merged. Points, kernel, noise, mean, trend and offset
// are those of the model and stay as they are, so that evidence adds up; points may still join. And how
// shards come to points that cover the rows of all of them.  [derivation 18]
#ifndef GPSTREAM_SHARD_H
#define GPSTREAM_SHARD_H

#include "../select/online.h"
#include "streaming_gp.h"
#include "transaction.h"

namespace gpstream {

inline StreamingGP shard_of(const StreamingGP& model) {
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

// A model that knows what this one has learned, but no row: whose rows come again, in shards. Unlike a shard
// it goes on learning by itself.
inline StreamingGP emptied(const StreamingGP& model) {
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

// Does the model choose points from rows as they come, by a rule that a row once covered stays covered by?
inline bool chooses(const State& state) {
  return dynamic_cast<const Online*>(state.selector.get()) != nullptr &&
         !state.selector->spec().optimize_points;
}

// A shard from whose points none leaves for others: they are those of all shards. Where the model does not
// choose from rows as they come, its points stay as they are.
inline StreamingGP shard_on_points(const StreamingGP& model) {
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

// The points that these rows ask for join, and the rows are forgotten.
inline void choose(StreamingGP& model, const ConstMatrixView& X, Checkpoint check) {
  model.grow(X, Vector::Constant(X.rows(), model.state().offset), check);
}

// All of these points join that say something the others do not.
inline void join_all(const ConstMatrixView& Z, StreamingGP& model) {
  State state = std::move(model).take();
  Transaction transaction(state);
  for (Index i = 0; i < Z.rows(); ++i) transaction.join(Z.middleRows(i, 1), -1);
  transaction.keep();
  model = StreamingGP(std::move(state));
}

}  // namespace gpstream

#endif
