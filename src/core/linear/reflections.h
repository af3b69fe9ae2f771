// Reflections of a few neighbouring coordinates each, one after the other: Q = H_1 H_2 ... makes a lower
// factor that has lost some rows triangular again.
#ifndef GPSTREAM_REFLECTIONS_H
#define GPSTREAM_REFLECTIONS_H

#include <vector>

#include "types.h"

namespace gpstream {

// I - v v', v'v = 2, on some consecutive coordinates.
struct Reflection {
  Index at;
  Vector v;

  void turn_columns(MatrixView A) const;
};

// L, whose row i has entries up to column `last[i]`, becomes lower triangular with a positive diagonal.
std::vector<Reflection> triangularise(MatrixView L, const std::vector<Index>& last);

// S <- Q'S Q, in the lower triangle. What a reflection does to the rows of columns before it has no effect on
// any other column, and comes at the end: a few columns at a time stay in the cache.
void turn_both(const std::vector<Reflection>& Q, MatrixView S);

}  // namespace gpstream

#endif
