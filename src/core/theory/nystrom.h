// How far the Nystrom approximation Q = K_XZ K_Z^-1 K_ZX is from K_X, per unit of variance. With W = L^-1
// k1(Z, X),
//   E = k1(X, X) - W'W
// is the covariance of f(X) given f(Z): positive semi-definite, so |E|_2 <= |E|_F <= tr E.  [GFO21 Theorem 2]
// In blocks: the trace needs O(block x M) memory, the Frobenius norm one panel of W, the spectral norm all of
// W (M x N).
#ifndef GPSTREAM_NYSTROM_H
#define GPSTREAM_NYSTROM_H

#include <algorithm>

#include "lanczos.h"
#include "../points/pivoted.h"

namespace gpstream {

// Looks at kernel, basis and rows that must outlive it.
class NystromResidual {
 public:
  NystromResidual(const Kernel& kernel, const Basis& basis, const ConstMatrixView& X, Checkpoint check)
      : kernel_(kernel), basis_(basis), X_(X), check_(check) {}

  double trace() const {
    double sum = 0;
    Matrix W;
    for (Index start = 0; start < size(); start += block) sum += features(start, rows_from(start), W).sum();
    return sum;
  }

  // Twice the blocks above the diagonal and once those on it. Features are made anew for every panel of rows.
  double frobenius(Index panel = 0) const {
    if (panel == 0)
      panel = std::max<Index>(1, panel_values / (block * std::max<Index>(basis_.size(), 1))) * block;
    double sum = 0;
    Matrix W, other, E;
    for (Index first = 0; first < size(); first += panel) {
      const Index last = std::min(first + panel, size());
      panel_features(first, last, W);
      for (Index j = first; j < size(); j += block) {
        const Index rows = rows_from(j);
        if (j >= last) features(j, rows, other);
        const ConstMatrixView Wj =
            j < last ? ConstMatrixView(W.middleCols(j - first, rows)) : ConstMatrixView(other);
        for (Index i = first; i < std::min(last, j + 1); i += block) {
          residual(i, W.middleCols(i - first, rows_from(i)), j, Wj, E);
          sum += (i == j ? 1 : 2) * E.squaredNorm();
        }
      }
    }
    return std::sqrt(sum);
  }

  // Up to `direct` rows all eigenvalues are found; up to `whole`, E is formed; beyond that only its products
  // with vectors. To a relative 1e-10, or 1e-13 N max k1(x, x) where that is more: E itself is a difference
  // that is not known better.
  double spectral(Index direct = 1000, Index whole = 4000, Index steps = 600) const {
    const Index N = size();
    const double noise = 1e-13 * static_cast<double>(N) * Diagonal(kernel_, X_).largest();
    if (N == 0) return 0.0;
    Matrix W;
    panel_features(0, N, W);
    if (N <= std::max(direct, whole)) {
      const Matrix E = matrix(W);
      if (N <= direct) {
        const Eigen::SelfAdjointEigenSolver<Matrix> solver(E, Eigen::EigenvaluesOnly);
        require(solver.info() == Eigen::Success, "not_converged",
                "the eigenvalues of K - Q could not be found.");
        return std::max(solver.eigenvalues()(N - 1), 0.0);
      }
      const auto times = [&](const ConstVectorView& v) -> Vector {
        check_();
        return E.selfadjointView<Eigen::Lower>() * v;
      };
      return largest_eigenvalue(N, times, 1e-10, noise, steps);
    }
    return largest_eigenvalue(
        N, [&](const ConstVectorView& v) { return times(W, v); }, 1e-10, noise, steps);
  }

 private:
  static constexpr Index block = 512;
  static constexpr Index panel_values = Index(1) << 25;  // 256 MB

  Index size() const { return X_.rows(); }
  Index rows_from(Index start) const { return std::min(block, size() - start); }

  Vector features(Index start, Index rows, Matrix& W) const {
    check_();
    return basis_.features(kernel_, X_.middleRows(start, rows), W);
  }

  void panel_features(Index first, Index last, Matrix& W) const {
    W.resize(basis_.size(), last - first);
    Matrix part;
    for (Index start = first; start < last; start += block) {
      features(start, rows_from(start), part);
      W.middleCols(start - first, part.cols()) = part;
    }
  }

  // E <- the block of rows from i and columns from j
  void residual(Index i, const ConstMatrixView& Wi, Index j, const ConstMatrixView& Wj, Matrix& E) const {
    check_();
    E.resize(Wi.cols(), Wj.cols());
    kernel_.value(X_.middleRows(i, Wi.cols()), X_.middleRows(j, Wj.cols()), E);
    if (basis_.size() > 0) E.noalias() -= Wi.transpose() * Wj;
  }

  // The lower triangle of E.
  Matrix matrix(const Matrix& W) const {
    Matrix E = Matrix::Zero(size(), size()), part;
    for (Index j = 0; j < size(); j += block) {
      for (Index i = j; i < size(); i += block) {
        residual(i, W.middleCols(i, rows_from(i)), j, W.middleCols(j, rows_from(j)), part);
        E.block(i, j, part.rows(), part.cols()) = part;
      }
    }
    return E;
  }

  // E v
  Vector times(const Matrix& W, const ConstVectorView& v) const {
    Vector out = Vector::Zero(size());
    if (W.rows() > 0) out.noalias() -= W.transpose() * (W * v);
    Matrix C;
    for (Index j = 0; j < size(); j += block) {
      for (Index i = j; i < size(); i += block) {
        check_();
        C.resize(rows_from(i), rows_from(j));
        kernel_.value(X_.middleRows(i, C.rows()), X_.middleRows(j, C.cols()), C);
        out.segment(i, C.rows()).noalias() += C * v.segment(j, C.cols());
        if (i > j) out.segment(j, C.cols()).noalias() += C.transpose() * v.segment(i, C.rows());
      }
    }
    return out;
  }

  const Kernel& kernel_;
  const Basis& basis_;
  ConstMatrixView X_;
  Checkpoint check_;
};

}  // namespace gpstream

#endif
