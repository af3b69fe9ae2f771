// The innermost loop of matrix products: a tile of 12 x 4 numbers that stays in registers (AVX2 and FMA).
//   T(i, c) = sum_k x(k, i) l(k, c),   twelve x and four l side by side in memory for every k
// Everything in vector/ that multiplies matrices is this loop on operands laid out for it (pack.h).
#ifndef GPSTREAM_VECTOR_TILE_H
#define GPSTREAM_VECTOR_TILE_H

#include "lanes.h"

#if GPSTREAM_WIDE
#include <immintrin.h>

namespace gpstream {
namespace vector {

constexpr Index tile_rows = 12, tile_columns = 4;

struct Tile {
  __m256d c[4][3];  // column c, rows 0 to 3, 4 to 7, 8 to 11
};

#define GPSTREAM_TILE GPSTREAM_AVX2_FMA GPSTREAM_INLINE

GPSTREAM_TILE void column_of_tile(const double* l, const __m256d& x0, const __m256d& x1, const __m256d& x2,
                                  __m256d& a, __m256d& b, __m256d& c) {
  const __m256d s = _mm256_broadcast_sd(l);
  a = _mm256_fmadd_pd(s, x0, a);
  b = _mm256_fmadd_pd(s, x1, b);
  c = _mm256_fmadd_pd(s, x2, c);
}

// Steps of l are `l_step` apart: 4 where it is laid out in fours, 12 where it is part of another x.
GPSTREAM_TILE void multiply(Index K, const double* x, const double* l, Index l_step, Tile& out) {
  const __m256d zero = _mm256_setzero_pd();
  __m256d a0 = zero, a1 = zero, a2 = zero, b0 = zero, b1 = zero, b2 = zero;
  __m256d c0 = zero, c1 = zero, c2 = zero, d0 = zero, d1 = zero, d2 = zero;
  for (Index k = 0; k < K; ++k) {
    const __m256d x0 = _mm256_load_pd(x), x1 = _mm256_load_pd(x + 4), x2 = _mm256_load_pd(x + 8);
    column_of_tile(l, x0, x1, x2, a0, a1, a2);
    column_of_tile(l + 1, x0, x1, x2, b0, b1, b2);
    column_of_tile(l + 2, x0, x1, x2, c0, c1, c2);
    column_of_tile(l + 3, x0, x1, x2, d0, d1, d2);
    x += tile_rows;
    l += l_step;
  }
  out = Tile{{{a0, a1, a2}, {b0, b1, b2}, {c0, c1, c2}, {d0, d1, d2}}};
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
