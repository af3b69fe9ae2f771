// Basis: the inducing points Z and the factor L L' = k1(Z, Z), in the order in which the points joined.
//   feature of a row   w(x) = L^-1 k1(Z, x)
//   what it leaves     r(x) = k1(x, x) - |w(x)|^2 >= 0     conditional variance at x, unit amplitude
// What is negligible is so relative to k1(x, x): a factor is as good as that of the correlation matrix.
#ifndef GPSTREAM_BASIS_H
#define GPSTREAM_BASIS_H

#include <optional>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/growing.h"
#include "../linear/types.h"

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
  void features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A, VectorView r) const;
  Vector features(const Kernel& kernel, const ConstMatrixView& X, Matrix& A) const;

  // Empty when z is numerically a combination of the points already there.
  std::optional<Border> border(const Kernel& kernel, const ConstMatrixView& z) const;

  void reserve(Index M);

  void append(const ConstMatrixView& z, const Border& edge);

  void truncate(Index M);
};

Basis empty_basis(Index D);

// The points of Z in their order, without those that carry nothing the earlier ones lack; `kept` are their
// rows.
Basis make_basis(const Kernel& kernel, const ConstMatrixView& Z, std::vector<Index>& kept);

}  // namespace gpstream

#endif
