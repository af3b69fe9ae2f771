// Is a row within a ball about some point? Distances only, no kernel is evaluated.
//   a few rows, or many columns   all points, several at a time, until one is near enough, the one that was
//   so last first many rows, up to 3 columns    only the points in the cells around the row
#ifndef GPSTREAM_NEIGHBOURS_H
#define GPSTREAM_NEIGHBOURS_H

#include <optional>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "cells.h"

namespace gpstream {

class Neighbours {
 public:
  // For about `rows` questions. Z are the points so far; tell of each that joins.
  Neighbours(Ball ball, const ConstMatrixView& Z, Index rows);

  // Row i of X; Z all points that have joined.
  bool near(const ConstMatrixView& Z, const ConstMatrixView& X, Index i);

  // The last row of Z has joined.
  void joined(const ConstMatrixView& Z);

 private:
  bool near_one_of(const ConstMatrixView& Z, Index first, Index count, const ConstMatrixView& X, Index i);

  Ball ball_;
  Index last_ = 0;
  std::optional<Cells> cells_;
};

}  // namespace gpstream

#endif
