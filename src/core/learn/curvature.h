// How a function bends, from the last few steps of a search: the limited-memory BFGS model of the negative
// Hessian in its compact form,  [Byrd, Nocedal, Schnabel 1994, theorem 2.3]
//   B = theta I - W N^-1 W',   W = [Y  theta S],   N = [-D  L'; L  theta S'S]
// with the steps S, the falls of the slope Y, D and L the diagonal and what is below it of S'Y. The compact
// form restricts to some of the parameters exactly, which the usual two loops do not: the others are at
// bounds.
#ifndef GPSTREAM_LEARN_CURVATURE_H
#define GPSTREAM_LEARN_CURVATURE_H

#include <algorithm>
#include <limits>
#include <vector>

#include "../linear/types.h"

namespace gpstream {

class Curvature {
 public:
  Curvature(Index parameters, int memory) : S_(parameters, 0), Y_(parameters, 0), memory_(memory) {}

  bool empty() const { return S_.cols() == 0; }
  void forget() { *this = Curvature(S_.rows(), memory_); }

  // A step s, along which the slope fell by y. Where it rose there is no such model: the pair is left out.
  void see(const Vector& s, const Vector& y) {
    if (!(s.dot(y) > std::numeric_limits<double>::epsilon() * y.squaredNorm())) return;
    push(S_, s);
    push(Y_, y);
    theta_ = y.squaredNorm() / s.dot(y);
    const Matrix SY = S_.transpose() * Y_;
    const Index m = S_.cols();
    N_ = Matrix::Zero(2 * m, 2 * m);
    N_.topLeftCorner(m, m).diagonal() = -SY.diagonal();
    N_.bottomLeftCorner(m, m) = SY.triangularView<Eigen::StrictlyLower>();
    N_.topRightCorner(m, m) = N_.bottomLeftCorner(m, m).transpose();
    N_.bottomRightCorner(m, m) = theta_ * (S_.transpose() * S_);
  }

  // The way to the model's top over the parameters in `free`, the others held; the slope itself before any
  // step was seen.
  Vector step(const Vector& slope, const std::vector<Index>& free) const {
    Vector out = Vector::Zero(slope.size());
    if (empty()) {
      for (const Index i : free) out(i) = slope(i);
      return out;
    }
    const Index m = S_.cols(), F = static_cast<Index>(free.size());
    Matrix W(F, 2 * m);
    Vector r(F);
    for (Index k = 0; k < F; ++k) {
      const Index i = free[static_cast<std::size_t>(k)];
      W.row(k).head(m) = Y_.row(i);
      W.row(k).tail(m) = theta_ * S_.row(i);
      r(k) = slope(i);
    }
    const Vector z = (N_ - W.transpose() * W / theta_).partialPivLu().solve(W.transpose() * r);
    r = (r + W * z / theta_) / theta_;
    for (Index k = 0; k < F; ++k) out(free[static_cast<std::size_t>(k)]) = r(k);
    return out;
  }

 private:
  void push(Matrix& past, const Vector& last) const {
    const Index kept = std::min<Index>(past.cols(), memory_ - 1);
    Matrix next(past.rows(), kept + 1);
    next << past.rightCols(kept), last;
    past = std::move(next);
  }

  Matrix S_, Y_, N_;
  double theta_ = 1;
  int memory_;
};

}  // namespace gpstream

#endif
