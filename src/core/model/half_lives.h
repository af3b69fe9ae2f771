// A model whose half-life is not settled: the evidence under several of them, one of which is its own.
#ifndef GPSTREAM_HALF_LIVES_H
#define GPSTREAM_HALF_LIVES_H

#include "state.h"

namespace gpstream {

// f(evidence), its own first.
template <class Function>
void each_evidence(State& state, const Function& f) {
  f(state.settled);
  for (Strand& one : state.bank.strands) f(one.settled);
}

// Strand i of the bank, in which all rows have settled, and the model's own evidence change places.
inline void take_strand(State& state, std::size_t i) {
  Strand& other = state.bank.strands[i];
  const Fading own = state.fading();
  state.open.set_fading(own.with(other.half_life));
  other.half_life = own.half_life;
  std::swap(state.settled, other.settled);
  std::swap(state.bank.score, other.score);
  state.factor.forget();
  state.learner.glance.resize(0);
}

// The model with this half-life; false where it has none like it.
inline bool take_half_life(State& state, double half_life) {
  if (state.fading().half_life == half_life) return true;
  for (State& one : state.sisters) take_half_life(one, half_life);
  state.bank.settle(state.fading());
  for (std::size_t i = 0; i < state.bank.strands.size(); ++i)
    if (state.bank.strands[i].half_life == half_life) return take_strand(state, i), true;
  return false;
}

// Do both have the same half-lives, in the same units? Then the second takes that of the first.
inline bool same_half_lives(const State& a, State& b) {
  if (a.fading().column != b.fading().column || a.bank.strands.size() != b.bank.strands.size()) return false;
  if (!take_half_life(b, a.fading().half_life)) return false;
  for (std::size_t i = 0; i < a.bank.strands.size(); ++i) {
    const auto same = [&](const Strand& one) { return one.half_life == a.bank.strands[i].half_life; };
    const auto found = std::find_if(b.bank.strands.begin(), b.bank.strands.end(), same);
    if (found == b.bank.strands.end()) return false;
    std::swap(*found, b.bank.strands[i]);
  }
  return true;
}

// Rows of the second are numbered on from those of the first, and everything is as of the later of their
// times.
inline void bring_to_one_time(State& a, State& b) {
  a.bank.settle(a.fading());
  b.bank.settle(b.fading());
  Fading second = b.fading();
  if (second.column == Fading::by_rows) {
    second.now += a.counters.seen;
    b.bank.now.now += a.counters.seen;
    b.open.set_times(b.open.times().array() + a.counters.seen);
  }
  Fading then = a.fading();
  then.now = std::max(then.now, second.now);
  if (then.fades()) {
    forget(a.fading().left(then), a.settled);
    forget(second.left(then), b.settled);
  }
  a.bank.settle(then);
  b.bank.settle(then);
  a.open.set_fading(then);
  b.open.set_fading(then);
}

}  // namespace gpstream

#endif
