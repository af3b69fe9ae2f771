// Rows to learn a kernel from, where older ones count less: by as much as in the model, but all of them
// together for no fewer than some 200 rows, which it takes to learn a kernel.  [derivation 19]
#ifndef GPSTREAM_LEARN_AGES_H
#define GPSTREAM_LEARN_AGES_H

#include "../evidence/fading.h"
#include "sample.h"

namespace gpstream {

Sample aged(Sample rows, const Fading& fading);

}  // namespace gpstream

#endif
