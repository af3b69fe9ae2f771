// Start-up. While the lengthscale is being found, every row is kept (the look-back is unlimited) and the
// model is made anew from all of them whenever there are half as many again; when `warmup` rows have come it
// is made a last time, with the user's look-back, and the rows go. Where sites depend on the posterior
// nothing but this teaches the kernel, so that it lasts until the outputs vary: of rows at the start that all
// have one value, which have no spread and would be fitted with no noise at all, only some hundreds are kept.
#ifndef GPSTREAM_LEARN_WARMUP_H
#define GPSTREAM_LEARN_WARMUP_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "sample.h"
#include "wishes.h"

namespace gpstream {

// How many outputs at the start of the stream all have one value, a few at least; with these rows behind it.
// Shapes and the cuts between classes are told by one value, too.
double rows_alike(const State& state, const Sample& batch);

// Kernel, noise and density of the points from all rows there are.
Settings learned_settings(const Wishes& wishes, const Sample& rows, Checkpoint check);

// The model after one more batch of a warm-up; none there is before the first. `rows` are those that are
// kept, of `all` so far, of which the first `alike` have one value.
StreamingGP warmed_up(const StreamingGP* before, const Sample& rows, double all, double alike,
                      const Wishes& wishes, Checkpoint check);

}  // namespace gpstream

#endif
