// Absorb: add a batch's evidence under the present points, A = L^-1 k1(Z, X):  [derivation 2]
//   P += A A'    b += A y    h += A 1    residuals r_i = 1 - |a_i|^2
// in blocks, so that memory stays O(block x M). The features of the last rows are kept for the look-back
// window.
#ifndef GPSTREAM_ABSORB_H
#define GPSTREAM_ABSORB_H

#include <algorithm>
#include <vector>

#include "../points/basis.h"
#include "evidence.h"
#include "window.h"

namespace gpstream {

constexpr Index absorb_block = 512;

// A batch seen from the present points: its residuals, and the features of its newest rows. Used again for
// the next batch of the same size, which then needs no new memory.
struct Absorbed {
  Vector r;
  Matrix newest;
  Matrix A;  // work space
};

// Rows from, ..., from + count - 1 of a batch, of which the last `newest` are kept: adds to P, b and h only.
inline void absorb_rows(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X,
                        const ConstVectorView& y, Index from, Index count, Evidence& evidence, Matrix& A,
                        Absorbed& out) {
  const Index first_kept = X.rows() - out.newest.cols();
  for (Index start = from; start < from + count; start += absorb_block) {
    const Index rows = std::min(absorb_block, from + count - start),
                skip = std::max<Index>(0, std::min(rows, first_kept - start));
    basis.features(kernel, X.middleRows(start, rows), A, out.r.segment(start, rows));
    evidence.add(A, y.segment(start, rows));
    if (skip < rows) out.newest.middleCols(start + skip - first_kept, rows - skip) = A.rightCols(rows - skip);
  }
}

// With threads, each adds up its own rows.
inline void absorb(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X,
                   const ConstVectorView& y, Index newest, Evidence& evidence, Checkpoint check,
                   Absorbed& out) {
  const Index B = X.rows(), M = basis.size();
  const int threads = threads_for(static_cast<double>(M) * static_cast<double>(M) * static_cast<double>(B));
  out.r.resize(B);
  out.newest.resize(M, newest);
  if (threads == 1) {
    for (Index start = 0; start < B; start += absorb_block) {
      check();
      absorb_rows(basis, kernel, X, y, start, std::min(absorb_block, B - start), evidence, out.A, out);
    }
    return;
  }
  std::vector<Evidence> sums(static_cast<std::size_t>(parts_of(B, threads)), Evidence::none(M));
  const Index step = 16 * absorb_block * threads;
  for (Index start = 0; start < B; start += step) {
    check();
    in_parts(std::min(step, B - start), threads, [&](Index which, Index from, Index count) {
      Matrix A;
      absorb_rows(basis, kernel, X, y, start + from, count, sums[static_cast<std::size_t>(which)], A, out);
    });
  }
  for (const Evidence& sum : sums) evidence.add(sum);
}

}  // namespace gpstream

#endif
