// Which of many rows is within a ball about one? In the widest vectors there are; no product and sum is
// fused, so that the answer does not depend on the processor.
#ifndef GPSTREAM_VECTOR_NEAR_H
#define GPSTREAM_VECTOR_NEAR_H

#include "distance.h"

namespace gpstream {
namespace vector {

GPSTREAM_INLINE bool any_at_most(const double& a, const double& b, const double& c, const double& d,
                                 double limit) {
  return a <= limit || b <= limit || c <= limit || d <= limit;
}
#if GPSTREAM_LANES > 1
template <class V>
GPSTREAM_INLINE bool any_at_most(const V& a, const V& b, const V& c, const V& d, double limit) {
  using Bits = BitsOf<V>;
  const Bits in = (Bits)(a <= limit) | (Bits)(b <= limit) | (Bits)(c <= limit) | (Bits)(d <= limit);
  unsigned long long any = 0;
  for (unsigned i = 0; i < sizeof(V) / sizeof(double); ++i) any |= in[i];
  return any != 0;
}
#endif

// The first of the 4 W rows from A on with  sum_d ((A(i, d) - b(d)) inverse(d))^2 <= r2;  4 W if none
template <int W>
GPSTREAM_INLINE Index near_in_block(const double* A, Index stride, const Row& b, const Row& inverse, Index D,
                                    double r2) {
  typename Lanes<W>::Value s0 = {}, s1 = {}, s2 = {}, s3 = {}, t;
  for (Index d = 0; d < D; ++d) {
    const double* from = A + d * stride;
    const double at = b[d], scale = inverse[d];
    load<W>(t, from, W);
    t = (t - at) * scale;
    s0 += t * t;
    load<W>(t, from + W, W);
    t = (t - at) * scale;
    s1 += t * t;
    load<W>(t, from + 2 * W, W);
    t = (t - at) * scale;
    s2 += t * t;
    load<W>(t, from + 3 * W, W);
    t = (t - at) * scale;
    s3 += t * t;
  }
  if (!any_at_most(s0, s1, s2, s3, r2)) return 4 * W;
  double r[4 * W];
  store<W>(s0, r, W);
  store<W>(s1, r + W, W);
  store<W>(s2, r + 2 * W, W);
  store<W>(s3, r + 3 * W, W);
  Index first = 0;
  while (!(r[first] <= r2)) ++first;
  return first;
}

template <int W>
GPSTREAM_INLINE Index near_row_by(const Rows& A, const Row& b, const Row& inverse, Index D, double r2) {
  constexpr Index block = 4 * W;
  if (A.count < block) {
    for (Index i = 0; i < A.count; ++i) {
      double sum = 0;
      for (Index d = 0; d < D; ++d) {
        const double t = (A.data[i + d * A.stride] - b[d]) * inverse[d];
        sum += t * t;
      }
      if (sum <= r2) return i;
    }
    return -1;
  }
  for (Index i = 0; i < A.count; i += block) {
    const Index start =
        i + block <= A.count ? i : A.count - block;  // the last rows once more, where fewer are left
    const Index first = near_in_block<W>(A.data + start, A.stride, b, inverse, D, r2);
    if (first < block) return start + first;
  }
  return -1;
}
inline GPSTREAM_AVX2 Index near_row_wide(const Rows& A, const Row& b, const Row& inverse, Index D,
                                         double r2) {
  return near_row_by<wide>(A, b, inverse, D, r2);
}

// A row i with  sum_d ((A(i, d) - b(d)) inverse(d))^2 <= r2,  or -1 where there is none. Stops at the first
// it sees.
inline Index near_row(const Rows& A, const Row& b, const Row& inverse, Index D, double r2) {
  return wide_vectors() ? near_row_wide(A, b, inverse, D, r2) : near_row_by<narrow>(A, b, inverse, D, r2);
}

}  // namespace vector
}  // namespace gpstream

#endif
