// Learn a batch: the one way in for rows. Absorb them; and as they come, learn by itself what was not given:
// the kernel as the stream goes on, or once, in a warm-up; where it is given, variance, noise and mean each
// time the rows have doubled.
#ifndef GPSTREAM_LEARN_H
#define GPSTREAM_LEARN_H

#include <string>
#include <vector>

#include "../likelihoods/responses.h"
#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "sample.h"
#include "scale.h"
#include "wishes.h"

namespace gpstream {

// When the scale is due to be learned: when the rows have doubled, or as many have come as those so far count
// by now.
double scale_due(const State& state);

// A batch of a model that only absorbs it; false, with the model as it was, where more is due.
bool absorb_plainly(StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check);

// The rows are absorbed; with the paper's "/opt", the batch's points join first and all points move to where
// the bound is higher. False, with the model as it was, where the batch is the first that exceeds the limit
// of points and should not.
bool take(StreamingGP& model, const Sample& batch, bool stop_when_full, Checkpoint check);

// A model for a first batch, which it has not seen yet.
StreamingGP started(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& y,
                    const Told& told = Told());

bool learn(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
           Checkpoint check);

// Variance, noise and mean of a model that has come to many rows at once, by merging: from what all of them
// said, where they are open.
void learn_scale_anew(StreamingGP& model, const Wishes& wishes);

// The same, where the kernel was learned from a sample of these rows: it is not due to be learned anew.
void learn_scale_of_shards(StreamingGP& model, const Wishes& wishes);

// A model that had rows before its kernel was estimated from these and a sample of others: under this kernel,
// with its own rows and no others, which come in shards.
StreamingGP with_own_rows(const StreamingGP& learned, const StreamingGP& before, Checkpoint check);

// The user's own word: everything named is learned, given or not, with a batch that is about to come and is
// not absorbed.
BestScale optimize(StreamingGP& model, const Sample& batch, Wishes wishes,
                   const std::vector<std::string>& what, int steps, Checkpoint check);

}  // namespace gpstream

#endif
