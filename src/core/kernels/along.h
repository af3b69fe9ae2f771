// A kernel and its slopes along one column of the inputs, for all pairs of rows: the covariances of a
// function and its derivative.
#ifndef GPSTREAM_KERNELS_ALONG_H
#define GPSTREAM_KERNELS_ALONG_H

#include <utility>

#include "../linear/types.h"

namespace gpstream {

struct Along {
  Matrix k;   // k1(a, b)             cov(f(a), f(b)), unit amplitude
  Matrix a;   // dk1 / da_d           cov(f'(a), f(b))
  Matrix b;   // dk1 / db_d           cov(f(a), f'(b))
  Matrix ab;  // d2k1 / (da_d db_d)   cov(f'(a), f'(b))

  // Flat along the column.
  explicit Along(Matrix values) : k(std::move(values)), a(Matrix::Zero(k.rows(), k.cols())), b(a), ab(a) {}

  // Slopes of log k1 -> those of k1: k_a = k L_a, k_ab = k (L_ab + L_a L_b). Where k1 is 0, log k1 need not
  // be finite.
  void from_logarithm() {
    for (Index j = 0; j < k.cols(); ++j)
      for (Index i = 0; i < k.rows(); ++i) {
        const double v = k(i, j), by_a = a(i, j), by_b = b(i, j);
        a(i, j) = v > 0 ? v * by_a : 0.0;
        b(i, j) = v > 0 ? v * by_b : 0.0;
        ab(i, j) = v > 0 ? v * (ab(i, j) + by_a * by_b) : 0.0;
      }
  }

  // Of a function of g(x) -> of x, given dg/dx of the rows on either side.
  void stretch(const ConstVectorView& rows, const ConstVectorView& columns) {
    a.array().colwise() *= rows.array();
    b.array().rowwise() *= columns.transpose().array();
    ab.array().colwise() *= rows.array();
    ab.array().rowwise() *= columns.transpose().array();
  }
};

}  // namespace gpstream

#endif
