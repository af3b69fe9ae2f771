// What the paper proposes, in its outlook, against rows that lie apart: a row joins when the mean, or the
// median, of its correlations with its k nearest points is below rho. Where there are fewer than k points,
// over those there are. The mean of k correlations is below the highest of them, so that more rows
// join than with OIPS, and one far from all points joins as it does there.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../kernels/diagonal.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "correlation.h"
#include "online.h"
#include "selector.h"

namespace gpstream {

namespace {

class KNearest final : public Online {
 public:
  explicit KNearest(SelectorSpec spec)
      : Online(std::move(spec)),
        k_(number("k")),
        rho_(number("rho")),
        median_(word("statistic") == "median") {
    require(k_ >= 1 && k_ <= 1e6 && k_ == std::floor(k_), "parameter",
            "`k` must be a whole number from 1 to 1e6.");
    require(rho_ > 0 && rho_ < 1, "parameter", "`rho` must lie between 0 and 1.");
    require(median_ || word("statistic") == "mean", "parameter",
            "`statistic` must be \"mean\" or \"median\".");
  }

 private:
  // The k highest correlations of each row with a point, highest first.
  class Nearest final : public Cover {
   public:
    Nearest(const Points& points, std::size_t k, double rho, bool median)
        : points_(points), k_(k), rho_(rho), median_(median) {}

    void look(const ConstMatrixView& X) override {
      const Matrix alike = correlations(points_.kernel(), points_.points(), X);
      const Diagonal own(points_.kernel(), X);
      highest_.assign(static_cast<std::size_t>(X.rows()), {});
      for (Index i = 0; i < X.rows(); ++i) {
        std::vector<double>& row = highest_[static_cast<std::size_t>(i)];
        row.assign(alike.col(i).data(), alike.col(i).data() + alike.rows());
        if (row.empty() && !(own(i) > 0)) row.push_back(1.0);  // it is known, and needs no point
        const std::size_t keep = std::min(k_, row.size());
        std::partial_sort(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keep), row.end(),
                          std::greater<double>());
        row.resize(keep);
      }
    }
    bool covers(const ConstMatrixView&, Index i) override {
      const std::vector<double>& row = highest_[static_cast<std::size_t>(i)];
      return !row.empty() && statistic(row) >= rho_;
    }
    void joined(const ConstMatrixView& X, Index i) override {
      const Index rest = X.rows() - i - 1;
      const Matrix alike = correlations(points_.kernel(), X.middleRows(i, 1), X.bottomRows(rest));
      for (Index j = 0; j < rest; ++j) {
        std::vector<double>& row = highest_[static_cast<std::size_t>(i + 1 + j)];
        const double one = alike(0, j);
        row.insert(std::upper_bound(row.begin(), row.end(), one, std::greater<double>()), one);
        if (row.size() > k_) row.pop_back();
      }
    }

   private:
    // Of numbers in falling order.
    double statistic(const std::vector<double>& row) const {
      const std::size_t n = row.size();
      if (median_) return 0.5 * (row[(n - 1) / 2] + row[n / 2]);
      double sum = 0.0;
      for (const double one : row) sum += one;
      return sum / static_cast<double>(n);
    }

    const Points& points_;
    std::size_t k_;
    double rho_;
    bool median_;
    std::vector<std::vector<double>> highest_;
  };

  std::unique_ptr<Cover> cover(const Batch&, const Points& points) const override {
    return std::make_unique<Nearest>(points, static_cast<std::size_t>(k_), rho_, median_);
  }

  double k_, rho_;
  bool median_;
};

}  // namespace

SelectorPtr make_knearest(const SelectorSpec& spec) { return std::make_shared<KNearest>(spec); }

}  // namespace gpstream
