// Rebase: carry the evidence to other inducing points and/or another unit kernel.  [derivation 4; GFO21 A.1, Bui17]
// In u_old = f(Z_old) the old evidence is a Gaussian factor with precision L_old^-T (P_old / s2) L_old^-1, and E[u_old | u]
// projects it; with all kernel values under the new kernel,
//   S = L^-1 k1(Z, Z_old) L_old^-T    P = S P_old S'    b = S b_old
//   carried residual += tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))    >= 0, the price of the move
// Rows still in the look-back window are taken out first and absorbed again as they are, at no loss.
#ifndef GPSTREAM_REBASE_H
#define GPSTREAM_REBASE_H

#include <algorithm>
#include <vector>

#include "absorb.h"

namespace gpstream {

struct Rebased {
  Basis basis;
  Evidence evidence;
  Window window;
  double refused = 0.0;
};

// For each row of Z, the equal row of Z_old, or -1.
inline std::vector<Index> matching_rows(const ConstMatrixView& Z, const ConstMatrixView& Z_old) {
  std::vector<Index> match(static_cast<std::size_t>(Z.rows()), -1);
  for (Index i = 0; i < Z.rows(); ++i)
    for (Index j = 0; j < Z_old.rows() && match[static_cast<std::size_t>(i)] < 0; ++j)
      if ((Z.row(i).array() == Z_old.row(j).array()).all()) match[static_cast<std::size_t>(i)] = j;
  return match;
}

// A factor R R' of the evidence of the rows that have left the window. The difference P - W W' is positive semi-definite
// but for rounding.
inline Matrix departed_factor(const Evidence& evidence, const Window& window) {
  Matrix P = symmetric(evidence.P.view());
  if (window.size() > 0) P.noalias() -= window.features() * window.features().transpose();
  const Eigensystem parts = eigensystem(P);
  return parts.vectors * parts.values.cwiseSqrt().asDiagonal();
}

inline Rebased rebase(const Basis& old, const Evidence& evidence, const Window& window, const Kernel& from, const Kernel& to,
                      const Matrix& Z) {
  const bool same_kernel = same_unit_kernel(from.spec(), to.spec());
  const std::vector<Index> match = matching_rows(Z, old.Z.view());
  Rebased out{empty_basis(Z.cols()), Evidence(), Window(window.limit(), Z.cols(), 0), 0.0};

  // Feature of each new point in the old basis, L_old^-1 k1(Z_old, z): for a point that stays under the same kernel it is
  // its row of L_old, to the last bit.
  Matrix F(old.size(), Z.rows());
  Index M = 0;
  for (Index i = 0; i < Z.rows(); ++i) {
    const auto z = Z.middleRows(i, 1);
    const std::optional<Border> edge = out.basis.border(to, z);
    if (!edge) {
      out.refused += 1.0;
      continue;
    }
    out.basis.append(z, *edge);
    const Index stays = match[static_cast<std::size_t>(i)];
    if (same_kernel && stays >= 0) {
      F.col(M) = old.L.view().row(stays).transpose();
    } else {
      Vector feature = to.correlation(old.Z.view(), z).col(0);
      solve_lower(old.L.view(), VectorView(feature));
      F.col(M) = feature;
    }
    ++M;
  }
  Matrix S = F.leftCols(M).transpose();
  solve_lower(out.basis.L.view(), MatrixView(S));

  const Matrix R = departed_factor(evidence, window), SR = S * R;
  Vector b = evidence.b.view(), h = evidence.h.view();
  if (window.size() > 0) {
    b.noalias() -= window.features() * window.outputs();
    h -= window.features().rowwise().sum();
  }
  Evidence& moved = out.evidence;
  moved.P = GrowingMatrix(SR * SR.transpose());
  moved.b = GrowingVector(S * b);
  moved.h = GrowingVector(S * h);
  moved.n = evidence.n;
  moved.sum_y = evidence.sum_y;
  moved.yy = evidence.yy;
  moved.tau = GrowingVector(Vector::Zero(M + 1));
  moved.carried = evidence.carried + evidence.tau.view().sum();

  // tr(R' (K - S'S) R) with K = L_old^-1 k1(Z_old, Z_old) L_old^-T, which is I while the kernel stays
  double before = R.squaredNorm();
  if (!same_kernel && old.size() > 0) {
    Matrix half = R;
    solve_lower_transposed(old.L.view(), MatrixView(half));
    before = (half.transpose() * to.correlation(old.Z.view(), old.Z.view()) * half).trace();
  }
  moved.carried += std::max(0.0, before - SR.squaredNorm());

  const Index rows = window.size();
  const Matrix X = window.inputs();
  const Vector y = window.outputs();
  const Absorbed seen = absorb(out.basis, to, X, y, rows, moved, [] {});
  out.window = Window(window.limit(), Z.cols(), M);
  out.window.reserve(M, rows);
  out.window.push(X, y, seen.r, seen.newest);
  return out;
}

}  // namespace gpstream

#endif
