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

#include "posterior.h"

namespace gpstream {

struct VarianceFactor {
  Matrix R;
  double below;
  Matrix own, across;  // (G~^-1)_11 and L^-T (G~^-1)_21

  static bool pays(Index rows, Index M) { return rows >= 4 * M; }
};

// Empty when rounding is too coarse for it.
inline std::optional<VarianceFactor> variance_factor(const Basis& basis, const ConstMatrixView& C) {
  const Index M = basis.size(), all = C.rows(), q = all - M;
  Matrix inverse = Matrix::Identity(all, all), rest = Matrix::Zero(all, all);
  solve_lower(C, MatrixView(inverse));
  add_outer(rest, inverse.transpose());
  rest = -symmetric(rest);
  Matrix across = -rest.bottomLeftCorner(M, q);
  solve_lower_transposed(basis.L.view(), MatrixView(across));
  // points that no row came near leave a direction without evidence, where I - G^-1 is 0, or less by rounding
  for (const double shift : {0.0, static_cast<double>(M) * 2.3e-16}) {
    inverse = rest.bottomRightCorner(M, M).reverse();
    inverse.diagonal().array() += 1.0 + shift;
    if (!cholesky(inverse)) continue;
    VarianceFactor out{lower(inverse).reverse(), 0.0, -rest.topLeftCorner(q, q), across};
    solve_lower_transposed(basis.L.view(), MatrixView(out.R));
    const double rounding =
        std::max(shift, 2.3e-16 * (M == 0 ? 0.0 : std::sqrt(out.R.colwise().squaredNorm().maxCoeff())));
    out.below = std::max(1e-8, 1e6 * rounding);  // right to six digits at least
    return out;
  }
  return std::nullopt;
}

}  // namespace gpstream

#endif
