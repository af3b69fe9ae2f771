// The kernel is learned anew from the memory; what comes of it is a new model, fed with the memory, that
// competes with the one there is.
#ifndef GPSTREAM_LEARN_RELEARN_H
#define GPSTREAM_LEARN_RELEARN_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "compete.h"
#include "sample.h"
#include "wishes.h"

namespace gpstream {

constexpr Index few_learned = 200, many_learned = 500;  // rows of the memory that a kernel is learned from

// A model with what was learned, fed with these rows of a stream of which n have come.
State restarted(LearnedKernel found, const Wishes& wishes, const State& from, const Sample& rows,
                Checkpoint check);

// When the kernel is learned again: when there are half as many rows again.
double next_learning(double n, double since_origin);

void relearn(StreamingGP& model, const Wishes& wishes, bool very_odd, Checkpoint check);

}  // namespace gpstream

#endif
