// Trend: the functions t(x) whose combination is the prior mean of f. Here there is one, the constant.
//   f(x) = t(x)'beta + sqrt(v) GP(0, k1)
#ifndef GPSTREAM_TREND_H
#define GPSTREAM_TREND_H

#include "../linear/types.h"

namespace gpstream {

struct Trend {
  static constexpr Index size = 1;
  static Matrix at(const ConstMatrixView& X) { return Matrix::Ones(X.rows(), size); }
};

}  // namespace gpstream

#endif
