#include "basis.h"

#include <cmath>
#include <cstddef>

#include "../kernels/diagonal.h"
#include "../linear/linalg.h"
#include "pivoted.h"

namespace gpstream {

namespace {

constexpr double pivot_tolerance = 1e-12;

}  // namespace

Basis pivoted_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check,
                    std::vector<Index>& kept) {
  const Index M = Z.rows();
  Matrix factor(M, M);
  const Diagonal d(kernel, Z);
  Vector left(M);
  for (Index i = 0; i < M; ++i) left(i) = d(i);
  kept.clear();
  for (Index j = 0; j < M; ++j) {
    check();
    Index next = -1;
    double most = pivot_tolerance;
    for (Index i = 0; i < M; ++i)
      if (left(i) / d(i) > most) {
        most = left(i) / d(i);
        next = i;
      }
    if (next < 0) break;
    Vector column = kernel.value(Z, Z.middleRows(next, 1)).col(0);
    if (j > 0) column.noalias() -= factor.leftCols(j) * factor.row(next).head(j).transpose();
    factor.col(j) = column / std::sqrt(left(next));
    left.array() -= factor.col(j).array().square();
    for (Index i : kept) left(i) = 0;
    left(next) = 0;
    kept.push_back(next);
  }
  const Index size = static_cast<Index>(kept.size());
  Matrix points(size, Z.cols()), L = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    points.row(i) = Z.row(kept[static_cast<std::size_t>(i)]);
    L.row(i).head(i + 1) = factor.row(kept[static_cast<std::size_t>(i)]).head(i + 1);
  }
  return Basis{GrowingMatrix(points), GrowingMatrix(L)};
}

Basis given_basis(const Kernel& kernel, const ConstMatrixView& Z, Checkpoint check,
                  std::vector<Index>& kept) {
  Basis basis = make_basis(kernel, Z, kept);
  if (static_cast<Index>(kept.size()) == Z.rows()) return basis;
  return pivoted_basis(kernel, Z, check, kept);
}

void Basis::features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A, VectorView r) const {
  A.resize(size(), X.rows());
  kernel.value(Z.view(), X, A);
  solve_lower(L.view(), MatrixView(A));
  Diagonal(kernel, X).residual(A, r);
}

Vector Basis::features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A) const {
  Vector r(X.rows());
  features(kernel, X, A, r);
  return r;
}

std::optional<Border> Basis::border(const Kernel& kernel, const ConstMatrixView& z) const {
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

void Basis::reserve(Index M) {
  Z.reserve(M, Z.cols());
  L.reserve(M, M);
}

void Basis::append(const ConstMatrixView& z, const Border& edge) {
  const Index M = size();
  Z.resize(M + 1, Z.cols());
  L.resize(M + 1, M + 1);
  Z.view().row(M) = z.row(0);
  MatrixView factor = L.view();
  factor.col(M).setZero();
  factor.row(M).head(M) = edge.l.transpose();
  factor(M, M) = edge.d;
}

void Basis::truncate(Index M) {
  Z.resize(M, Z.cols());
  L.resize(M, M);
}

Basis empty_basis(Index D) {
  Basis basis;
  basis.Z.resize(0, D);
  return basis;
}

Basis make_basis(const Kernel& kernel, const ConstMatrixView& Z, std::vector<Index>& kept) {
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
