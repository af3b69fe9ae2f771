// Absorb: add a batch's evidence under the present points, A = L^-1 k1(Z, X):  [derivation 2]
//   P += A A'    b += A y    h += A 1    residuals r_i = 1 - |a_i|^2
// in blocks, so that memory stays O(block x M). The features of the last rows are kept for the look-back window.
#ifndef GPSTREAM_ABSORB_H
#define GPSTREAM_ABSORB_H

#include <algorithm>

#include "basis.h"
#include "evidence.h"
#include "window.h"

namespace gpstream {

constexpr Index absorb_block = 512;

// A batch seen from the present points: its residuals, and the features of its newest rows.
struct Absorbed {
  Vector r;
  Matrix newest;
};

// Adds to P, b and h only.
inline Absorbed absorb(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& y, Index newest,
                       Evidence& evidence, Checkpoint check) {
  const Index B = X.rows(), first_kept = B - newest;
  Absorbed out{Vector(B), Matrix(basis.size(), newest)};
  Matrix A;
  for (Index start = 0; start < B; start += absorb_block) {
    check();
    const Index rows = std::min(absorb_block, B - start), skip = std::max<Index>(0, std::min(rows, first_kept - start));
    out.r.segment(start, rows) = basis.features(kernel, X.middleRows(start, rows), A);
    evidence.add(A, y.segment(start, rows));
    if (skip < rows) out.newest.middleCols(start + skip - first_kept, rows - skip) = A.rightCols(rows - skip);
  }
  return out;
}

}  // namespace gpstream

#endif
