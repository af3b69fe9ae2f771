// A model for rows in shards: a start from a sample of them all, a search for the kernel on all of them, and
// what they say under it.  [derivation 23]
#ifndef GPSTREAM_LEARN_FIT_H
#define GPSTREAM_LEARN_FIT_H

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "../read/shared.h"
#include "memory.h"
#include "moments.h"
#include "search.h"
#include "wishes.h"

namespace gpstream {

// A model that has seen nothing, with all that the sample tells; it keeps the sample.
StreamingGP fit_start(const Wishes& given, Memory memory, Moments columns, Checkpoint check);

// Points to search with are chosen as if lengthscales were half of what they are: points as far apart as
// a kernel wants them favour that kernel or a longer one, never a shorter. (closer_points)
KernelSpec closer_kernel(const StreamingGP& start, const Wishes& wishes);

// The kernel and noise of which F is highest, the points staying where they are; and, where that is the
// model's own choice, points as dense as these ask.
StreamingGP fit_search(StreamingGP model, const Wishes& wishes, const Matrix& points, const AnyObjective& F,
                       int steps, Checkpoint check);

// The model that has seen all rows, under these points; as it goes on, it learns as it was made to.
StreamingGP fit_end(StreamingGP model, const Wishes& wishes, const Matrix& points,
                    const SharedObjective::Sums& sums);

}  // namespace gpstream

#endif
