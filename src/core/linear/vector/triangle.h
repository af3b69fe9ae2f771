// Solves with a lower triangle and products with it, twelve columns at a time:  B <- L^-1 B,  L^-T B,  R'B.
//
// In blocks of steps that stay in cache:  x_k <- L_kk^-1 x_k by substitution, then x_i -= L_ik x_k for all
// rows i below. A transposed triangle, its rows and columns counted from the end, is a lower triangle again.
// What a column becomes does not depend on where in B it stands, nor on the others.
#ifndef GPSTREAM_VECTOR_TRIANGLE_H
#define GPSTREAM_VECTOR_TRIANGLE_H

#include "packed_triangle.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

// Four rows of a panel <- rows + L x (or minus)
template <bool plus>
GPSTREAM_TILE void add_product(Index K, const double* x, const double* l, double* rows) {
  Tile t;
  multiply(K, x, l, 4, t);
  for (int c = 0; c < 4; ++c)
    for (int i = 0; i < 3; ++i) {
      double* at = rows + c * tile_rows + 4 * i;
      const __m256d before = _mm256_load_pd(at);
      _mm256_store_pd(at, plus ? _mm256_add_pd(before, t.c[c][i]) : _mm256_sub_pd(before, t.c[c][i]));
    }
}

// The same, and then the substitution within the square on the diagonal, which stands after the K steps of l.
GPSTREAM_TILE void solve(Index K, const double* x, const double* l, double* rows) {
  add_product<false>(K, x, l, rows);
  const double* d = l + 4 * K;
  for (int i = 0; i < 3; ++i) {
    double* at = rows + 4 * i;
    __m256d x0 = _mm256_load_pd(at), x1 = _mm256_load_pd(at + 12), x2 = _mm256_load_pd(at + 24),
            x3 = _mm256_load_pd(at + 36);
    x0 = _mm256_mul_pd(x0, _mm256_broadcast_sd(d));
    x1 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 1), x0, x1);
    x2 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 2), x0, x2);
    x3 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 3), x0, x3);
    x1 = _mm256_mul_pd(x1, _mm256_broadcast_sd(d + 5));
    x2 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 6), x1, x2);
    x3 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 7), x1, x3);
    x2 = _mm256_mul_pd(x2, _mm256_broadcast_sd(d + 10));
    x3 = _mm256_fnmadd_pd(_mm256_broadcast_sd(d + 11), x2, x3);
    x3 = _mm256_mul_pd(x3, _mm256_broadcast_sd(d + 15));
    _mm256_store_pd(at, x0);
    _mm256_store_pd(at + 12, x1);
    _mm256_store_pd(at + 24, x2);
    _mm256_store_pd(at + 36, x3);
  }
}

constexpr Index rows_at_once = 96;   // of L below the diagonal, which stay in cache for all panels
constexpr Index panels_at_once = 8;  // of twelve lanes

// X <- L^-1 X for panels of twelve lanes
GPSTREAM_AVX2_FMA inline void solve_panels(PackedTriangle& L, double* X, Index panels) {
  const Index n = L.rows(), size = n * tile_rows;
  for (Index k0 = 0; k0 < n; k0 += PackedTriangle::block) {
    const Index width = L.width(k0);
    for (double* x = X; x < X + panels * size; x += size)
      for (Index i = k0; i < k0 + width; i += 4)
        solve(i - k0, x + k0 * tile_rows, L.panel(k0, i), x + i * tile_rows);
    for (Index i0 = k0 + width; i0 < n; i0 += rows_at_once)
      for (double* x = X; x < X + panels * size; x += size)
        for (Index i = i0; i < least(n, i0 + rows_at_once); i += 4)
          add_product<false>(width, x + k0 * tile_rows, L.panel(k0, i), x + i * tile_rows);
  }
}

// Y <- Y + L X
GPSTREAM_AVX2_FMA inline void multiply_panels(PackedTriangle& L, const double* X, double* Y, Index panels) {
  const Index n = L.rows(), size = n * tile_rows;
  for (Index k0 = 0; k0 < n; k0 += PackedTriangle::block)
    for (Index i0 = k0; i0 < n; i0 += rows_at_once)
      for (Index p = 0; p < panels * size; p += size)
        for (Index i = i0; i < least(n, i0 + rows_at_once); i += 4)
          add_product<true>(least(L.width(k0), i + 4 - k0), X + p + k0 * tile_rows, L.panel(k0, i),
                            Y + p + i * tile_rows);
}

// The matrix of m lanes at B (pack.h says what lanes are)  <- L^-1 times it
inline void solve_lower(const LowerTriangle& L, Index m, double* B, Index stride, Lay lay) {
  if (L.n == 0 || m == 0) return;
  PackedTriangle packed(L, true);
  const Index rows = packed.rows(), at_once = panels_at_once * tile_rows,
              lane = lay == Lay::rows ? 1 : stride;
  Scratch X(rows * least(at_once, round_up(m, tile_rows)));
  for (Index j0 = 0; j0 < m; j0 += at_once) {
    const Index lanes = least(at_once, m - j0);
    double* from = B + j0 * lane;
    for (Index j = 0; j < lanes; j += tile_rows)
      pack(from + j * lane, stride, lay, least(tile_rows, lanes - j), L.n, X.data() + j * rows);
    solve_panels(packed, X.data(), round_up(lanes, tile_rows) / tile_rows);
    for (Index j = 0; j < lanes; j += tile_rows)
      unpack(X.data() + j * rows, least(tile_rows, lanes - j), L.n, from + j * lane, stride, lay);
  }
}

// B <- L^-1 B,  L n x n, B n x m, leading dimensions ldl and ldb; only the lower triangle of L is read
inline void solve_lower(Index n, Index m, const double* L, Index ldl, double* B, Index ldb) {
  solve_lower(LowerTriangle{L, n, 1, ldl}, m, B, ldb, Lay::columns);
}

// B <- L^-T B
inline void solve_lower_transposed(Index n, Index m, const double* L, Index ldl, double* B, Index ldb) {
  if (n > 0) solve_lower(LowerTriangle{L + (n - 1) * (ldl + 1), n, -ldl, -1}, m, B, ldb, Lay::reversed);
}

// C <- R'B,  R n x n, only its upper triangle is read; B and C n x m, and may be the same
inline void multiply_upper_transposed(Index n, Index m, const double* R, Index ldr, const double* B,
                                      Index ldb, double* C, Index ldc) {
  if (n == 0 || m == 0) return;
  PackedTriangle packed(LowerTriangle{R, n, ldr, 1}, false);
  const Index rows = packed.rows(), at_once = panels_at_once * tile_rows,
              most = rows * least(at_once, round_up(m, tile_rows));
  Scratch X(most), Y(most);
  for (Index j0 = 0; j0 < m; j0 += at_once) {
    const Index lanes = least(at_once, m - j0), padded = round_up(lanes, tile_rows);
    for (Index j = 0; j < lanes; j += tile_rows)
      pack(B + (j0 + j) * ldb, ldb, Lay::columns, least(tile_rows, lanes - j), n, X.data() + j * rows);
    for (Index i = 0; i < padded * rows; ++i) Y.data()[i] = 0.0;
    multiply_panels(packed, X.data(), Y.data(), padded / tile_rows);
    for (Index j = 0; j < lanes; j += tile_rows)
      unpack(Y.data() + j * rows, least(tile_rows, lanes - j), n, C + (j0 + j) * ldc, ldc, Lay::columns);
  }
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
