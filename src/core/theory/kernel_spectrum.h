// Eigenvalues of the matrix K = k1(X, X) of many rows.
//
// K of a smooth kernel has far fewer eigenvalues above rounding than rows. Pivoted Cholesky finds F with K -
// F F' >= 0; F F' and the small matrix F'F have the same eigenvalues other than 0, and K is never formed.
// Only when F would be a third as wide as K, K itself is taken.
#ifndef GPSTREAM_KERNEL_SPECTRUM_H
#define GPSTREAM_KERNEL_SPECTRUM_H

#include <limits>

#include "../select/row_features.h"

namespace gpstream {

struct KernelSpectrum {
  Vector values;          // from the largest on, without those that are lost in rounding
  double rounding = 0.0;  // what rounding can have done to their sum, and those that are lost
  double left = 0.0;      // tr(K - F F'), where the rank was limited
};

// S: K, or F'F, from its lower triangle; n is the number of rows of K.
inline KernelSpectrum eigenvalues(const Matrix& S, Index n) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(S, Eigen::EigenvaluesOnly);
  require(solver.info() == Eigen::Success, "not_pd",
          "the eigenvalues of the kernel matrix could not be found.");
  const Vector values = solver.eigenvalues().cwiseMax(0.0).reverse();
  const Index kept = (values.array() > static_cast<double>(n) * eps * values(0)).count();
  const Index others = values.size() - kept;
  return {values.head(kept), values.tail(others).sum() + static_cast<double>(values.size()) * eps * values(0),
          0.0};
}

// F no wider than `most_rank`, no matrix of more than `most_entries`.
inline KernelSpectrum kernel_spectrum(const Kernel& kernel, const ConstMatrixView& X, double most_rank,
                                      double most_entries, Checkpoint check) {
  const Index n = X.rows();
  if (n == 0) return {};
  RowFeatures F(empty_basis(X.cols()), kernel, X);
  const double N = static_cast<double>(n),
               least = N * std::numeric_limits<double>::epsilon() * F.diagonal().largest();
  Index i = 0;
  while (F.r().maxCoeff(&i) > least && static_cast<double>(F.features().rows()) < most_rank) {
    check();
    const double rank = static_cast<double>(F.features().rows());
    if (3 * rank >= N && most_rank >= N && N * N <= most_entries) return eigenvalues(kernel.value(X, X), n);
    require((rank + 1) * N <= most_entries, "memory",
            "the kernel matrix of the " + std::to_string(n) +
                " rows of `x` has a numerical rank of more than " + std::to_string(F.features().rows()) +
                ", too much to be decomposed; take fewer rows or a larger lengthscale.");
    F.extend(kernel, X, i, 0);
  }
  const ConstMatrixView W = F.features();
  if (W.rows() == 0) return {Vector(0), 0.0, F.r().sum()};
  Matrix S = Matrix::Zero(W.rows(), W.rows());
  add_outer(S, W);
  KernelSpectrum out = eigenvalues(S, n);
  out.left = F.r().sum();
  return out;
}

}  // namespace gpstream

#endif
