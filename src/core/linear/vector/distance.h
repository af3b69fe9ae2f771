// Squared distances from many rows to one, in the widest vectors there are.
#ifndef GPSTREAM_VECTOR_DISTANCE_H
#define GPSTREAM_VECTOR_DISTANCE_H

#include "functions.h"

namespace gpstream {
namespace vector {

// D numbers, `stride` apart.
struct Row {
  const double* data;
  Index stride;
  GPSTREAM_INLINE double operator[](Index d) const { return data[d * stride]; }
};

// Some rows of a matrix: entry (i, d) at data[i + d stride].
struct Rows {
  const double* data;
  Index count, stride;
};

template <int W>
GPSTREAM_INLINE void squared_distance_block(const double* A, Index count, Index stride, const Row& b,
                                            const Row& inverse, Index D, double* out) {
  typename Lanes<W>::Value sum = {}, t;
  for (Index d = 0; d < D; ++d) {
    load<W>(t, A + d * stride, count);
    t = (t - b[d]) * inverse[d];
    sum += t * t;
  }
  cap(sum, 1e300);
  store<W>(sum, out, count);
}
template <int W>
GPSTREAM_INLINE void squared_distance_by(const Rows& A, const Row& b, const Row& inverse, Index D,
                                         double* out) {
  Index i = 0;
  for (; i + 2 * W <= A.count; i += 2 * W) {
    typename Lanes<W>::Value s = {}, t = {}, u, v;
    for (Index d = 0; d < D; ++d) {
      load<W>(u, A.data + i + d * A.stride, W);
      load<W>(v, A.data + i + W + d * A.stride, W);
      u = (u - b[d]) * inverse[d];
      v = (v - b[d]) * inverse[d];
      s += u * u;
      t += v * v;
    }
    cap(s, 1e300);
    cap(t, 1e300);
    store<W>(s, out + i, W);
    store<W>(t, out + i + W, W);
  }
  for (; i + W <= A.count; i += W) squared_distance_block<W>(A.data + i, W, A.stride, b, inverse, D, out + i);
  if (i < A.count) squared_distance_block<W>(A.data + i, A.count - i, A.stride, b, inverse, D, out + i);
}
inline GPSTREAM_AVX2 void squared_distance_wide(const Rows& A, const Row& b, const Row& inverse, Index D,
                                                double* out) {
  squared_distance_by<wide>(A, b, inverse, D, out);
}

// out(i) = sum_d ((A(i, d) - b(d)) inverse(d))^2, in difference form: no cancellation, exactly 0 for equal
// rows. Overflow stops at a distance where every kernel is 0.
inline void squared_distance(const Rows& A, const Row& b, const Row& inverse, Index D, double* out) {
  if (wide_vectors())
    squared_distance_wide(A, b, inverse, D, out);
  else
    squared_distance_by<narrow>(A, b, inverse, D, out);
}

}  // namespace vector
}  // namespace gpstream

#endif
