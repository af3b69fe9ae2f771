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

#include <vector>

#include "../points/basis.h"

namespace gpstream {

class BoundGain {
 public:
  // `candidates` are rows of X.
  BoundGain(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& y,
            const std::vector<Index>& candidates, double v, double s2)
      : candidates_(candidates), xi_(v / s2), s2_(s2), t_(y) {
    const Index n = X.rows(), c = static_cast<Index>(candidates.size()), M = basis.size();
    Matrix W, chosen(c, X.cols()), Wc(M, c);
    const Vector r = basis.features(kernel, X, W);
    const Diagonal d(kernel, X);
    r_.resize(c);
    own_.resize(c);
    for (Index i = 0; i < c; ++i) {
      chosen.row(i) = X.row(row(i));
      Wc.col(i) = W.col(row(i));
      r_(i) = r(row(i));
      own_(i) = d(row(i));
    }
    R_ = kernel.value(chosen, X);
    T_ = R_;
    if (M == 0) return;
    R_.noalias() -= Wc.transpose() * W;
    Matrix stack(n + M, n), SR = R_.transpose();
    stack << Matrix::Identity(n, n), std::sqrt(xi_) * W;
    const Matrix C = lower_factor(stack);  // C C' = I + xi W'W = S^-1
    solve_lower(C, MatrixView(SR));
    solve_lower_transposed(C, MatrixView(SR));
    T_ = SR.transpose();
    solve_lower(C, VectorView(t_));
    solve_lower_transposed(C, VectorView(t_));
  }

  // The gain of candidate i; nothing when it is a combination of the points already there.
  double gain(Index i) const {
    if (!(r_(i) > rank_tolerance * own_(i))) return 0.0;
    const double p = pivot(i), ft = t_.size() > 0 ? R_.row(i).dot(t_) / std::sqrt(r_(i)) : 0.0;
    return 0.5 * (xi_ / p * (ft * ft / s2_) + xi_ * R_.row(i).squaredNorm() / r_(i) - std::log(p));
  }

  void joined(Index i) {
    const double share = xi_ / pivot(i), d = std::sqrt(r_(i));
    const Vector f = R_.row(i).transpose() / d, u = T_.row(i).transpose() / d;
    Vector at_candidates(r_.size());
    for (Index j = 0; j < r_.size(); ++j) at_candidates(j) = f(row(j));
    R_.noalias() -= at_candidates * f.transpose();
    at_candidates.noalias() += share * (R_ * u);
    T_.noalias() -= at_candidates * u.transpose();
    if (t_.size() > 0) t_ -= share * f.dot(t_) * u;
    for (Index j = 0; j < r_.size(); ++j) r_(j) -= f(row(j)) * f(row(j));
    spend(i);
  }

  // Candidate i has nothing left to give.
  void spend(Index i) { r_(i) = 0.0; }

 private:
  Index row(Index i) const { return candidates_[static_cast<std::size_t>(i)]; }
  double pivot(Index i) const { return 1.0 + xi_ * std::max(0.0, R_.row(i).dot(T_.row(i)) / r_(i)); }

  std::vector<Index> candidates_;
  double xi_, s2_;
  Vector own_, r_, t_;  // k1(x, x) and r(x) of the candidates
  Matrix R_, T_;
};

}  // namespace gpstream

#endif
