// Follow a stream: rows are absorbed by the model and its rivals, kept for learning, and scored in blocks;
// the kernel is learned anew as they come. What happens depends on the rows and their order, not on how the
// stream is cut into batches.
#ifndef GPSTREAM_LEARN_FOLLOW_H
#define GPSTREAM_LEARN_FOLLOW_H

#include "relearn.h"

namespace gpstream {

// How many rows can come before something else is due than absorbing them.
inline Index rows_until_due(const State& state) {
  const Learner& learner = state.learner;
  const double n = learner.memory.seen(), block = static_cast<double>(score_block(state));
  const double end = block * (std::floor(n / block) + 1.0);
  return static_cast<Index>((n < learner.next ? std::min(end, learner.next) : end) - n);
}

// Rows that end no block, and before which nothing is learned.
inline void absorb_everywhere(StreamingGP& model, const Sample& rows, Checkpoint check) {
  model.update(rows.X, rows.y, check, false, rows.weights, Vector(), rows.told);
  Learner& learner = model.learner();
  for (Rival& rival : learner.rivals)
    as_model(rival, [&](StreamingGP& one) {
      one.update(
          rows.X, rows.y, [] {}, false, rows.weights, Vector(), rows.told);
    });
  learner.memory.add(rows);
  learner.columns.add(rows.X);
}

// Rows in the memory stay as they are: whatever is learned anew from them knows them in full.
inline void forget_everywhere(StreamingGP& model, double keep) {
  model.forget(keep);
  for (Rival& rival : model.learner().rivals) as_model(rival, [&](StreamingGP& one) { one.forget(keep); });
}

// After a piece of the stream: score where a block has ended, learn where that is due.
inline void reflect(StreamingGP& model, const Wishes& wishes, Checkpoint check) {
  const double n = model.learner().memory.seen();
  const Index block = score_block(model.state());
  const bool block_ends = std::fmod(n, static_cast<double>(block)) == 0;
  if (block_ends && n > 50 && model.state().open.size() >= block &&
      worth_scoring(model.state(), n, n - model.learner().learned)) {
    compete(model, wishes.calibrate, !wishes.noise);
    settle_contest(model);
  }
  Learner& learner = model.learner();
  const double odd = 0.5 * (learner.surprise + learner.earlier);
  const bool surprised = block_ends && (odd > 4.0 || odd < 0.1) && n - learner.learned >= learner.gap;
  const Counters& counters = model.state().counters;
  const bool full = block_ends && counters.turned_away + counters.removed > 0 &&
                    n - learner.learned >= std::max(200.0, 0.25 * learner.memory.since_origin());
  if (n < learner.next && !surprised && !full) return;
  if (n < learner.next && surprised) learner.gap *= 2.0;
  relearn(model, wishes, odd > 10.0 || odd < 0.1, check);
  model.learner().surprise = model.learner().earlier = 1.0;
}

// The batch, piece by piece.
inline void follow_pieces(StreamingGP& model, const Sample& batch, const Wishes& wishes, Checkpoint check) {
  const History history = model.state().history;
  for (Index from = 0; from < batch.size();) {
    const Index count = std::min(batch.size() - from, rows_until_due(model.state()));
    absorb_everywhere(model, piece_of(batch, from, count), check);
    from += count;
    reflect(model, wishes, check);
  }
  model.set_history(history);
  model.note_batch();
}

// Can the batch be refused by a model or a rival?
inline void check_everywhere(const StreamingGP& model, const Sample& batch) {
  model.centred(batch.X, batch.y);
  model.centred(batch.y, batch.told);
  for (const Rival& rival : model.state().learner.rivals)
    require(std::isfinite(rival.state->trend.at(batch.X).squaredNorm()), "input",
            "the batch has inputs that are too large for the trend.");
}

// Points that run out are no news: learning answers to it. Whatever throws on the way leaves the model as it
// was: a long batch, or one in which the kernel is to be learned, is followed by a copy. Another cannot fail
// once it is known to fit, and is short enough not to be asked whether it should go on; should its rows
// surprise, so is what is learned from that.
inline bool follow(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool, Checkpoint check) {
  const Learner& learner = model.state().learner;
  const double n = learner.memory.seen();
  check_everywhere(model, batch);
  if (batch.size() < rows_until_due(model.state())) {
    absorb_everywhere(model, batch, check);
  } else if (n + batch.count() < learner.next && batch.size() <= 1000) {
    follow_pieces(model, batch, wishes, [] {});
  } else {
    StreamingGP next = model;
    follow_pieces(next, batch, wishes, check);
    model = std::move(next);
  }
  return true;
}

}  // namespace gpstream

#endif
