// Rebase: carry the evidence to other inducing points and/or another unit kernel.  [derivation 4; GFO21 A.1,
// Bui17] In u_old = f(Z_old) the old evidence is a Gaussian factor with precision L_old^-T (P_old / s2)
// L_old^-1, and E[u_old | u] projects it; with all kernel values under the new kernel,
//   S = L^-1 k1(Z, Z_old) L_old^-T    P = S P_old S'    b = S b_old
//   carried residual += tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))    >= 0, the price of the move
// Rows still in the look-back window are taken out first and absorbed again as they are, at no loss.
#ifndef GPSTREAM_REBASE_H
#define GPSTREAM_REBASE_H

#include <algorithm>
#include <cmath>
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

// The evidence of the rows that have left the window: P = R R', b, h. The difference P - W W' is positive
// semi-definite but for rounding.
struct Departed {
  Matrix R;
  Vector b, h;
};

inline Departed departed(const Evidence& evidence, const Window& window) {
  const Index M = evidence.size();
  if (static_cast<double>(window.size()) == evidence.n)
    return {Matrix(M, 0), Vector::Zero(M), Vector::Zero(M)};
  Matrix P = symmetric(evidence.P.view());
  Vector b = evidence.b.view(), h = evidence.h.view();
  if (window.size() > 0) {
    P.noalias() -= window.features() * window.features().transpose();
    b.noalias() -= window.features() * window.outputs();
    h -= window.features().rowwise().sum();
  }
  const Eigensystem parts = eigensystem(P);
  return {parts.vectors * parts.values.cwiseSqrt().asDiagonal(), std::move(b), std::move(h)};
}

// The new points, and S, which takes evidence about the old ones to them.
struct Projection {
  Basis basis;
  std::vector<Index> kept;  // the rows of Z that were not refused
  Matrix S;
};

inline Projection project(const Basis& old, const Kernel& from, const Kernel& to, const Matrix& Z) {
  Projection out;
  out.basis = make_basis(to, Z, out.kept);
  // Feature of each new point in the old basis, L_old^-1 k1(Z_old, z): for a point that stays under the same
  // kernel it is its row of L_old, to the last bit.
  Matrix features = to.correlation(old.Z.view(), out.basis.Z.view());
  solve_lower(old.L.view(), MatrixView(features));
  if (same_unit_kernel(from.spec(), to.spec())) {
    const std::vector<Index> match = matching_rows(out.basis.Z.view(), old.Z.view());
    for (Index i = 0; i < features.cols(); ++i) {
      const Index stays = match[static_cast<std::size_t>(i)];
      if (stays >= 0) features.col(i) = old.L.view().row(stays).transpose();
    }
  }
  out.S = features.transpose();
  solve_lower(out.basis.L.view(), MatrixView(out.S));
  return out;
}

// tr(R'(K - S'S) R) with K = L_old^-1 k1(Z_old, Z_old) L_old^-T, which is I while the kernel stays
inline double price(const Basis& old, const Kernel& from, const Kernel& to, const Matrix& R,
                    const Matrix& SR) {
  double before = R.squaredNorm();
  if (!same_unit_kernel(from.spec(), to.spec()) && old.size() > 0) {
    Matrix half = R;
    solve_lower_transposed(old.L.view(), MatrixView(half));
    before = (to.correlation(old.Z.view(), old.Z.view()) * half).cwiseProduct(half).sum();
  }
  return std::max(0.0, before - SR.squaredNorm());
}

// The features of a departed row were off by e, orthogonal to them, and are now moved by another piece: while
// the kernel stays, the two norms add up (triangle inequality). Under another kernel nothing is known of e.
inline Carried carry(const Evidence& evidence, double in_window, double price, bool same_kernel) {
  const double levels = evidence.tau.view().sum();
  Carried out = evidence.carried;
  out.tau += levels + price;
  out.lost += price;
  if (same_kernel) {
    out.norm = std::pow(std::sqrt(out.norm + levels) + std::sqrt(price), 2);
  } else {
    out.norm = 0.0;
    out.foreign = evidence.n - in_window;
  }
  return out;
}

inline Rebased rebase(const Basis& old, const Evidence& evidence, const Window& window, const Kernel& from,
                      const Kernel& to, const Matrix& Z) {
  Projection onto = project(old, from, to, Z);
  const Departed gone = departed(evidence, window);
  const Matrix SR = onto.S * gone.R;
  const Index M = onto.basis.size();
  Rebased out{std::move(onto.basis), Evidence(), Window(window.limit(), Z.cols(), M),
              static_cast<double>(Z.rows() - M)};
  Evidence& moved = out.evidence;
  moved.P = GrowingMatrix(SR * SR.transpose());
  moved.b = GrowingVector(onto.S * gone.b);
  moved.h = GrowingVector(onto.S * gone.h);
  moved.n = evidence.n;
  moved.sum_y = evidence.sum_y;
  moved.yy = evidence.yy;
  moved.tau = GrowingVector(Vector::Zero(M + 1));
  moved.carried = carry(evidence, static_cast<double>(window.size()), price(old, from, to, gone.R, SR),
                        same_unit_kernel(from.spec(), to.spec()));

  const Index rows = window.size();
  const Matrix X = window.inputs();
  const Vector y = window.outputs();
  Absorbed seen;
  absorb(
      out.basis, to, X, y, rows, moved, [] {}, seen);
  out.window.reserve(M, rows);
  out.window.push(X, y, seen.r, seen.newest);
  return out;
}

}  // namespace gpstream

#endif
