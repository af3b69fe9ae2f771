// Which half-life? The evidence under each foretells the same rows, in blocks, by the model as it was before
// them; the best is the model's own. That none at all is right needs no proof: others have to be ahead of it
// by a nat.  [derivation 19]
#ifndef GPSTREAM_LEARN_HALF_LIFE_H
#define GPSTREAM_LEARN_HALF_LIFE_H

#include <vector>

#include "../evidence/evidence.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "foretell.h"

namespace gpstream {

// Rows are scored in blocks, by models without them; shorter ones where a model may forget, for what it says
// of rows soon to come.
inline Index score_block(const State& state) { return state.fades() ? 25 : 50; }

// The newest rows as evidence under a half-life, all but these rows, would have foretold them when the first
// of them was still to come.
Foretold foretell_before(const State& state, const Evidence& settled, double half_life, Index count);

// The newest rows as the model would have foretold them, each output; then it changes, where it may.
std::vector<Foretold> foretell_and_choose(StreamingGP& model, bool open_noise);

// Of the same half-lives, in a model that was made anew.
void keep_half_life(const State& from, State& to);

}  // namespace gpstream

#endif
