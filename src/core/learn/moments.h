// Mean and standard deviation of each column of the rows so far, one row after the other, measured from the
// first row: far from 0, a running mean would lose the last digits of what a column varies by.
#ifndef GPSTREAM_LEARN_MOMENTS_H
#define GPSTREAM_LEARN_MOMENTS_H

#include <algorithm>
#include <cmath>

#include "../linear/types.h"

namespace gpstream {

struct Moments {
  double n = 0.0;
  Vector first, about, squares;  // the first row, the mean measured from it, squares about the mean

  explicit Moments(Index D = 0);

  void add(const ConstMatrixView& X);

  // Rows that were seen elsewhere.
  void merge(const Moments& other);

  // A row is taken out again.
  void remove(const ConstVectorView& row);

  Vector mean() const { return first + about; }

  // Has column d no spread so far, but for rounding?
  bool constant(Index d) const;

  // What a column's lengthscale is measured against: its standard deviation; where it has no spread, its
  // size, 1 where that is 0.
  Vector scale() const;

 private:
  double sd(Index d) const { return std::sqrt(squares(d) / std::max(n - 1.0, 1.0)); }
};

}  // namespace gpstream

#endif
