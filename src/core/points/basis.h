// Basis: the inducing points Z and the factor L L' = k1(Z, Z), in the order in which the points joined.
//   feature of a row   w(x) = L^-1 k1(Z, x)
//   what it leaves     r(x) = k1(x, x) - |w(x)|^2 >= 0     conditional variance at x, unit amplitude
// What is negligible is so relative to k1(x, x): a factor is as good as that of the correlation matrix.
#ifndef GPSTREAM_BASIS_H
#define GPSTREAM_BASIS_H

#include <optional>
#include <vector>

#include "../linear/growing.h"
#include "../kernels/diagonal.h"
#include "../linear/linalg.h"

namespace gpstream {

// A candidate whose conditional variance given Z is at most this share of its variance carries nothing that Z
// lacks, and is refused (so is one with no variance, whose value is known). Every pivot of L is therefore
// safe by construction, and no diagonal is ever padded.
constexpr double rank_tolerance = 1e-8;

// Pivots alone are not enough: points that come in order each extrapolate from those before, with weights
// that grow along the line, and L^-1 grows with them although no pivot is small. A candidate that would make
// a row of the inverse factor of the correlation matrix longer than this (squared) is refused, too: beyond
// it, features are rounding. The last row is (-c', 1) / d with c the weights of z on the points.
constexpr double inverse_limit = 1e14;

// The last row (l', d) of the factor once z has joined.
struct Border {
  Vector l;
  double d;
};

struct Basis {
  GrowingMatrix Z, L;

  Index size() const { return L.rows(); }

  // A <- L^-1 k1(Z, X), one column a row of X; r <- what each row leaves.
  void features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A, VectorView r) const {
    A.resize(size(), X.rows());
    kernel.value(Z.view(), X, A);
    solve_lower(L.view(), MatrixView(A));
    Diagonal(kernel, X).residual(A, r);
  }
  Vector features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A) const {
    Vector r(X.rows());
    features(kernel, X, A, r);
    return r;
  }

  // Empty when z is numerically a combination of the points already there.
  std::optional<Border> border(const Kernel& kernel, const ConstMatrixView& z) const {
    Border out{kernel.value(Z.view(), z).col(0), 0.0};
    solve_lower(L.view(), VectorView(out.l));
    const double own = Diagonal(kernel, z)(0), pivot = own - out.l.squaredNorm();
    if (!(pivot > rank_tolerance * own)) return std::nullopt;
    Vector c = out.l;
    solve_lower_transposed(L.view(), VectorView(c));
    if (!(own + Diagonal(kernel, Z.view()).weighted_square(c) < inverse_limit * pivot)) return std::nullopt;
    out.d = std::sqrt(pivot);
    return out;
  }

  void reserve(Index M) {
    Z.reserve(M, Z.cols());
    L.reserve(M, M);
  }

  void append(const ConstMatrixView& z, const Border& edge) {
    const Index M = size();
    Z.resize(M + 1, Z.cols());
    L.resize(M + 1, M + 1);
    Z.view().row(M) = z.row(0);
    MatrixView factor = L.view();
    factor.col(M).setZero();
    factor.row(M).head(M) = edge.l.transpose();
    factor(M, M) = edge.d;
  }

  void truncate(Index M) {
    Z.resize(M, Z.cols());
    L.resize(M, M);
  }
};

inline Basis empty_basis(Index D) {
  Basis basis;
  basis.Z.resize(0, D);
  return basis;
}

// The points of Z in their order, without those that carry nothing the earlier ones lack; `kept` are their
// rows.
inline Basis make_basis(const Kernel& kernel, const ConstMatrixView& Z, std::vector<Index>& kept) {
  const Index M = Z.rows();
  kept.clear();
  Basis basis{GrowingMatrix(Matrix(Z)), GrowingMatrix(kernel.value(Z, Z))};
  MatrixView L = basis.L.view();
  const Diagonal d(kernel, Z);
  bool safe = cholesky(L);
  for (Index i = 0; i < M && safe; ++i) safe = L(i, i) * L(i, i) > rank_tolerance * d(i);
  if (safe) {
    L.triangularView<Eigen::StrictlyUpper>().setZero();
    Matrix inverse = Matrix::Identity(M, M);
    solve_lower(L, MatrixView(inverse));
    d.scale_columns(inverse);
    if (M == 0 || inverse.rowwise().squaredNorm().maxCoeff() < inverse_limit) {
      for (Index i = 0; i < M; ++i) kept.push_back(i);
      return basis;
    }
  }
  basis = empty_basis(Z.cols());
  for (Index i = 0; i < M; ++i) {
    const std::optional<Border> edge = basis.border(kernel, Z.middleRows(i, 1));
    if (!edge) continue;
    basis.append(Z.middleRows(i, 1), *edge);
    kept.push_back(i);
  }
  return basis;
}

}  // namespace gpstream

#endif
