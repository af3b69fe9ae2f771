// Several numbers at once, portably: the vector extensions of g++ and clang++, written once as templates on
// the width W.
//   W = 1   any other compiler, any other processor: plain numbers
//   W = 2   the baseline of x86-64 (SSE2) and arm64 (NEON)
//   W = 4   AVX2, where the processor has it, which is asked at run time; off on Windows, whose stack is not
//   aligned for it
//
// A template that handles vectors is GPSTREAM_INLINE: it takes on the instructions of the function it is
// called from. That one is GPSTREAM_AVX2 for W = 4, or GPSTREAM_AVX2_FMA where products and sums may be
// fused. Vectors are passed by reference, as passing them by value depends on the instructions allowed.
#ifndef GPSTREAM_VECTOR_LANES_H
#define GPSTREAM_VECTOR_LANES_H

#include <cstddef>

// GPSTREAM_PLAIN leaves all of it out, to see what other compilers see.
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) && !defined(GPSTREAM_PLAIN)
#define GPSTREAM_LANES 2
#define GPSTREAM_ALWAYS __attribute__((always_inline))
#else
#define GPSTREAM_LANES 1
#define GPSTREAM_ALWAYS
#endif

#define GPSTREAM_INLINE GPSTREAM_ALWAYS inline

#if GPSTREAM_LANES > 1 && defined(__x86_64__) && !defined(_WIN32)
#define GPSTREAM_WIDE 1
#define GPSTREAM_AVX2 __attribute__((target("avx2")))
#define GPSTREAM_AVX2_FMA __attribute__((target("avx2,fma")))
#else
#define GPSTREAM_WIDE 0
#define GPSTREAM_AVX2
#define GPSTREAM_AVX2_FMA
#endif

namespace gpstream {
namespace vector {

using Index = std::ptrdiff_t;
constexpr int narrow = GPSTREAM_LANES, wide = GPSTREAM_WIDE ? 4 : narrow;

// Can this processor do it?
inline bool wide_supported() {
#if GPSTREAM_WIDE
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

inline bool& wide_switch() {
  static bool on = wide_supported();
  return on;
}

// Vectors of four are used wherever the processor has them, unless switched off.
inline bool wide_vectors() { return wide_switch(); }
inline void use_wide_vectors(bool on) { wide_switch() = on && wide_supported(); }

// Value: W numbers, with arithmetic. Bits: the same as whole numbers; comparisons give all bits or none.
// Loose: a Value in memory, at any number.
#if GPSTREAM_LANES > 1
template <int W>
struct Lanes {
  typedef double Value __attribute__((vector_size(8 * W)));
  typedef unsigned long long Bits __attribute__((vector_size(8 * W)));
  typedef double Loose __attribute__((vector_size(8 * W), aligned(8), may_alias));
};
template <class Value>
using BitsOf = typename Lanes<static_cast<int>(sizeof(Value) / sizeof(double))>::Bits;
#else
template <int W>
struct Lanes;
#endif
template <>
struct Lanes<1> {
  using Value = double;
  using Loose = double;
};

// v <- the first W of `count` numbers, 0 where there are none: the end of an array goes through the same
// arithmetic as the rest of it.
template <int W>
GPSTREAM_INLINE void load(typename Lanes<W>::Value& v, const double* from, Index count) {
  if (count >= W) {
    v = *reinterpret_cast<const typename Lanes<W>::Loose*>(from);
  } else if constexpr (W > 1) {
    double part[W];
    for (int i = 0; i < W; ++i) part[i] = i < count ? from[i] : 0.0;
    v = *reinterpret_cast<const typename Lanes<W>::Loose*>(part);
  }
}

template <int W>
GPSTREAM_INLINE void store(const typename Lanes<W>::Value& v, double* to, Index count) {
  if (count >= W) {
    *reinterpret_cast<typename Lanes<W>::Loose*>(to) = v;
  } else if constexpr (W > 1) {
    double part[W];
    *reinterpret_cast<typename Lanes<W>::Loose*>(part) = v;
    for (int i = 0; i < W; ++i)
      if (i < count) to[i] = part[i];
  }
}

}  // namespace vector
}  // namespace gpstream

#endif
