// A shard: an empty twin, to be updated elsewhere and merged. Points, kernel, noise, mean, trend and offset
// are those of the model and stay as they are, so that evidence adds up; points may still join. And how
// shards come to points that cover the rows of all of them.  [derivation 18]
#ifndef GPSTREAM_SHARD_H
#define GPSTREAM_SHARD_H

#include "../linear/types.h"
#include "state.h"
#include "streaming_gp.h"

namespace gpstream {

StreamingGP shard_of(const StreamingGP& model);

// A model that knows what this one has learned, but no row: whose rows come again, in shards. Unlike a shard
// it goes on learning by itself.
StreamingGP emptied(const StreamingGP& model);

// Does the model choose points from rows as they come, by a rule that a row once covered stays covered by?
bool chooses(const State& state);

// A shard from whose points none leaves for others: they are those of all shards. Where the model does not
// choose from rows as they come, its points stay as they are.
StreamingGP shard_on_points(const StreamingGP& model);

// The points that these rows ask for join, and the rows are forgotten.
void choose(StreamingGP& model, const ConstMatrixView& X, Checkpoint check);

// All of these points join that say something the others do not.
void join_all(const ConstMatrixView& Z, StreamingGP& model);

}  // namespace gpstream

#endif
