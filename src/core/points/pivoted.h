// A basis for points that were given, not met one by one: the point with the largest conditional variance,
// relative to its variance, joins next, until none has more than `pivot_tolerance`. In this order pivots
// fall, no row extrapolates from others on one side, and far smaller pivots are safe than in the order of a
// stream.
#ifndef GPSTREAM_PIVOTED_H
#define GPSTREAM_PIVOTED_H

#include <vector>

#include "basis.h"

namespace gpstream {

constexpr double pivot_tolerance = 1e-12;

// Cholesky with pivots; `kept` are the rows of Z in the order in which they joined.
inline Basis pivoted_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check,
                           std::vector<Index>& kept) {
  const Index M = Z.rows();
  Matrix factor(M, M);
  const Diagonal d(kernel, Z);
  Vector left(M);
  for (Index i = 0; i < M; ++i) left(i) = d(i);
  kept.clear();
  for (Index j = 0; j < M; ++j) {
    check();
    Index next = -1;
    double most = pivot_tolerance;
    for (Index i = 0; i < M; ++i)
      if (left(i) / d(i) > most) {
        most = left(i) / d(i);
        next = i;
      }
    if (next < 0) break;
    Vector column = kernel.value(Z, Z.middleRows(next, 1)).col(0);
    if (j > 0) column.noalias() -= factor.leftCols(j) * factor.row(next).head(j).transpose();
    factor.col(j) = column / std::sqrt(left(next));
    left.array() -= factor.col(j).array().square();
    for (Index i : kept) left(i) = 0;
    left(next) = 0;
    kept.push_back(next);
  }
  const Index size = static_cast<Index>(kept.size());
  Matrix points(size, Z.cols()), L = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    points.row(i) = Z.row(kept[static_cast<std::size_t>(i)]);
    L.row(i).head(i + 1) = factor.row(kept[static_cast<std::size_t>(i)]).head(i + 1);
  }
  return Basis{GrowingMatrix(points), GrowingMatrix(L)};
}

// In their own order where that is safe, as a model has them.
inline Basis given_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check,
                         std::vector<Index>& kept) {
  Basis basis = make_basis(kernel, Z, kept);
  if (static_cast<Index>(kept.size()) == Z.rows()) return basis;
  return pivoted_basis(kernel, Z, check, kept);
}

}  // namespace gpstream

#endif
