// Start-up. While the lengthscale is being found, every row is kept (the look-back is unlimited) and the
// model is made anew from all of them whenever there are half as many again; when `warmup` rows have come it
// is made a last time, with the user's look-back, and the rows go.
#ifndef GPSTREAM_LEARN_WARMUP_H
#define GPSTREAM_LEARN_WARMUP_H

#include "by_sites.h"

namespace gpstream {

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

// The model after one more batch of a warm-up; none there is before the first. `rows` are all rows so far.
inline StreamingGP warmed_up(const StreamingGP* before, const Sample& rows, const Wishes& wishes,
                             Checkpoint check) {
  const double n = rows.count();
  const bool over = rows.size() >= wishes.warmup;
  Settings settings =
      n < few_rows ? settings_for(wishes, rows.X, rows.y, rows.told) : learned_settings(wishes, rows, check);
  if (!over) settings.lookback = unlimited;
  StreamingGP model(settings, rows.X.cols());
  if (before) model.set_history(before->state().history);
  model.set_learning({true, !over, n, 0.0, n, 0.0});
  return model;
}

}  // namespace gpstream

#endif
