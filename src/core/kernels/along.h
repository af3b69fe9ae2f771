// A kernel and its slopes along one column of the inputs, for all pairs of rows: the covariances of a
// function and its derivative.
#ifndef GPSTREAM_KERNELS_ALONG_H
#define GPSTREAM_KERNELS_ALONG_H

#include "../linear/types.h"

namespace gpstream {

struct Along {
  Matrix k;   // k1(a, b)             cov(f(a), f(b)), unit amplitude
  Matrix a;   // dk1 / da_d           cov(f'(a), f(b))
  Matrix b;   // dk1 / db_d           cov(f(a), f'(b))
  Matrix ab;  // d2k1 / (da_d db_d)   cov(f'(a), f'(b))

  // Flat along the column.
  explicit Along(Matrix values);

  // Slopes of log k1 -> those of k1: k_a = k L_a, k_ab = k (L_ab + L_a L_b). Where k1 is 0, log k1 need not
  // be finite.
  void from_logarithm();

  // Of a function of g(x) -> of x, given dg/dx of the rows on either side.
  void stretch(const ConstVectorView& rows, const ConstVectorView& columns);
};

}  // namespace gpstream

#endif
