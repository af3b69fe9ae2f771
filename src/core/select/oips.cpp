// Online inducing point selection: a row joins when its correlation with every point so far is below rho.
// [GFO21 Algorithm 1, on |k1(x, z)| / sqrt(k1(x, x) k1(z, z)) in place of k, so that rho means the same for
// every signal variance]
#include <memory>
#include <optional>
#include <utility>

#include "../kernels/kernel.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "../points/neighbours.h"
#include "correlation.h"
#include "online.h"
#include "selector.h"

namespace gpstream {

namespace {

class Oips final : public Online {
 public:
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

  double ball() const override { return rho_; }
  double left_by_cover(double, double) const override { return 1.0 - rho_ * rho_; }

  static SelectorSpec completed(SelectorSpec spec) {
    spec.numbers.emplace("rho", usual_rho);
    return spec;
  }

  double rho_;
};

}  // namespace

SelectorPtr make_oips(const SelectorSpec& spec) { return std::make_shared<Oips>(spec); }

}  // namespace gpstream
