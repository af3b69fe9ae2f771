// Project: carry the settled evidence to other inducing points and/or another unit kernel.  [derivation 4;
// GFO21 A.1, Bui17] In u_old = f(Z_old) the old evidence is a Gaussian factor with precision L_old^-T (P_old
// / phi) L_old^-1, and E[u_old | u] projects it; with all kernel values under the new kernel,
//   S = L^-1 k1(Z, Z_old) L_old^-T    P = S P_old S'    b = S b_old    H = S H_old
//   carried residual += tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))    >= 0, the price of the move
#ifndef GPSTREAM_PROJECT_H
#define GPSTREAM_PROJECT_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "evidence.h"

namespace gpstream {

// For each row of Z, the equal row of Z_old, or -1.
std::vector<Index> matching_rows(const ConstMatrixView& Z, const ConstMatrixView& Z_old);

// The new points, and S, which takes evidence about the old ones to them.
struct Projection {
  Basis basis;
  std::vector<Index> kept;  // the rows of Z that were not refused
  Matrix S;
  bool same_kernel;
};

Projection projection(const Basis& old, const Kernel& from, const Kernel& to, Basis onto,
                      std::vector<Index> kept = {});

Projection projection(const Basis& old, const Kernel& from, const Kernel& to, const Matrix& Z);

// S P S', and the price of the move: tr(P K) - tr(S P S') with K = L_old^-1 k1(Z_old, Z_old) L_old^-T, which
// is I while the kernel stays.
struct Moved {
  Matrix P;
  double price;
};

Moved moved(const Matrix& P, const Projection& onto, const Basis& old, const Kernel& to);

Evidence project(const Evidence& evidence, const Projection& onto, const Basis& old, const Kernel& to);

}  // namespace gpstream

#endif
