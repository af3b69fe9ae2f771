// The level-3 operations of the core at the width of AVX2 and FMA. They exist where GPSTREAM_WIDE is 1, and may be called where
// available() is true. Column-major matrices with leading dimensions, as in BLAS.
#ifndef GPSTREAM_VECTOR_ALGEBRA_H
#define GPSTREAM_VECTOR_ALGEBRA_H

#include "cholesky.h"
#include "outer.h"
#include "triangle.h"

namespace gpstream {
namespace vector {

inline bool available() { return GPSTREAM_WIDE && wide_vectors(); }

}  // namespace vector
}  // namespace gpstream

#endif
