// What each of some candidates, rows of a batch, would add to the collapsed objective F of that batch.
// [Titsias09] A candidate with residual covariance R_i = k1(x_i, X) - w_i'W brings the new feature entries f
// = R_i / sqrt(r_i), and
//   gain = -1/2 log p + (xi / 2 s2) (f't)^2 / p + (xi / 2) f'f      p = 1 + xi f'S f
// with S = I - xi W'G^-1 W = (I + xi W'W)^-1 and t = S y; without y the middle term is left out. R, T = R S
// and t are kept, and a join is a few outer products: with u = S f,
//   S <- S - (xi / p) u u'     t <- t - (xi / p) (f't) u     R <- R - f_C f'     T <- T - f_C u' - (xi / p)
//   (R u) u'
// where f_C is f at the candidates and the last R is the new one.
#ifndef GPSTREAM_SELECTORS_BOUND_GAIN_H
#define GPSTREAM_SELECTORS_BOUND_GAIN_H

#include <cstddef>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

class BoundGain {
 public:
  // `candidates` are rows of X.
  BoundGain(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& y,
            const std::vector<Index>& candidates, double v, double s2);

  // The gain of candidate i; nothing when it is a combination of the points already there.
  double gain(Index i) const;

  void joined(Index i);

  // Candidate i has nothing left to give.
  void spend(Index i) { r_(i) = 0.0; }

 private:
  Index row(Index i) const { return candidates_[static_cast<std::size_t>(i)]; }
  double pivot(Index i) const;

  std::vector<Index> candidates_;
  double xi_, s2_;
  Vector own_, r_, t_;  // k1(x, x) and r(x) of the candidates
  Matrix R_, T_;
};

}  // namespace gpstream

#endif
