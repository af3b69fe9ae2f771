// Online inducing point selection: a row joins when its correlation with every point so far is below rho.
// [GFO21 Algorithm 1, on |k1(x, z)| / sqrt(k1(x, x) k1(z, z)) in place of k, so that rho means the same for
// every signal variance]
#ifndef GPSTREAM_SELECTORS_OIPS_H
#define GPSTREAM_SELECTORS_OIPS_H

#include "../kernels/diagonal.h"
#include "../points/neighbours.h"
#include "online.h"

namespace gpstream {

// Highest absolute correlation of each row of X with a point of Z; 0 where there is none. A row with no
// variance is known and needs no point: 1.
inline Vector highest_correlation(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  Vector out = Vector::Zero(X.rows());
  const Matrix K = kernel.value(Z, X).cwiseAbs();
  if (kernel.unit_diagonal()) {
    if (K.size() > 0) out = K.colwise().maxCoeff();
    return out;
  }
  const Diagonal own(kernel, X), points(kernel, Z);
  for (Index j = 0; j < X.rows(); ++j) {
    for (Index i = 0; i < Z.rows(); ++i)
      if (points(i) > 0) out(j) = std::max(out(j), K(i, j) / std::sqrt(points(i)) / std::sqrt(own(j)));
    out(j) = own(j) > 0 ? std::min(out(j), 1.0) : 1.0;
  }
  return out;
}

class Oips final : public Online {
 public:
  static constexpr double usual_rho = 0.8;  // where none is given, and no model chooses otherwise

  explicit Oips(SelectorSpec spec) : Online(completed(std::move(spec))), rho_(number("rho")) {
    require(rho_ > 0 && rho_ < 1, "parameter", "`rho` must lie between 0 and 1.");
  }

 private:
  // For a kernel that is a function of a distance.
  class Nearby final : public Cover {
   public:
    Nearby(const Points& points, Ball ball, Index rows)
        : points_(points), neighbours_(std::move(ball), points.points(), rows) {}
    void look(const ConstMatrixView&) override {}
    bool covers(const ConstMatrixView& X, Index i) override {
      return neighbours_.near(points_.points(), X, i);
    }
    void joined(const ConstMatrixView&, Index) override { neighbours_.joined(points_.points()); }

   private:
    const Points& points_;
    Neighbours neighbours_;
  };

  // For any other, by its values.
  class Correlated final : public Cover {
   public:
    Correlated(const Points& points, double rho) : points_(points), rho_(rho) {}
    void look(const ConstMatrixView& X) override {
      highest_ = highest_correlation(points_.kernel(), points_.points(), X);
    }
    bool covers(const ConstMatrixView&, Index i) override { return highest_(i) >= rho_; }
    void joined(const ConstMatrixView& X, Index i) override {
      const Index rest = X.rows() - i - 1;
      const Vector with_it = highest_correlation(points_.kernel(), X.middleRows(i, 1), X.bottomRows(rest));
      highest_.tail(rest) = highest_.tail(rest).cwiseMax(with_it);
    }

   private:
    const Points& points_;
    double rho_;
    Vector highest_;
  };

  std::unique_ptr<Cover> cover(const Batch& batch, const Points& points) const override {
    std::optional<Ball> ball = points.kernel().ball(rho_, points.points().cols());
    if (ball) return std::make_unique<Nearby>(points, std::move(*ball), batch.X.rows());
    return std::make_unique<Correlated>(points, rho_);
  }

  static SelectorSpec completed(SelectorSpec spec) {
    spec.numbers.emplace("rho", usual_rho);
    return spec;
  }

  double rho_;
};

}  // namespace gpstream

#endif
