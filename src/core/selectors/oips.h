// Online inducing point selection: a row joins when its correlation with every point so far is below rho.
// [GFO21 Algorithm 1, on |k1| in place of k, so that rho means the same for every signal variance]
#ifndef GPSTREAM_SELECTORS_OIPS_H
#define GPSTREAM_SELECTORS_OIPS_H

#include <algorithm>

#include "../selector.h"

namespace gpstream {

// Highest absolute correlation of each row of X with a point of Z; 0 where there is none.
inline Vector highest_correlation(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  if (Z.rows() == 0 || X.rows() == 0) return Vector::Zero(X.rows());
  return kernel.correlation(Z, X).cwiseAbs().colwise().maxCoeff();
}

class Oips final : public Selector {
 public:
  explicit Oips(SelectorSpec spec) : Selector(std::move(spec)), rho_(number("rho")), max_points_(number("max_points")) {
    require(rho_ > 0 && rho_ < 1, "parameter", "`rho` must lie between 0 and 1.");
  }

  void select(const Batch& batch, Points& points, Checkpoint check) const override {
    constexpr Index block = 256;
    const ConstMatrixView& X = batch.X;
    for (Index start = 0; start < X.rows(); start += block) {
      check();
      const Index rows = std::min(block, X.rows() - start);
      select_block(X.middleRows(start, rows), start, points, check);
    }
  }

 private:
  void select_block(const ConstMatrixView& X, Index start, Points& points, Checkpoint check) const {
    const Kernel& kernel = points.kernel();
    Vector highest = highest_correlation(kernel, points.points(), X);
    for (Index i = 0; i < X.rows(); ++i) {
      if (points.points().rows() > 0 && highest(i) >= rho_) continue;
      if (static_cast<double>(points.points().rows()) >= max_points_) {
        points.turn_away();
        continue;
      }
      check();  // with a long look-back a join is long
      if (!points.join(X.middleRows(i, 1), start + i)) continue;
      const Index rest = X.rows() - i - 1;
      highest.tail(rest) = highest.tail(rest).cwiseMax(highest_correlation(kernel, X.middleRows(i, 1), X.bottomRows(rest)));
    }
  }

  double rho_, max_points_;
};

}  // namespace gpstream

#endif
