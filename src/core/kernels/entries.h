// A function of every entry of a matrix, in place. The value of a pair does not depend on where it stands.
#ifndef GPSTREAM_KERNELS_ENTRIES_H
#define GPSTREAM_KERNELS_ENTRIES_H

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

}  // namespace gpstream

#endif
