// Squared distances, and functions of every entry of a matrix, in place. The value of a pair does not depend
// on where it stands.
#ifndef GPSTREAM_KERNELS_ENTRIES_H
#define GPSTREAM_KERNELS_ENTRIES_H

#include <algorithm>

#include "../linear/types.h"
#include "../linear/vector/each.h"

namespace gpstream {

// The C library's functions, one entry at a time:  each(r2, [](double t) { return std::exp(-t); })
template <class Function>
void each(MatrixView values, Function f) {
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i) values(i, j) = f(values(i, j));
}

// Several entries at a time, by a function of vectors (vector/functions.h).
template <class Function>
void in_lanes(MatrixView values, const Function& f) {
  if (values.outerStride() == values.rows()) return vector::each(values.data(), values.size(), f);
  for (Index j = 0; j < values.cols(); ++j)
    vector::each(values.data() + j * values.outerStride(), values.rows(), f);
}

// f(first, count), some columns at a time of a matrix with so many rows: few enough to stay in cache from one
// step to the next.
template <class Function>
void in_blocks(Index rows, Index columns, const Function& f) {
  const Index some = std::max<Index>(1, 4096 / std::max<Index>(1, rows));
  for (Index j = 0; j < columns; j += some) f(j, std::min(some, columns - j));
}

// out(i, j) = sum_d ((A(i, d) - B(j, d)) inverse_d)^2; `inverse` is one for all columns, or one each.
void squared_distances(const ConstMatrixView& A, const ConstMatrixView& B, const Vector& inverse,
                       MatrixView out);

}  // namespace gpstream

#endif
