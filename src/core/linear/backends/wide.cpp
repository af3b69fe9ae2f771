#include "wide.h"

#include "../vector/cholesky.h"
#include "../vector/outer.h"
#include "../vector/product.h"
#include "../vector/rank_one.h"
#include "../vector/tile.h"
#include "../vector/triangle.h"

#if GPSTREAM_WIDE

namespace gpstream {

Backend wide_backend() {
  Backend out;
  out.name = "avx2";
  out.own_threads = false;
  out.solve_lower = [](const ConstMatrixView& L, MatrixView B) {
    vector::solve_lower(B.rows(), B.cols(), L.data(), L.outerStride(), B.data(), B.outerStride());
  };
  out.solve_lower_transposed = [](const ConstMatrixView& L, MatrixView B) {
    vector::solve_lower_transposed(B.rows(), B.cols(), L.data(), L.outerStride(), B.data(), B.outerStride());
  };
  out.multiply_transposed = [](const ConstMatrixView& R, const ConstMatrixView& B, MatrixView product) {
    vector::multiply_upper_transposed(B.rows(), B.cols(), R.data(), R.outerStride(), B.data(),
                                      B.outerStride(), product.data(), product.outerStride());
  };
  out.multiply = [](const ConstMatrixView& A, const ConstMatrixView& B, MatrixView product) {
    vector::multiply(A.rows(), A.cols(), B.cols(), A.data(), A.outerStride(), B.data(), B.outerStride(),
                     product.data(), product.outerStride());
  };
  out.add_outer = [](MatrixView S, const ConstMatrixView& A) {
    vector::add_outer(A.rows(), A.cols(), A.data(), A.outerStride(), S.data(), S.outerStride());
  };
  out.cholesky = [](MatrixView S) { return vector::cholesky(S.rows(), S.data(), S.outerStride()); };
  return out;
}

}  // namespace gpstream
#endif
