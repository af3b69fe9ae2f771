// Unlearn: rows that have settled are taken out of the sums. The one place where something is subtracted from
// the evidence: the terms are those that were added, so that what is left is what the other rows said, to
// rounding.  [derivation 18]
#ifndef GPSTREAM_UNLEARN_EVIDENCE_H
#define GPSTREAM_UNLEARN_EVIDENCE_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "evidence.h"
#include "site.h"

namespace gpstream {

// Row i was seen with the first left[i] points. False, with nothing changed, where the sums cannot have had
// these rows in them.
bool unlearn(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const Sites& sites,
             const Matrix& T, const std::vector<Index>& left, Evidence& settled);

}  // namespace gpstream

#endif
