// A shard: an empty twin, to be updated elsewhere and merged. Points, kernel, noise, mean, trend and offset
// are those of the model and stay as they are, so that evidence adds up; points may still join.
#ifndef GPSTREAM_SHARD_H
#define GPSTREAM_SHARD_H

#include "streaming_gp.h"

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

}  // namespace gpstream

#endif
