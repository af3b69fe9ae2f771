// The largest eigenvalue of a positive semi-definite matrix A that is known by its products A v alone:
// Lanczos, each new vector made orthogonal to all before it, twice.
//   A V = V T + beta v_next e_k',   T s = theta s   =>   |A u - theta u| = beta |s_k|  for u = V s
// and for a symmetric A some eigenvalue lies within |A u - theta u| of theta. That it is the largest one is
// as sure as that the start has a part along its eigenvector: the start is pseudo-random, and a part below
// 1e-10 has a probability of that order.
#ifndef GPSTREAM_LANCZOS_H
#define GPSTREAM_LANCZOS_H

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>

#include "../linear/require.h"
#include "../linear/types.h"

namespace gpstream {

// The same on every machine, and nobody's random numbers are used up.
Vector pseudo_random_direction(Index N);

// times(v) returns A v. Stops when the residual is at most `relative` theta or at most `absolute`, whichever
// is larger; an error, never a guess, after `most` steps.
template <class Times>
double largest_eigenvalue(Index N, Times times, double relative, double absolute, Index most) {
  if (N == 0) return 0.0;
  constexpr Index look = 8;  // the eigenvalues of T at every so many steps
  most = std::min(most, N);
  Matrix V(N, std::min<Index>(most, 64));
  Vector alpha(most), beta(most), next = pseudo_random_direction(N);
  for (Index k = 0; k < most; ++k) {
    if (k == V.cols()) V.conservativeResize(N, std::min(most, 2 * k));
    V.col(k) = next;
    next = times(V.col(k));
    alpha(k) = V.col(k).dot(next);
    for (int pass = 0; pass < 2; ++pass) {
      const Vector along = V.leftCols(k + 1).transpose() * next;
      next.noalias() -= V.leftCols(k + 1) * along;
    }
    beta(k) = next.norm();
    const bool exhausted = k + 1 == most || beta(k) <= absolute;
    if (exhausted || (k + 1) % look == 0) {
      Eigen::SelfAdjointEigenSolver<Matrix> T;
      T.computeFromTridiagonal(alpha.head(k + 1), beta.head(k));
      require(T.info() == Eigen::Success, "not_converged",
              "the eigenvalues of a tridiagonal matrix could not be found.");
      const double theta = T.eigenvalues()(k), allowed = std::max(relative * theta, absolute);
      if (beta(k) * std::abs(T.eigenvectors()(k, k)) <= allowed) {
        const Vector u = (V.leftCols(k + 1) * T.eigenvectors().col(k)).normalized();
        if ((times(u) - theta * u).norm() <= 2 * allowed) return std::max(theta, 0.0);
      }
      if (exhausted) break;
    }
    next /= beta(k);
  }
  throw Error("not_converged", "the largest eigenvalue was not found in " + std::to_string(most) +
                                   " steps; use norm = \"trace\" or \"frobenius\", which bound it.");
}

}  // namespace gpstream

#endif
