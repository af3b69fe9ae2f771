// Cholesky factorisation by halves: factor the first half, solve for what is below it, subtract its square,
// factor the rest.
#ifndef GPSTREAM_VECTOR_CHOLESKY_H
#define GPSTREAM_VECTOR_CHOLESKY_H

#include <cmath>

#include "outer.h"
#include "triangle.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

inline bool small_cholesky(Index n, double* S, Index lds) {
  for (Index j = 0; j < n; ++j) {
    double* column = S + j * lds;
    if (!(column[j] > 0)) return false;
    column[j] = std::sqrt(column[j]);
    const double inverse = 1.0 / column[j];
    for (Index i = j + 1; i < n; ++i) column[i] *= inverse;
    for (Index k = j + 1; k < n; ++k)
      for (Index i = k; i < n; ++i) S[i + k * lds] -= column[i] * column[k];
  }
  return true;
}

// S <- its lower factor, S n x n; nothing above the diagonal is read or written. False when S is not positive
// definite.
inline bool cholesky(Index n, double* S, Index lds) {
  if (n <= 24) return small_cholesky(n, S, lds);
  const Index half = round_up(n / 2, tile_rows), rest = n - half;
  double *below = S + half, *corner = S + half * (lds + 1);
  if (!cholesky(half, S, lds)) return false;
  solve_lower(LowerTriangle{S, half, 1, lds}, rest, below, lds, Lay::rows);
  add_outer<false>(rest, half, below, lds, corner, lds);
  return cholesky(rest, corner, lds);
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
