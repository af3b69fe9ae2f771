// The kernel is learned anew from the memory; what comes of it is a new model, fed with the memory, that
// competes with the one there is.
#ifndef GPSTREAM_LEARN_RELEARN_H
#define GPSTREAM_LEARN_RELEARN_H

#include "ages.h"
#include "contest.h"
#include "own_noise.h"
#include "settings.h"

namespace gpstream {

constexpr Index few_learned = 200, many_learned = 500;  // rows of the memory that a kernel is learned from

// A model with what was learned, fed with these rows of a stream of which n have come.
inline State restarted(LearnedKernel found, const Wishes& wishes, const State& from, const Sample& rows,
                       Checkpoint check) {
  const Learner& learner = from.learner;
  Settings settings = settings_from(found, wishes, learner.columns, rows, check);
  if (!wishes.noise && settings.selector->leaves_noise()) {
    const Vector noise = noise_to_points(settings, rows, check);
    found.noise = noise(0);
    for (std::size_t k = 0; k < found.others.size(); ++k)
      found.others[k].noise = noise(static_cast<Index>(k) + 1);
    settings = settings_from(found, wishes, learner.columns, rows, check);
  }
  State empty(settings, rows.X.cols());
  keep_half_life(from, empty);
  StreamingGP out(std::move(empty));
  out.grow(rows.X, rows.y, check);  // all points first: what they leave of a row may be noise
  out.update(rows.X, rows.y, check, false, rows.weights, rows.numbers, rows.told);
  if (!wishes.noise) take_own_noises(out, found, many_learned);
  State state = std::move(out).take();
  state.counters.seen = learner.memory.seen();
  state.traces.lose(0.0, state.counters.seen);  // of rows before only the memory was fed
  state.history = History();
  return state;
}

// When the kernel is learned again: when there are half as many rows again.
inline double next_learning(double n, double since_origin) {
  if (n < 20) return 20;
  if (n < 50) return 50;
  return 50 * std::ceil((n + 0.5 * since_origin) / 50);
}

// A model that knows only the latest rows: should the stream have become another, it will be ahead.
inline Rival young_rival(const Wishes& wishes, const State& from, Checkpoint check) {
  const Learner& learner = from.learner;
  const Index half = static_cast<Index>(learner.memory.since_origin()) / 2;
  const Sample rows = learner.memory.newest(std::min<Index>(200, half));
  const LearnedKernel found =
      learned_kernel(wishes, learner.columns, part_of(rows, 100), rows, {}, true, check);
  Standing standing;
  standing.score = -4.0;
  standing.origin = learner.memory.seen() - rows.count();
  return {Held<State>(restarted(found, wishes, from, rows, check)), standing};
}

inline void relearn(StreamingGP& model, const Wishes& wishes, bool very_odd, Checkpoint check) {
  Learner& learner = model.learner();
  const Memory& memory = learner.memory;
  const double n = memory.seen(), since = memory.since_origin();
  const Sample rows = memory.rows();
  learner.learned = n;
  learner.next = next_learning(n, since);
  if (!varies(rows)) return;  // outputs that are all the same teach nothing
  const Fading& fading = model.state().fading();
  const LearnedKernel found =
      learned_kernel(wishes, learner.columns, aged(memory.part(few_learned), fading),
                     aged(memory.part(many_learned), fading), learner.last.starts, false, check);
  if (!wishes.noise) take_own_noises(model, found, many_learned);
  std::vector<Rival> fresh;
  fresh.push_back({Held<State>(restarted(found, wishes, model.state(), rows, check)), Standing()});
  fresh.front().standing.origin = memory.origin();
  if (since > 100 && (very_odd || since <= early_rows))
    fresh.push_back(young_rival(wishes, model.state(), check));
  learner.last = {found.family, found.by_family, found.starts};

  std::vector<Rival>& rivals = learner.rivals;  // the best of them stay
  std::sort(rivals.begin(), rivals.end(),
            [](const Rival& a, const Rival& b) { return a.standing.score > b.standing.score; });
  for (Rival& old : rivals)
    if (fresh.size() < most_rivals) fresh.push_back(std::move(old));
  rivals = std::move(fresh);
  const bool scored = n > 50 && model.state().open.limit() >= 50;  // else nothing can be foretold
  if (scored && !memory.whole()) return;
  // While all rows are kept the new model knows each row the old one does, and more of them taught its
  // kernel: it takes the place, and has to keep it.
  change_places(model, 0);
  if (scored) return;
  model.learner().rivals.clear();
  model.learner().changes = 0.0;
}

}  // namespace gpstream

#endif
