// A function of each of many numbers, in the widest vectors there are. A value does not depend on where in an
// array it stands.
#ifndef GPSTREAM_VECTOR_EACH_H
#define GPSTREAM_VECTOR_EACH_H

#include "functions.h"

namespace gpstream {
namespace vector {

template <int W, class Function>
GPSTREAM_INLINE void each_block(double* values, Index count, const Function& f) {
  typename Lanes<W>::Value v;
  load<W>(v, values, count);
  f(v);
  store<W>(v, values, count);
}
template <int W, class Function>
GPSTREAM_INLINE void each_by(double* values, Index n, const Function& f) {
  Index i = 0;
  for (; i + W <= n; i += W) each_block<W>(values + i, W, f);
  if (i < n) each_block<W>(values + i, n - i, f);
}
template <class Function>
GPSTREAM_AVX2 void each_wide(double* values, Index n, const Function& f) {
  each_by<wide>(values, n, f);
}

// f(v) for the n numbers at `values`, in place:  each(x, n, [](auto& v) GPSTREAM_ALWAYS { exp_minus(v); })
template <class Function>
void each(double* values, Index n, const Function& f) {
  if (wide_vectors())
    each_wide(values, n, f);
  else
    each_by<narrow>(values, n, f);
}

}  // namespace vector
}  // namespace gpstream

#endif
