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

// A batch seen from the present points: its residuals, and the features of its newest rows. Used again for the next batch of the
// same size, which then needs no new memory.
struct Absorbed {
  Vector r;
  Matrix newest;
  Matrix A;  // work space
};

// Adds to P, b and h only.
inline void absorb(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& y, Index newest,
                   Evidence& evidence, Checkpoint check, Absorbed& out) {
  const Index B = X.rows(), first_kept = B - newest;
  out.r.resize(B);
  out.newest.resize(basis.size(), newest);
  for (Index start = 0; start < B; start += absorb_block) {
    check();
    const Index rows = std::min(absorb_block, B - start), skip = std::max<Index>(0, std::min(rows, first_kept - start));
    basis.features(kernel, X.middleRows(start, rows), out.A, out.r.segment(start, rows));
    evidence.add(out.A, y.segment(start, rows));
    if (skip < rows) out.newest.middleCols(start + skip - first_kept, rows - skip) = out.A.rightCols(rows - skip);
  }
}

}  // namespace gpstream

#endif
