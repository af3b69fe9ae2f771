// A message: what a model knows as sums over its rows alone, to be merged elsewhere. No row is in it: those
// of the look-back have settled, those kept to learn from are left out, and so is how it came about. Its
// points are inputs of rows, where it chose them itself.  [derivation 18]
#ifndef GPSTREAM_MODEL_MESSAGE_H
#define GPSTREAM_MODEL_MESSAGE_H

#include "../linear/types.h"
#include "state.h"
#include "streaming_gp.h"

namespace gpstream {

StreamingGP message_of(const StreamingGP& model);

// A row at a point counts 1 there; one between points is shared by them: the weights K^-1 k(Z, x) that
// predict it from them, squared.
Vector rows_at_points(const State& state);

}  // namespace gpstream

#endif
