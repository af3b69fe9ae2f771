// Settle: rows leave the look-back, and the evidence grows by their sites.  [derivation 2]
#ifndef GPSTREAM_SETTLE_H
#define GPSTREAM_SETTLE_H

#include "../linear/types.h"
#include "evidence.h"
#include "site.h"

namespace gpstream {

// A <- A diag(sqrt(om)), of which A A' = sum om w w'. Unit weights leave every bit as it is.
void weigh(MatrixView A, const ConstVectorView& om);

// Rows with features A (one a column), residuals r, sites S and trend functions T.
void settle(const ConstMatrixView& A, const ConstVectorView& r, const Sites& S, const Matrix& T,
            Evidence& evidence);

}  // namespace gpstream

#endif
