// Rows that lie apart: of whose variance the points leave more than a share `most`. They wait in the
// look-back for a point that explains them, and do not count until then: what is left of them would be taken
// for noise.  [derivation 16]
#ifndef GPSTREAM_APART_H
#define GPSTREAM_APART_H

#include <limits>

#include "../kernels/diagonal.h"
#include "site.h"

namespace gpstream {

// Of rows X, of which r is left: 1 where a row lies apart. Empty where none can.
inline Vector apart(const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& r, double most) {
  if (!(most < std::numeric_limits<double>::infinity())) return Vector();
  const Diagonal own(kernel, X);
  Vector out(X.rows());
  for (Index i = 0; i < X.rows(); ++i) out(i) = r(i) > most * own(i);
  return out;
}

// A row that lies apart has a site of zeros, which is nothing.
inline void silence(const ConstVectorView& apart, Sites& sites) {
  for (Index i = 0; i < apart.size(); ++i)
    if (apart(i) != 0) sites.row(i).setZero();
}

}  // namespace gpstream

#endif
