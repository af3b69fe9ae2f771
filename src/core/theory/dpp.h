// Draws from the determinantal point process of tK, K = k1(X, X) of n rows: a set A with
// probability det(tK_A) / det(I + tK). No eigenvectors are needed, only the Cholesky factor C C' = I + tK.
//
// The rows are decided from the last to the first. Let A be those taken among the rows after j. The sum of
// det(tK_S) over all S that agree with what was decided is det(I + tK_{1..j}) det(S_j), where S_j is the
// Schur complement of those j rows in (tK + I_{1..j}) on {1..j} and A. C has its entries: S_j = sum_{i > j}
// c_i c_i' - I, c_i being column i of C at the rows A. Therefore
//   P(j is left out | what was decided) = det(S_{j-1}) / (C_jj^2 det(S_j)) = (1 + c_j'S_j^-1 c_j) / C_jj^2,
//   S_{j-1} = S_j + c_j c_j',
// and when j is taken, S grows by the row (C_jj c_j', C_jj^2 - 1). Its inverse Q is kept, O(|A|^2) a row.
// [derivation in the vignette "kdpp"; compare Launay, Galerne and Desolneux 2020, Poulson 2020]
#ifndef GPSTREAM_DPP_H
#define GPSTREAM_DPP_H

#include <algorithm>
#include <limits>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/linalg.h"

namespace gpstream {

// The lower factor of I + tK. The upper triangle is not used.
inline Matrix dpp_factor(
    const Kernel& kernel, const ConstMatrixView& X, double t, Checkpoint check = [] {}) {
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

// One set, in increasing order; u are n uniform numbers.
inline std::vector<Index> dpp_draw(const ConstMatrixView& C, const ConstVectorView& u) {
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

#endif
