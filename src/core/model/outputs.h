// One of several outputs as a model of its own: what it says is what the model says of that output. It holds
// nothing to learn a kernel from; rows in which the output was not observed stay in its look-back, and say
// nothing.
#ifndef GPSTREAM_MODEL_OUTPUTS_H
#define GPSTREAM_MODEL_OUTPUTS_H

#include "../linear/types.h"
#include "streaming_gp.h"

namespace gpstream {

StreamingGP output_of(const StreamingGP& model, Index k);

}  // namespace gpstream

#endif
