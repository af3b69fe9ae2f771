// Unlearn rows of a model, all of them or none. Open rows leave the window; settled ones are taken out of the
// sums, where it is known what they added to them.  [derivation 18]
#ifndef GPSTREAM_MODEL_UNLEARN_H
#define GPSTREAM_MODEL_UNLEARN_H

#include "../learn/sample.h"
#include "../linear/types.h"
#include "streaming_gp.h"

namespace gpstream {

// Row i left the look-back when at(i) rows had come; NaN: it is still there. A weight that is NaN is not
// known, which is 1 for a row that has left.
StreamingGP unlearned(const StreamingGP& model, const Sample& rows, const Vector& at);

}  // namespace gpstream

#endif
