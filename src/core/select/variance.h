// Online conditional variance: a row joins when the points so far leave more than tol of its variance,
// r(x) > tol k1(x, x). Then every row seen has no more left, and points correlate less than sqrt(1 - tol):
// given z' alone, z has a share of 1 - correlation^2 left.
#ifndef GPSTREAM_SELECTORS_VARIANCE_H
#define GPSTREAM_SELECTORS_VARIANCE_H

#include "factored.h"
#include "online.h"
#include "row_features.h"

namespace gpstream {

class Variance final : public Online {
 public:
  explicit Variance(SelectorSpec spec) : Online(std::move(spec)), tol_(number("tol")) {
    require(tol_ > 0 && tol_ < 1, "parameter", "`tol` must lie between 0 and 1.");
  }

 private:
  class Explained final : public Cover {
   public:
    Explained(const Points& points, double tol)
        : kernel_(points.kernel()), factored_(points), tol_(std::max(tol, rank_tolerance)) {}
    void look(const ConstMatrixView& X) override { rows_.emplace(factored_.basis(), kernel_, X); }
    bool covers(const ConstMatrixView&, Index i) override { return rows_->explained(i, tol_); }
    void joined(const ConstMatrixView& X, Index i) override {
      factored_.joined(X.middleRows(i, 1), rows_->border(i));
      rows_->extend(kernel_, X, i, i + 1);
    }

   private:
    const Kernel& kernel_;
    Factored factored_;
    double tol_;
    std::optional<RowFeatures> rows_;
  };
  std::unique_ptr<Cover> cover(const Points& points, Index) const override {
    return std::make_unique<Explained>(points, tol_);
  }

  double tol_;
};

}  // namespace gpstream

#endif
