// A matrix product, twelve columns at a time (tile.h).
#ifndef GPSTREAM_VECTOR_PRODUCT_H
#define GPSTREAM_VECTOR_PRODUCT_H

#include "triangle.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

// A matrix laid out for tiles: blocks of `block` columns, in each all rows, four by four, zeros beyond the
// last.
class PackedMatrix {
 public:
  static constexpr Index block = 160;

  PackedMatrix(Index n, Index k, const double* A, Index lda) : n_(round_up(n, 4)), k_(k), memory_(n_ * k) {
    for (Index k0 = 0; k0 < k; k0 += block)
      for (Index i0 = 0; i0 < n_; i0 += 4) {
        double* to = panel(k0, i0);
        for (Index j = 0; j < width(k0); ++j)
          for (Index i = 0; i < 4; ++i) to[j * 4 + i] = i0 + i < n ? A[i0 + i + (k0 + j) * lda] : 0.0;
      }
  }

  Index rows() const { return n_; }
  Index width(Index k0) const { return least(block, k_ - k0); }
  double* panel(Index k0, Index i0) { return memory_.data() + k0 * n_ + i0 * width(k0); }

 private:
  Index n_, k_;
  Scratch memory_;
};

// Y <- Y + A X for panels of twelve lanes, with `steps` steps each in X
GPSTREAM_AVX2_FMA inline void multiply_panels(PackedMatrix& A, Index k, const double* X, Index steps,
                                              double* Y, Index panels) {
  const Index n = A.rows();
  for (Index k0 = 0; k0 < k; k0 += PackedMatrix::block)
    for (Index i0 = 0; i0 < n; i0 += rows_at_once)
      for (Index p = 0; p < panels; ++p)
        for (Index i = i0; i < least(n, i0 + rows_at_once); i += 4)
          add_product<true>(A.width(k0), X + (p * steps + k0) * tile_rows, A.panel(k0, i),
                            Y + (p * n + i) * tile_rows);
}

// C <- A B,  A n x k, B k x m, C n x m
inline void multiply(Index n, Index k, Index m, const double* A, Index lda, const double* B, Index ldb,
                     double* C, Index ldc) {
  if (n == 0 || m == 0) return;
  PackedMatrix packed(n, k, A, lda);
  const Index rows = packed.rows(), steps = round_up(k, 4), at_once = panels_at_once * tile_rows;
  const Index most = least(at_once, round_up(m, tile_rows));
  Scratch X(steps * most), Y(rows * most);
  for (Index j0 = 0; j0 < m; j0 += at_once) {
    const Index lanes = least(at_once, m - j0), padded = round_up(lanes, tile_rows);
    for (Index j = 0; j < lanes; j += tile_rows)
      pack(B + (j0 + j) * ldb, ldb, Lay::columns, least(tile_rows, lanes - j), k, X.data() + j * steps);
    for (Index i = 0; i < padded * rows; ++i) Y.data()[i] = 0.0;
    multiply_panels(packed, k, X.data(), steps, Y.data(), padded / tile_rows);
    for (Index j = 0; j < lanes; j += tile_rows)
      unpack(Y.data() + j * rows, least(tile_rows, lanes - j), n, C + (j0 + j) * ldc, ldc, Lay::columns);
  }
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
