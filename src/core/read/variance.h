// One triangular factor for the latent variance, from the two of the model:  [derivation 2]
//   var f(x) / v = d - |w|^2 + |C^-1 w|^2 = d - w'(I - G^-1)w = d - |R'k|^2
//   I - G^-1 = U U',  R = L^-T U,  k = k1(Z, x),  d = k1(x, x)
// and where coefficients of the trend are integrated out, s = S't, with the blocks of G~^-1,
//   I - (G~^-1)_22 = U U',   + s'(G~^-1)_11 s + 2 k'L^-T (G~^-1)_21 s
// U and R are upper triangular, so a row costs one triangular product instead of two solves. To make R takes
// as long as 4 M rows; the difference to the two solves is rounding, but it is absolute: rows with less
// variance than `below` need the solves.
#ifndef GPSTREAM_VARIANCE_H
#define GPSTREAM_VARIANCE_H

#include <optional>

#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

struct VarianceFactor {
  Matrix R;
  double below;
  Matrix own, across;  // (G~^-1)_11 and L^-T (G~^-1)_21

  static bool pays(Index rows, Index M);
};

// Empty when rounding is too coarse for it.
std::optional<VarianceFactor> variance_factor(const Basis& basis, const ConstMatrixView& C);

}  // namespace gpstream

#endif
