#include "project.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "../linear/linalg.h"

namespace gpstream {

std::vector<Index> matching_rows(const ConstMatrixView& Z, const ConstMatrixView& Z_old) {
  std::vector<Index> match(static_cast<std::size_t>(Z.rows()), -1);
  for (Index i = 0; i < Z.rows(); ++i)
    for (Index j = 0; j < Z_old.rows() && match[static_cast<std::size_t>(i)] < 0; ++j)
      if ((Z.row(i).array() == Z_old.row(j).array()).all()) match[static_cast<std::size_t>(i)] = j;
  return match;
}

Projection projection(const Basis& old, const Kernel& from, const Kernel& to, Basis onto,
                      std::vector<Index> kept) {
  Projection out;
  out.basis = std::move(onto);
  out.kept = std::move(kept);
  out.same_kernel = same_unit_kernel(from.spec(), to.spec());
  // Feature of each new point in the old basis, L_old^-1 k1(Z_old, z): for a point that stays under the same
  // kernel it is its row of L_old, to the last bit.
  Matrix features = to.value(old.Z.view(), out.basis.Z.view());
  solve_lower(old.L.view(), MatrixView(features));
  if (out.same_kernel) {
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

Projection projection(const Basis& old, const Kernel& from, const Kernel& to, const Matrix& Z) {
  std::vector<Index> kept;
  Basis basis = make_basis(to, Z, kept);
  return projection(old, from, to, std::move(basis), std::move(kept));
}

Moved moved(const Matrix& P, const Projection& onto, const Basis& old, const Kernel& to) {
  const Index M = onto.S.rows(), M_old = onto.S.cols();
  Matrix SP(M, M_old);
  multiply(onto.S, P, SP);
  Moved out{Matrix(M, M), P.trace()};
  multiply(SP, Matrix(onto.S.transpose()), out.P);
  if (!onto.same_kernel && M_old > 0) {
    Matrix half = P;
    solve_lower_transposed(old.L.view(), MatrixView(half));
    half = half.transpose().eval();
    solve_lower_transposed(old.L.view(), MatrixView(half));
    out.price = to.value(old.Z.view(), old.Z.view()).cwiseProduct(half).sum();
  }
  out.price = std::max(0.0, out.price - out.P.trace());
  return out;
}

namespace {

// The features of a settled row were off by e, orthogonal to them, and are now moved by another piece: while
// the kernel stays, the two norms add up (triangle inequality). Under another kernel nothing is known of e.
Carried carry(const Evidence& evidence, double price, bool same_kernel) {
  const double levels = evidence.tau.view().sum();
  Carried out = evidence.carried;
  out.tau += levels + price;
  out.lost += price;
  out.norm = same_kernel ? std::pow(std::sqrt(out.norm + levels) + std::sqrt(price), 2) : 0.0;
  if (!same_kernel) out.foreign = evidence.n;
  return out;
}

}  // namespace

Evidence project(const Evidence& evidence, const Projection& onto, const Basis& old, const Kernel& to) {
  const Moved P = moved(symmetric(evidence.P.view()), onto, old, to);
  Evidence out(onto.basis.size(), evidence.s.size());
  out.P = GrowingMatrix(P.P);
  out.H = GrowingMatrix(onto.S * evidence.H.view());
  out.b = GrowingVector(onto.S * evidence.b.view());
  out.Phi = evidence.Phi;
  out.s = evidence.s;
  out.n = evidence.n;
  out.con = evidence.con;
  out.yy = evidence.yy;
  out.carried = carry(evidence, P.price, onto.same_kernel);
  return out;
}

}  // namespace gpstream
