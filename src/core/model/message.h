// A message: what a model knows as sums over its rows alone, to be merged elsewhere. No row is in it: those
// of the look-back have settled, those kept to learn from are left out, and so is how it came about. Its
// points are inputs of rows, where it chose them itself.  [derivation 18]
#ifndef GPSTREAM_MODEL_MESSAGE_H
#define GPSTREAM_MODEL_MESSAGE_H

#include "merge.h"
#include "shard.h"

namespace gpstream {

inline void settle_all(State& state) {
  const Window rows = state.open;
  Window none(0, state.columns(), state.size(), rows.tells());
  none.set_fading(rows.fading());
  state.open = none;
  put_behind(rows, state.most_left(), state);
  state.factor.forget();
}

inline StreamingGP message_of(const StreamingGP& model) {
  State out = model.state();
  settle_all(out);
  for (State& one : out.sisters) settle_all(one);
  out.learner = Learner();
  out.learning = shard_of(model).state().learning;
  out.history = History();
  out.traces.lose(0.0, out.counters.seen);  // rows that settled alone cannot be found again
  out.shard = true;
  StreamingGP message(std::move(out));
  message.note_batch();
  return message;
}

// A row at a point counts 1 there; one between points is shared by them: the weights K^-1 k(Z, x) that
// predict it from them, squared.
inline Vector rows_at_points(const State& state) {
  const Index M = state.size();
  Matrix A = symmetric(total_P(state.settled, state.open)).topLeftCorner(M, M);
  solve_lower_transposed(state.basis.L.view(), MatrixView(A));
  A = A.transpose().eval();
  solve_lower_transposed(state.basis.L.view(), MatrixView(A));
  return A.diagonal();
}

}  // namespace gpstream

#endif
