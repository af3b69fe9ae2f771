// Start-up. While the lengthscale is being found, every row is kept (the look-back is unlimited) and the
// model is made anew from all of them whenever there are half as many again; when `warmup` rows have come it
// is made a last time, with the user's look-back, and the rows go. Where sites depend on the posterior nothing
// but this teaches the kernel, so that it lasts until the outputs vary: of rows at the start that all have one
// value, which have no spread and would be fitted with no noise at all, only some hundreds are kept.
#ifndef GPSTREAM_LEARN_WARMUP_H
#define GPSTREAM_LEARN_WARMUP_H

#include "by_sites.h"

namespace gpstream {

// How many outputs at the start of the stream all have one value, a few at least; with these rows behind it.
// Shapes and the cuts between classes are told by one value, too.
inline double rows_alike(const State& state, const Sample& batch) {
  const Likelihood& likelihood = *state.likelihood;
  const bool tells = !likelihood.location() && !likelihood.parameters().empty();
  if (likelihood.fixed() || tells || batch.told.offset.size() > 0) return 0.0;
  const Vector own = state.open.outputs(), added = batch.y.array() - state.offset;
  const double first = own.size() > 0 ? own(0) : added(0);
  const auto run = [&](const Vector& y) {
    Index count = 0;
    while (count < y.size() && y(count) == first) ++count;
    return count;
  };
  Index alike = run(own);
  if (alike == own.size()) alike += run(added);
  const double count = static_cast<double>(alike);
  return count < few_rows ? 0.0 : count + state.counters.seen - static_cast<double>(own.size());
}

// Of rows that begin with so many of one value, as many of these as there are others: what the kernel is
// learned from.
inline Sample telling_rows(const Sample& rows, Index alike) {
  const Index others = rows.size() - alike;
  if (alike <= others) return rows;
  return both(part_of(piece_of(rows, 0, alike), others), piece_of(rows, alike, others));
}

// Kernel, noise and density of the points from all rows there are.
inline Settings learned_settings(const Wishes& wishes, const Sample& rows, Checkpoint check) {
  if (!wishes.likelihood->fixed()) return settings_by_sites(wishes, rows, check);
  if (!varies(rows)) return settings_for(wishes, rows.X, rows.y, rows.told);
  Moments columns(rows.X.cols());
  columns.add(rows.X);
  const LearnedKernel found =
      learned_kernel(wishes, columns, part_of(rows, 200), part_of(rows, 500), {}, false, check);
  return settings_from(found, wishes, columns, rows, check);
}

// The model after one more batch of a warm-up; none there is before the first. `rows` are those that are kept,
// of `all` so far, of which the first `alike` have one value.
inline StreamingGP warmed_up(const StreamingGP* before, const Sample& rows, double all, double alike,
                             const Wishes& wishes, Checkpoint check) {
  const double telling = all - alike;
  const bool over = telling >= static_cast<double>(wishes.warmup);
  const Index first = static_cast<Index>(rows.count() - std::min(telling, rows.count()));
  Settings settings = telling < few_rows ? settings_for(wishes, rows.X, rows.y, rows.told)
                                         : learned_settings(wishes, telling_rows(rows, first), check);
  const Index most = std::max({wishes.memory, wishes.warmup, wishes.lookback});
  if (!over) settings.lookback = rows.size() > most ? most : unlimited;
  StreamingGP model(settings, rows.X.cols());
  if (before) model.set_history(before->state().history);
  model.set_learning({true, !over, all, 0.0, all, 0.0});
  return model;
}

}  // namespace gpstream

#endif
