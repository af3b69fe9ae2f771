// A triangular factor of a product or solve, laid out for tiles (tile.h).
#ifndef GPSTREAM_VECTOR_PACKED_TRIANGLE_H
#define GPSTREAM_VECTOR_PACKED_TRIANGLE_H

#include "pack.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

// A lower triangle in a matrix: entry (i, k) at data[i row + k column].
struct LowerTriangle {
  const double* data;
  Index n, row, column;
};

// It, laid out for tiles: blocks of `block` columns, in each the rows from its diagonal on, four by four.
// What lies above the diagonal is 0; beyond row n there are the rows of a unit matrix. For solves the
// diagonal is inverted.
class PackedTriangle {
 public:
  static constexpr Index block = 160;

  PackedTriangle(const LowerTriangle& L, bool inverted)
      : n_(round_up(L.n, 4)), memory_(n_ * (n_ + least(block, n_))) {
    for (Index k0 = 0; k0 < n_; k0 += block)
      for (Index i0 = k0; i0 < n_; i0 += 4) pack(L, inverted, k0, i0);
  }

  Index rows() const { return n_; }
  Index width(Index k0) const { return least(block, n_ - k0); }
  // rows i0 to i0 + 3 of the block that begins at column k0
  double* panel(Index k0, Index i0) { return memory_.data() + k0 * n_ + (i0 - k0) * width(k0); }

 private:
  void pack(const LowerTriangle& L, bool inverted, Index k0, Index i0) {
    double* to = panel(k0, i0);
    const Index full = least(width(k0), i0 - k0), end = least(width(k0), i0 + 4 - k0);
    const double* from = L.data + i0 * L.row + k0 * L.column;
    if (i0 + 4 <= L.n) {
      for (Index k = 0; k < full; ++k)
        for (Index i = 0; i < 4; ++i) to[k * 4 + i] = from[i * L.row + k * L.column];
    } else {
      for (Index k = 0; k < full; ++k)
        for (Index i = 0; i < 4; ++i) to[k * 4 + i] = i0 + i < L.n ? from[i * L.row + k * L.column] : 0.0;
    }
    for (Index k = full; k < end; ++k)
      for (Index i = 0; i < 4; ++i) {
        const Index row = i0 + i, column = k0 + k;
        double value = row == column ? 1.0 : 0.0;
        if (row < L.n && column <= row) value = from[i * L.row + k * L.column];
        to[k * 4 + i] = inverted && row == column ? 1.0 / value : value;
      }
  }

  Index n_;
  Scratch memory_;
};

}  // namespace vector
}  // namespace gpstream
#endif

#endif
