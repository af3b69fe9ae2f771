// Follow a stream: rows are absorbed by the model and its rivals, kept for learning, and scored in blocks;
// the kernel is learned anew as they come. What happens depends on the rows and their order, not on how the
// stream is cut into batches.
#ifndef GPSTREAM_LEARN_FOLLOW_H
#define GPSTREAM_LEARN_FOLLOW_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "sample.h"
#include "wishes.h"

namespace gpstream {

// How many rows can come before something else is due than absorbing them.
Index rows_until_due(const State& state);

// Rows that end no block, and before which nothing is learned.
void absorb_everywhere(StreamingGP& model, const Sample& rows, Checkpoint check);

// Rows in the memory stay as they are: whatever is learned anew from them knows them in full.
void forget_everywhere(StreamingGP& model, double keep);

// Points that run out are no news: learning answers to it. Whatever throws on the way leaves the model as it
// was: a long batch, or one in which the kernel is to be learned, is followed by a copy. Another cannot fail
// once it is known to fit, and is short enough not to be asked whether it should go on; should its rows
// surprise, so is what is learned from that.
bool follow(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool, Checkpoint check);

}  // namespace gpstream

#endif
