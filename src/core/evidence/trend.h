// Trend: the functions t(x) whose combination is the prior mean of f: the constant, and columns of x,
// measured from a centre in units of a scale.  [derivation 1]
//   f(x) = t(x)'beta + sqrt(v) GP(0, k1)      beta ~ N((mean - offset, 0, ...), v diag(ratio))
// A coefficient with ratio 0 is known, and what it does is all in the mean. The others are integrated out: at
// read-out their functions are features, t_j sqrt(ratio_j), in front of those of the points.
#ifndef GPSTREAM_TREND_H
#define GPSTREAM_TREND_H

#include <vector>

#include "../linear/require.h"
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
  Index active() const { return (ratio.array() > 0).count(); }

  // One row a row of X.
  Matrix at(const ConstMatrixView& X) const {
    Matrix out(X.rows(), size());
    out.col(0).setOnes();
    for (Index j = 1; j < size(); ++j)
      out.col(j) = (X.col(columns[static_cast<std::size_t>(j - 1)]).array() - centre(j - 1)) / scale(j - 1);
    return out;
  }

  // S, which takes t to the features: t'S are those of the functions that are active.
  Matrix spread() const {
    Matrix out = Matrix::Zero(size(), active());
    for (Index j = 0, at = 0; j < size(); ++j)
      if (ratio(j) > 0) out(j, at++) = std::sqrt(ratio(j));
    return out;
  }

  // These features, one column a row of X.
  Matrix features(const ConstMatrixView& X) const {
    if (active() == 0) return Matrix(0, X.rows());
    return (at(X) * spread()).transpose();
  }

  // What these features rise by along column d of X, wherever that is.
  Vector slopes(Index d) const {
    Vector rise = Vector::Zero(size());
    for (Index j = 1; j < size(); ++j)
      if (columns[static_cast<std::size_t>(j - 1)] == d) rise(j) += 1.0 / scale(j - 1);
    return spread().transpose() * rise;
  }

  bool fits(Index D) const {
    const Index q = size();
    if (centre.size() != q - 1 || scale.size() != q - 1 || ratio.size() != q) return false;
    if (untold < 0 || untold > q - 1) return false;
    for (const Index column : columns)
      if (column < 0 || column >= D) return false;
    return centre.allFinite() && scale.allFinite() && (scale.array() > 0).all() && ratio.allFinite() &&
           (ratio.array() >= 0).all();
  }
};

}  // namespace gpstream

#endif
