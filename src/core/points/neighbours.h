// Is a row within a ball about some point? Distances only, no kernel is evaluated.
//   a few rows, or many columns   all points, several at a time, until one is near enough, the one that was
//   so last first many rows, up to 3 columns    only the points in the cells around the row
#ifndef GPSTREAM_NEIGHBOURS_H
#define GPSTREAM_NEIGHBOURS_H

#include <optional>

#include "cells.h"
#include "../kernels/kernel.h"
#include "../linear/vector/near.h"

namespace gpstream {

class Neighbours {
 public:
  // For about `rows` questions. Z are the points so far; tell of each that joins.
  Neighbours(Ball ball, const ConstMatrixView& Z, Index rows) : ball_(std::move(ball)) {
    if (Z.cols() <= 3 && rows >= 32) cells_.emplace(ball_, Z);
  }

  // Row i of X; Z all points that have joined.
  bool near(const ConstMatrixView& Z, const ConstMatrixView& X, Index i) {
    if (Z.rows() == 0) return false;
    if (cells_)
      if (const std::optional<bool> answer = cells_->near(X, i)) return *answer;
    if (last_ < Z.rows() && near_one_of(Z, last_, 1, X, i)) return true;
    return near_one_of(Z, 0, Z.rows(), X, i);
  }

  // The last row of Z has joined.
  void joined(const ConstMatrixView& Z) {
    last_ = Z.rows() - 1;
    if (cells_) cells_->joined(Z);
  }

 private:
  bool near_one_of(const ConstMatrixView& Z, Index first, Index count, const ConstMatrixView& X, Index i) {
    const vector::Rows rows{Z.data() + first, count, Z.outerStride()};
    const Index j = vector::near_row(rows, {X.data() + i, X.outerStride()}, {ball_.inverse.data(), 1},
                                     Z.cols(), ball_.r2);
    if (j >= 0) last_ = first + j;
    return j >= 0;
  }

  Ball ball_;
  Index last_ = 0;
  std::optional<Cells> cells_;
};

}  // namespace gpstream

#endif
