// The noise from the model's own evidence.  [derivation 3] A kernel is learned from a few hundred rows, and
// so is the noise that comes with it, to within a tenth; the model holds all the rows it was fed with, and
// knows better. Only the noise: what points that left have settled was so for the amplitude of then.
#ifndef GPSTREAM_LEARN_OWN_NOISE_H
#define GPSTREAM_LEARN_OWN_NOISE_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "compete.h"
#include "sample.h"

namespace gpstream {

// An output takes the noise that its rows ask for, where these are more than `few`, hardly any of them counts
// less than it should, and it is about that which was learned from those few.
void take_own_noise(StreamingGP& model, double learned, double few);

// All outputs of a model do.
void take_own_noises(StreamingGP& model, const LearnedKernel& found, double few);

// The noise of these rows, of each output, for a model that has too few points for the noise as it was
// learned: what these leave of a row is noise to it.
Vector noise_to_points(Settings settings, const Sample& rows, Checkpoint check);

}  // namespace gpstream

#endif
