// A model whose half-life is not settled: the evidence under several of them, one of which is its own.
#ifndef GPSTREAM_HALF_LIVES_H
#define GPSTREAM_HALF_LIVES_H

#include <cstddef>

#include "../evidence/bank.h"
#include "state.h"

namespace gpstream {

// f(evidence), its own first.
template <class Function>
void each_evidence(State& state, const Function& f) {
  f(state.settled);
  for (Strand& one : state.bank.strands) f(one.settled);
}

// Strand i of the bank, in which all rows have settled, and the model's own evidence change places.
void take_strand(State& state, std::size_t i);

// The model with this half-life; false where it has none like it.
bool take_half_life(State& state, double half_life);

// Do both have the same half-lives, in the same units? Then the second takes that of the first.
bool same_half_lives(const State& a, State& b);

// Rows of the second are numbered on from those of the first, and everything is as of the later of their
// times.
void bring_to_one_time(State& a, State& b);

}  // namespace gpstream

#endif
