// One triangular factor for the latent variance, from the two of the model:  [derivation 2]
//   var f(x) / v = d - |w|^2 + |C^-1 w|^2 = d - w'(I - G^-1)w = d - |R'k|^2
//   I - G^-1 = U U',  R = L^-T U,  k = k1(Z, x),  d = k1(x, x)
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

  static bool pays(Index rows, Index M) { return rows >= 4 * M; }
};

// Empty when rounding is too coarse for it.
inline std::optional<VarianceFactor> variance_factor(const Basis& basis, const ConstMatrixView& C) {
  const Index M = basis.size();
  Matrix inverse = Matrix::Identity(M, M), rest = Matrix::Zero(M, M);
  solve_lower(C, MatrixView(inverse));
  add_outer(rest, inverse.transpose());
  rest = -symmetric(rest);
  // points that no row came near leave a direction without evidence, where I - G^-1 is 0, or less by rounding
  for (const double shift : {0.0, static_cast<double>(M) * 2.3e-16}) {
    inverse = rest.reverse();
    inverse.diagonal().array() += 1.0 + shift;
    if (!cholesky(inverse)) continue;
    VarianceFactor out{lower(inverse).reverse(), 0.0};
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
