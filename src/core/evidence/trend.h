// Trend: the functions t(x) whose combination is the prior mean of f: the constant, and columns of x,
// measured from a centre in units of a scale.  [derivation 1]
//   f(x) = t(x)'beta + sqrt(v) GP(0, k1)      beta ~ N((mean - offset, 0, ...), v diag(ratio))
// A coefficient with ratio 0 is known, and what it does is all in the mean. The others are integrated out: at
// read-out their functions are features, t_j sqrt(ratio_j), in front of those of the points.
#ifndef GPSTREAM_TREND_H
#define GPSTREAM_TREND_H

#include <vector>

#include "../linear/types.h"

namespace gpstream {

struct Trend {
  std::vector<Index> columns;
  Vector centre, scale;            // of these columns
  Vector ratio = Vector::Zero(1);  // prior variances of the coefficients over v, the constant's first
  // How many of the columns, the last ones, nobody asked for: they had no spread in the rows that the model
  // was learned from, and what they do once they vary is as uncertain as y.
  Index untold = 0;

  Index size() const { return 1 + static_cast<Index>(columns.size()); }

  // How many coefficients are not known.
  Index active() const;

  // One row a row of X.
  Matrix at(const ConstMatrixView& X) const;

  // S, which takes t to the features: t'S are those of the functions that are active.
  Matrix spread() const;

  // These features, one column a row of X.
  Matrix features(const ConstMatrixView& X) const;

  // What these features rise by along column d of X, wherever that is.
  Vector slopes(Index d) const;

  bool fits(Index D) const;
};

}  // namespace gpstream

#endif
