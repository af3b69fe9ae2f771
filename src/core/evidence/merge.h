// Merge: the evidence of other rows under the same points and kernel is added.  [derivation 2]
#ifndef GPSTREAM_MERGE_H
#define GPSTREAM_MERGE_H

#include "evidence.h"

namespace gpstream {

void merge(const Evidence& other, Evidence& into);

}  // namespace gpstream

#endif
