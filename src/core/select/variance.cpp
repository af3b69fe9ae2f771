// Online conditional variance: a row joins when the points so far leave more than tol of its variance,
// r(x) > tol k1(x, x). Then every row seen has no more left, and points correlate less than sqrt(1 - tol):
// given z' alone, z has a share of 1 - correlation^2 left.
// By noise: when they leave more than tol times the variance of the noise, v r(x) > tol s2. What is left of a
// row then hardly matters beside its noise, for every kernel, and points are as dense as that takes. Others
// leave for a row only where that is more than worth_leaving times the noise: a smaller residual does no
// harm, and where all the points there may be are too few for tol, every row would have one leave.
// A tol above that is a makeshift: too few points for so little noise. With `left` = "noise" what they leave
// of a row is then counted as noise of its own; taken for part of the function it would be read into the
// points as if it had been measured, and foretell everything wrong.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "../kernels/kernel.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "factored.h"
#include "online.h"
#include "row_features.h"
#include "selector.h"

namespace gpstream {

namespace {

class ByResidual : public Online {
 public:
  explicit ByResidual(SelectorSpec spec) : Online(std::move(spec)), tol_(number("tol")) {}

 protected:
  // What may be left of a row, relative to its variance; and when others have to leave for it.
  virtual double share(double v, double s2) const = 0;
  virtual double share_when_full(double v, double s2) const { return share(v, s2); }
  // Beyond this it is noise.
  virtual double share_of_noise(double, double) const { return 1.0; }
  // Are these shares of a row's own variance, or of the kernel's? The same where rows have that one.
  virtual bool relative() const { return true; }
  static constexpr double least_share = 1e-6, most_share = 0.9;
  double tol_;

 private:
  class Explained final : public Cover {
   public:
    Explained(const Points& points, double tol, double tol_when_full, double noise, bool relative)
        : kernel_(points.kernel()),
          factored_(points),
          tol_(std::max(tol, rank_tolerance)),
          tol_when_full_(tol_when_full),
          noise_(noise),
          relative_(relative) {}
    void look(const ConstMatrixView& X) override { rows_.emplace(factored_.basis(), kernel_, X); }
    bool covers(const ConstMatrixView&, Index i) override { return explained(i, tol_); }
    void joined(const ConstMatrixView& X, Index i) override {
      factored_.joined(X.middleRows(i, 1), rows_->border(i));
      rows_->extend(kernel_, X, i, i + 1);
    }
    bool worth_room(Index i) const override { return !explained(i, tol_when_full_); }
    double left_to_noise(Index i) const override { return explained(i, noise_) ? 0.0 : rows_->r()(i); }
    void tell(Points& points) const override {
      if (rows_) points.saw(rows_->features(), rows_->r());
    }

   private:
    // A share of the row's own variance, or of the kernel's, whatever the row's is: there between a millionth
    // and most of it.
    bool explained(Index i, double share) const {
      if (relative_) return rows_->explained(i, share);
      const double d = rows_->diagonal()(i);
      return rows_->r()(i) <= std::min(std::max(share, least_share * d), most_share * d);
    }

    const Kernel& kernel_;
    Factored factored_;
    double tol_, tol_when_full_, noise_;
    bool relative_;
    std::optional<RowFeatures> rows_;
  };
  std::unique_ptr<Cover> cover(const Batch& batch, const Points& points) const override {
    return std::make_unique<Explained>(points, share(batch.v, batch.s2), share_when_full(batch.v, batch.s2),
                                       share_of_noise(batch.v, batch.s2), relative());
  }
};

class Variance final : public ByResidual {
 public:
  explicit Variance(SelectorSpec spec) : ByResidual(std::move(spec)) {
    require(tol_ > 0 && tol_ < 1, "parameter", "`tol` must lie between 0 and 1.");
  }

 private:
  double share(double, double) const override { return tol_; }
  double left_by_cover(double, double) const override { return tol_; }
};

class ByNoise final : public ByResidual {
 public:
  explicit ByNoise(SelectorSpec spec) : ByResidual(std::move(spec)) {
    require(tol_ > 0 && std::isfinite(tol_), "parameter", "`tol` must be positive.");
    const auto found = this->spec().words.find("left");
    left_is_noise_ = found != this->spec().words.end() && found->second == "noise";
  }

  bool leaves_noise() const override { return left_is_noise_; }

 private:
  static constexpr double worth_leaving = 0.3;

  double share(double v, double s2) const override { return of_noise(tol_, v, s2); }
  double share_when_full(double v, double s2) const override {
    return of_noise(std::max(tol_, worth_leaving), v, s2);
  }
  // What is left of a row does no harm while it is less than its noise.
  double left_by_cover(double v, double s2) const override { return of_noise(std::max(tol_, 1.0), v, s2); }
  double share_of_noise(double v, double s2) const override {
    return left_is_noise_ ? of_noise(worth_leaving, v, s2) : 1.0;
  }
  // More than a millionth: with hardly any noise, points closer than that would fill the budget to no avail.
  static double of_noise(double tol, double v, double s2) {
    return std::min(std::max(tol * s2 / v, least_share), most_share);
  }
  bool relative() const override { return false; }

  bool left_is_noise_;
};

}  // namespace

SelectorPtr make_variance(const SelectorSpec& spec) { return std::make_shared<Variance>(spec); }

SelectorPtr make_noise(const SelectorSpec& spec) { return std::make_shared<ByNoise>(spec); }

}  // namespace gpstream
