// Eigen's own kernels: always there, and never slow.
#ifndef GPSTREAM_BACKENDS_EIGEN_H
#define GPSTREAM_BACKENDS_EIGEN_H

#include "backend.h"

namespace gpstream {

inline Backend eigen_backend() {
  Backend out;
  out.name = "eigen";
  out.own_threads = false;
  out.solve_lower = [](const ConstMatrixView& L, MatrixView B) {
    L.triangularView<Eigen::Lower>().solveInPlace(B);
  };
  out.solve_lower_transposed = [](const ConstMatrixView& L, MatrixView B) {
    L.triangularView<Eigen::Lower>().transpose().solveInPlace(B);
  };
  out.multiply_transposed = [](const ConstMatrixView& R, const ConstMatrixView& B, MatrixView product) {
    product.noalias() = R.triangularView<Eigen::Upper>().transpose() * B;
  };
  out.multiply = [](const ConstMatrixView& A, const ConstMatrixView& B, MatrixView product) {
    product.noalias() = A * B;
  };
  out.add_outer = [](MatrixView S, const ConstMatrixView& A) {
    S.selfadjointView<Eigen::Lower>().rankUpdate(A);
  };
  out.cholesky = [](MatrixView S) {
    const Eigen::LLT<Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>, Eigen::Lower> factor(S);
    return factor.info() == Eigen::Success;
  };
  return out;
}

}  // namespace gpstream

#endif
