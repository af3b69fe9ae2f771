// Products of a matrix with its own transpose: S <- S + A A' or S - A A', lower triangle.
#ifndef GPSTREAM_VECTOR_OUTER_H
#define GPSTREAM_VECTOR_OUTER_H

#include "pack.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

// A tile into S at (i, j): all of it, or what lies on or below the diagonal and within n rows.
template <bool plus>
GPSTREAM_TILE void put(const Tile& t, double* S, Index lds) {
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) {
      double* at = S + c * lds + 4 * r;
      const __m256d s = _mm256_loadu_pd(at);
      _mm256_storeu_pd(at, plus ? _mm256_add_pd(s, t.c[c][r]) : _mm256_sub_pd(s, t.c[c][r]));
    }
}
template <bool plus>
GPSTREAM_TILE void put_lower(const Tile& t, Index n, Index i, Index j, double* S, Index lds) {
  alignas(32) double part[tile_columns * tile_rows];
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) _mm256_store_pd(part + c * tile_rows + 4 * r, t.c[c][r]);
  for (Index c = 0; c < least(4, n - j); ++c)
    for (Index r = j + c > i ? j + c - i : 0; r < least(tile_rows, n - i); ++r) {
      double& at = S[i + r + (j + c) * lds];
      at = plus ? at + part[c * tile_rows + r] : at - part[c * tile_rows + r];
    }
}

// Rows of A in panels of twelve, K steps each: every panel is one factor of a tile, and, four lanes at a
// time, the other.
template <bool plus>
GPSTREAM_AVX2_FMA void outer_of_panels(Index n, Index K, const double* panels, double* S, Index lds) {
  const Index size = K * tile_rows;
  for (Index i = 0; i < n; i += tile_rows) {
    const double* own = panels + i / tile_rows * size;
    for (Index j = 0; j < least(n, i + tile_rows); j += 4) {
      Tile t;
      for (Index c = 0; c < 4; ++c) {  // S is needed when the product is done, and may be far away
        __builtin_prefetch(S + i + (j + c) * lds);
        __builtin_prefetch(S + i + tile_rows - 1 + (j + c) * lds);
      }
      multiply(K, own, panels + j / tile_rows * size + j % tile_rows, tile_rows, t);
      if (j + 4 <= i + 1 && i + tile_rows <= n)
        put<plus>(t, S + i + j * lds, lds);
      else
        put_lower<plus>(t, n, i, j, S, lds);
    }
  }
}

// S <- S + A A' (or minus):  A n x k, S n x n; nothing above the diagonal of S is read or written
template <bool plus = true>
void add_outer(Index n, Index k, const double* A, Index lda, double* S, Index lds) {
  constexpr Index block = 160;
  if (n == 0 || k == 0) return;
  Scratch packed(round_up(n, tile_rows) * round_up(least(k, block), 4));
  for (Index k0 = 0; k0 < k; k0 += block) {
    const Index K = least(block, k - k0);
    for (Index i = 0; i < n; i += tile_rows)
      pack(A + i + k0 * lda, lda, Lay::rows, least(tile_rows, n - i), K, packed.data() + i * K);
    outer_of_panels<plus>(n, K, packed.data(), S, lds);
  }
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
