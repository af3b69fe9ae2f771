// Rows that lie apart: of whose variance the points leave more than a share `most`. They wait in the
// look-back for a point that explains them, and do not count until then: what is left of them would be taken
// for noise.  [derivation 16]
#ifndef GPSTREAM_APART_H
#define GPSTREAM_APART_H

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "site.h"

namespace gpstream {

// Of rows X, of which r is left: 1 where a row lies apart. Empty where none can.
Vector apart(const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& r, double most);

// A row that lies apart has a site of zeros, which is nothing.
void silence(const ConstVectorView& apart, Sites& sites);

}  // namespace gpstream

#endif
