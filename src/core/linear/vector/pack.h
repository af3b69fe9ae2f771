// Operands laid out for tiles (tile.h): panels of twelve lanes, the lanes of one step side by side, zeros
// where there are none.
#ifndef GPSTREAM_VECTOR_PACK_H
#define GPSTREAM_VECTOR_PACK_H

#include <cstdint>
#include <memory>

#include "tile.h"

#if GPSTREAM_WIDE
namespace gpstream {
namespace vector {

inline Index round_up(Index n, Index to) { return (n + to - 1) / to * to; }
inline Index least(Index a, Index b) { return a < b ? a : b; }

// Memory for laid-out operands, at the start of a cache line. Not initialised.
class Scratch {
 public:
  explicit Scratch(Index size) : memory_(new double[static_cast<std::size_t>(size) + 8]) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(memory_.get()) % 64;
    data_ = memory_.get() + (past == 0 ? 0 : (64 - past) / sizeof(double));
  }
  double* data() { return data_; }

 private:
  std::unique_ptr<double[]> memory_;
  double* data_;
};

// Rows a, b, c, d of a square of sixteen become its columns.
GPSTREAM_TILE void transpose(__m256d& a, __m256d& b, __m256d& c, __m256d& d) {
  const __m256d ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
  const __m256d cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab0, cd0, 0x20);
  b = _mm256_permute2f128_pd(ab1, cd1, 0x20);
  c = _mm256_permute2f128_pd(ab0, cd0, 0x31);
  d = _mm256_permute2f128_pd(ab1, cd1, 0x31);
}

// What the lanes and steps of a panel are in a matrix.
enum class Lay {
  columns,   // lane j is column j, step k is row k
  reversed,  // the same, the last row first
  rows       // lane i is row i, step k is column k
};

// `lanes` <= 12 lanes and n steps of the matrix at `from`; `to` has round_up(n, 4) steps.
GPSTREAM_AVX2_FMA inline void pack(const double* from, Index stride, Lay lay, Index lanes, Index n,
                                   double* to) {
  if (lay == Lay::rows && lanes == tile_rows) {
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < tile_rows; i += 4)
        _mm256_storeu_pd(to + k * tile_rows + i, _mm256_loadu_pd(from + k * stride + i));
  } else if (lay == Lay::rows) {
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < tile_rows; ++i) to[k * tile_rows + i] = i < lanes ? from[i + k * stride] : 0.0;
  } else {
    const Index step = lay == Lay::columns ? tile_rows : -tile_rows;
    double* first = lay == Lay::columns ? to : to + (n - 1) * tile_rows;  // where row 0 goes
    const Index square_rows = n - n % 4, square_lanes = lanes - lanes % 4;
    for (Index k = 0; k < square_rows; k += 4)
      for (Index j = 0; j < square_lanes; j += 4) {
        const double* at = from + k + j * stride;
        __m256d a = _mm256_loadu_pd(at), b = _mm256_loadu_pd(at + stride);
        __m256d c = _mm256_loadu_pd(at + 2 * stride), d = _mm256_loadu_pd(at + 3 * stride);
        transpose(a, b, c, d);
        double* row = first + k * step + j;
        _mm256_storeu_pd(row, a);
        _mm256_storeu_pd(row + step, b);
        _mm256_storeu_pd(row + 2 * step, c);
        _mm256_storeu_pd(row + 3 * step, d);
      }
    for (Index k = 0; k < n; ++k)
      for (Index j = k < square_rows ? square_lanes : 0; j < tile_rows; ++j)
        first[k * step + j] = j < lanes ? from[k + j * stride] : 0.0;
  }
  for (Index i = n * tile_rows; i < round_up(n, 4) * tile_rows; ++i) to[i] = 0.0;
}

// And back.
GPSTREAM_AVX2_FMA inline void unpack(const double* from, Index lanes, Index n, double* to, Index stride,
                                     Lay lay) {
  if (lay == Lay::rows) {
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < lanes; ++i) to[i + k * stride] = from[k * tile_rows + i];
    return;
  }
  const Index step = lay == Lay::columns ? tile_rows : -tile_rows;
  const double* first = lay == Lay::columns ? from : from + (n - 1) * tile_rows;
  const Index square_rows = n - n % 4, square_lanes = lanes - lanes % 4;
  for (Index k = 0; k < square_rows; k += 4)
    for (Index j = 0; j < square_lanes; j += 4) {
      const double* row = first + k * step + j;
      __m256d a = _mm256_loadu_pd(row), b = _mm256_loadu_pd(row + step);
      __m256d c = _mm256_loadu_pd(row + 2 * step), d = _mm256_loadu_pd(row + 3 * step);
      transpose(a, b, c, d);
      double* at = to + k + j * stride;
      _mm256_storeu_pd(at, a);
      _mm256_storeu_pd(at + stride, b);
      _mm256_storeu_pd(at + 2 * stride, c);
      _mm256_storeu_pd(at + 3 * stride, d);
    }
  for (Index k = 0; k < n; ++k)
    for (Index j = k < square_rows ? square_lanes : 0; j < lanes; ++j)
      to[k + j * stride] = first[k * step + j];
}

}  // namespace vector
}  // namespace gpstream
#endif

#endif
