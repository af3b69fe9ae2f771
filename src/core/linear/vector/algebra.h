// The linear algebra of the core at the width of AVX2 and FMA. It exists where GPSTREAM_WIDE is 1, and may be
// called where available() is true. Column-major matrices with leading dimensions, as in BLAS.
//   batches   triangle.h  outer.h  cholesky.h  product.h     on tiles: tile.h, pack.h, packed_triangle.h
//   one row   rank_one.h
#ifndef GPSTREAM_VECTOR_ALGEBRA_H
#define GPSTREAM_VECTOR_ALGEBRA_H

#include "cholesky.h"
#include "outer.h"
#include "product.h"
#include "rank_one.h"
#include "triangle.h"

namespace gpstream {
namespace vector {

inline bool available() { return GPSTREAM_WIDE && wide_vectors(); }

}  // namespace vector
}  // namespace gpstream

#endif
