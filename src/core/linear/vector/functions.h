// Functions of several numbers at once, in place. No instruction fuses a product and a sum here (on a plain
// x86-64 build): every width gives the same bits, so that what a model selects does not depend on the
// processor.
#ifndef GPSTREAM_VECTOR_FUNCTIONS_H
#define GPSTREAM_VECTOR_FUNCTIONS_H

#include <cmath>

#include "lanes.h"
#if defined(__SSE2__) && GPSTREAM_LANES > 1
#include <emmintrin.h>
#endif

namespace gpstream {
namespace vector {

// Where exp(-x) would be below the smallest normal number it is 0: what is smaller only makes later
// arithmetic slow.
constexpr double largest_exponent = 708.396418532264;

// x <- exp(-x) for x >= 0, to one unit in the last place; exactly 1 at 0; not a number stays so.
//   exp(-x) = 2^k exp(r),  k the nearest whole number to -x / log 2,  |r| <= log(2) / 2,  exp(r) by its
//   Taylor series: the term of degree 14 is below 5e-18.
GPSTREAM_INLINE void exp_minus(double& x) { x = x > largest_exponent ? 0.0 : std::exp(-x); }

// x <- sqrt(x)
GPSTREAM_INLINE void root(double& x) { x = std::sqrt(x); }

// x <- min(x, limit)
GPSTREAM_INLINE void cap(double& x, double limit) { x = x > limit ? limit : x; }

// x <- 0 where t is not positive
GPSTREAM_INLINE void keep_where_positive(double& x, const double& t) { x = t > 0 ? x : 0.0; }

// x <- log(1 + x) for x >= 0, to two and a half units in the last place
GPSTREAM_INLINE void log_one_plus(double& x) { x = std::log1p(x); }

#if GPSTREAM_LANES > 1
//   1 + x = 2^k m with m about 1, log m = 2 artanh(s) for s = (m - 1) / (m + 1), |s| < 0.172, by its series,
//   whose coefficients are those of the polynomial through seven Chebyshev nodes: off by less than 1e-17;
//   what rounding took from 1 + x, as a share of it, is put back at the end (1 / m but for 5 %: it is less
//   than a unit).
template <class V>
GPSTREAM_INLINE void log_one_plus(V& x) {
  using Bits = BitsOf<V>;
  const V w = 1.0 + x;
  const Bits one = (Bits)(V{} + 1.0);
  const Bits bits = (Bits)w + (one - (Bits)(V{} + 0.7071067811865476));  // carries where m would be above
  const V k = (V)((bits >> 52) | (Bits)(V{} + 0x1p52)) - (0x1p52 + 1023);
  const Bits power = (bits >> 52 << 52) - one;  // k, where a number has its exponent
  const V m = (V)((Bits)w - power);
  const V lost = (x - (w - 1.0)) * (V)(one - power) * (3.0 + m * (m - 3.0));
  const V s = (m - 1.0) / (m + 1.0), s2 = s * s, s4 = s2 * s2;
  const V low = (0x1.5555555555558p-1 + s2 * 0x1.99999999952e1p-2) +
                s4 * (0x1.2492492df1681p-2 + s2 * 0x1.c71c62e558272p-3);
  const V high = (0x1.7462b4b689086p-3 + s2 * 0x1.39fe5eebedfa5p-3) + s4 * 0x1.2b585ce66ecd3p-3;
  const V series = 2.0 * s + s * (s2 * (low + s4 * s4 * high));
  x = k * 0x1.62e42fefa0000p-1 + (series + (k * 0x1.cf79abc9e3b3ap-40 + lost));
}

template <class V>
GPSTREAM_INLINE void exp_minus(V& x) {
  using Bits = BitsOf<V>;
  constexpr double shift = 0x1.8p52;  // adding it rounds to whole numbers, which are then the last bits
  const Bits kept = ~(Bits)(x > largest_exponent);
  const V shifted = x * -1.4426950408889634 + shift;
  const V k = shifted - shift;
  const V r = (-x - k * 0x1.62e42fefa0000p-1) -
              k * 0x1.cf79abc9e3b3ap-40;  // log 2 in two parts; the first product is exact
  const V r2 = r * r,
          r4 = r2 * r2;  // by fours, side by side: one long chain of products would wait for itself
  const V low = (1 / 2.0 + r * (1 / 6.0)) + r2 * (1 / 24.0 + r * (1 / 120.0));
  const V middle = (1 / 720.0 + r * (1 / 5040.0)) + r2 * (1 / 40320.0 + r * (1 / 362880.0));
  const V high = (1 / 3628800.0 + r * (1 / 39916800.0)) + r2 * (1 / 479001600.0 + r * (1 / 6227020800.0));
  x = 1.0 + (r + r2 * (low + r4 * (middle + r4 * high)));
  const Bits power = ((Bits)shifted << 52) + (Bits)(V{} + 1.0);  // 2^k
  x *= (V)power;
  x = (V)((Bits)x & kept);
}

template <class V>
GPSTREAM_INLINE void cap(V& x, double limit) {
  using Bits = BitsOf<V>;
  const Bits above = (Bits)(x > limit);
  const V limits = V{} + limit;
  x = (V)(((Bits)x & ~above) | ((Bits)limits & above));
}

template <class V>
GPSTREAM_INLINE void keep_where_positive(V& x, const V& t) {
  using Bits = BitsOf<V>;
  x = (V)((Bits)x & (Bits)(t > 0.0));
}

// Two by two: every processor with lanes has that instruction.
GPSTREAM_INLINE void root(Lanes<2>::Value& x) {
#ifdef __SSE2__
  x = _mm_sqrt_pd(x);
#else
  x = Lanes<2>::Value{std::sqrt(x[0]), std::sqrt(x[1])};
#endif
}
#endif
#if GPSTREAM_WIDE
GPSTREAM_INLINE void root(Lanes<4>::Value& x) {
  Lanes<2>::Value a = {x[0], x[1]}, b = {x[2], x[3]};
  root(a);
  root(b);
  x = Lanes<4>::Value{a[0], a[1], b[0], b[1]};
}
#endif

}  // namespace vector
}  // namespace gpstream

#endif
