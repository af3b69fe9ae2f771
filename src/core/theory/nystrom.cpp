#include "nystrom.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../kernels/diagonal.h"
#include "../linear/linalg.h"
#include "../linear/require.h"
#include "../select/row_features.h"
#include "dpp.h"
#include "kernel_spectrum.h"
#include "lanczos.h"

namespace gpstream {

Vector pseudo_random_direction(Index N) {
  std::uint64_t state = 88172645463325252ULL;
  Vector v(N);
  for (Index i = 0; i < N; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    v(i) = static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  }
  return v.normalized();
}

double NystromResidual::trace() const {
  double sum = 0;
  Matrix W;
  for (Index start = 0; start < size(); start += block) sum += features(start, rows_from(start), W).sum();
  return sum;
}

double NystromResidual::frobenius(Index panel) const {
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

double NystromResidual::spectral(Index direct, Index whole, Index steps) const {
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

Vector NystromResidual::features(Index start, Index rows, Matrix& W) const {
  check_();
  return basis_.features(kernel_, X_.middleRows(start, rows), W);
}

void NystromResidual::panel_features(Index first, Index last, Matrix& W) const {
  W.resize(basis_.size(), last - first);
  Matrix part;
  for (Index start = first; start < last; start += block) {
    features(start, rows_from(start), part);
    W.middleCols(start - first, part.cols()) = part;
  }
}

void NystromResidual::residual(Index i, const ConstMatrixView& Wi, Index j, const ConstMatrixView& Wj,
                               Matrix& E) const {
  check_();
  E.resize(Wi.cols(), Wj.cols());
  kernel_.value(X_.middleRows(i, Wi.cols()), X_.middleRows(j, Wj.cols()), E);
  if (basis_.size() > 0) E.noalias() -= Wi.transpose() * Wj;
}

Matrix NystromResidual::matrix(const Matrix& W) const {
  Matrix E = Matrix::Zero(size(), size()), part;
  for (Index j = 0; j < size(); j += block) {
    for (Index i = j; i < size(); i += block) {
      residual(i, W.middleCols(i, rows_from(i)), j, W.middleCols(j, rows_from(j)), part);
      E.block(i, j, part.rows(), part.cols()) = part;
    }
  }
  return E;
}

Vector NystromResidual::times(const Matrix& W, const ConstVectorView& v) const {
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

namespace {

// S: K, or F'F, from its lower triangle; n is the number of rows of K.
KernelSpectrum eigenvalues(const Matrix& S, Index n) {
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

}  // namespace

KernelSpectrum kernel_spectrum(const Kernel& kernel, const ConstMatrixView& X, double most_rank,
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

Matrix dpp_factor(const Kernel& kernel, const ConstMatrixView& X, double t, Checkpoint check) {
  constexpr Index panel = 128;  // columns, made from those to their left
  const Index n = X.rows();
  Matrix C = Matrix::Zero(n, n);
  for (Index j = 0; j < n; j += panel) {
    const Index width = std::min(panel, n - j), step = std::max<Index>(panel, 200000000 / (width * (j + 1)));
    for (Index i = j; i < n; i += step) {
      check();
      const Index rows = std::min(step, n - i);
      MatrixView part = C.block(i, j, rows, width);
      kernel.value(X.middleRows(i, rows), X.middleRows(j, width), part);
      part *= t;
      if (i == j) part.diagonal().array() += 1.0;
      part.noalias() -= C.block(i, 0, rows, j) * C.block(j, 0, width, j).transpose();
    }
    require(cholesky(C.block(j, j, width, width)), "not_pd",
            "the matrix of the k-DPP is not positive definite.");
    const Index below = j + width;
    if (below == n) break;
    Matrix rest = C.block(below, j, n - below, width).transpose();
    solve_lower(C.block(j, j, width, width), MatrixView(rest));
    C.block(below, j, n - below, width) = rest.transpose();
  }
  return C;
}

std::vector<Index> dpp_draw(const ConstMatrixView& C, const ConstVectorView& u) {
  std::vector<Index> rows;  // decreasing
  Matrix Q(16, 16);
  Vector c(16), v(16);
  for (Index j = C.rows() - 1; j >= 0; --j) {
    const Index m = static_cast<Index>(rows.size());
    for (Index i = 0; i < m; ++i) c(i) = C(rows[static_cast<std::size_t>(i)], j);
    v.head(m).noalias() = Q.topLeftCorner(m, m).selfadjointView<Eigen::Lower>() * c.head(m);
    const double s = 1.0 + c.head(m).dot(v.head(m)), pivot = C(j, j) * C(j, j), sigma = pivot / s - 1.0;
    auto inverse = Q.topLeftCorner(m, m).selfadjointView<Eigen::Lower>();
    inverse.rankUpdate(v.head(m), -1.0 / s);
    // what rounding leaves of a row that depends on those taken is never taken
    if (u(j) * pivot < s || sigma <= 4.0 * std::numeric_limits<double>::epsilon() * pivot) continue;
    if (m == Q.rows()) {
      Q.conservativeResize(2 * m, 2 * m);
      c.conservativeResize(2 * m);
      v.conservativeResize(2 * m);
    }
    v.head(m) *= C(j, j) / s;
    Q.topLeftCorner(m, m).selfadjointView<Eigen::Lower>().rankUpdate(v.head(m), 1.0 / sigma);
    Q.row(m).head(m) = -v.head(m).transpose() / sigma;
    Q(m, m) = 1.0 / sigma;
    rows.push_back(j);
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

}  // namespace gpstream
