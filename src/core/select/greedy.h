// Greedy choice from a batch, up to m points: at each step the row that gives most.
//   "variance"  the largest residual r(x): pivoted Cholesky of the kernel matrix
//   "bound"     the largest rise of the collapsed objective F of the batch  [Titsias09]
#ifndef GPSTREAM_SELECTORS_GREEDY_H
#define GPSTREAM_SELECTORS_GREEDY_H

#include <algorithm>
#include <vector>

#include "bound_gain.h"
#include "factored.h"
#include "row_features.h"

namespace gpstream {

// At most `most` of n rows, evenly spread.
inline std::vector<Index> evenly_spread(Index n, Index most) {
  std::vector<Index> rows(static_cast<std::size_t>(std::min(n, most)));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Index>(i) * n / std::min(n, most);
  return rows;
}

class Greedy final : public Selector {
 public:
  explicit Greedy(SelectorSpec spec)
      : Selector(std::move(spec)), m_(wanted()), by_bound_(word("criterion") == "bound") {
    require(by_bound_ || word("criterion") == "variance", "parameter",
            "`criterion` must be \"bound\" or \"variance\".");
  }

  Index select(const Batch& batch, Points& points, Checkpoint check) const override {
    if (!full(points) && batch.X.rows() > 0)
      by_bound_ ? select_by_bound(batch, points, check) : select_by_variance(batch, points, check);
    return batch.X.rows();
  }

 private:
  // Rows of a batch that are looked at; by the bound, more are where more points are lacking.
  static constexpr Index most_rows = 10000, most_judged = 1000, most_candidates = 200;

  bool full(const Points& points) const { return static_cast<double>(points.points().rows()) >= m_; }

  void select_by_variance(const Batch& batch, Points& points, Checkpoint check) const {
    const std::vector<Index> rows = evenly_spread(batch.X.rows(), most_rows);
    const Matrix X = some_rows(batch.X, rows);
    RowFeatures features(Factored(points).basis(), points.kernel(), X);
    while (!full(points)) {
      check();
      const Index i = features.most_left(rank_tolerance);
      if (i < 0) return;
      if (points.join(X.middleRows(i, 1), rows[static_cast<std::size_t>(i)]))
        features.extend(points.kernel(), X, i, 0);
      else
        features.spend(i);
    }
  }

  void select_by_bound(const Batch& batch, Points& points, Checkpoint check) const {
    const Index lacking = static_cast<Index>(m_) - points.points().rows();
    const std::vector<Index> rows = evenly_spread(batch.X.rows(), std::max(lacking, Index(most_judged)));
    const Index tried = std::max(lacking, Index(most_candidates));
    const std::vector<Index> candidates = evenly_spread(static_cast<Index>(rows.size()), tried);
    const Matrix X = some_rows(batch.X, rows), y = some_rows(batch.y, rows);
    BoundGain F(Factored(points).basis(), points.kernel(), X, Vector(y), candidates, batch.v, batch.s2);
    while (!full(points)) {
      check();
      std::size_t best = 0;
      double most = 0.0;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const double gain = F.gain(static_cast<Index>(i));
        if (gain > most) {
          most = gain;
          best = i;
        }
      }
      if (most == 0.0) return;
      const Index at = candidates[best];
      if (points.join(X.middleRows(at, 1), rows[static_cast<std::size_t>(at)]))
        F.joined(static_cast<Index>(best));
      else
        F.spend(static_cast<Index>(best));
    }
  }

  // Empty when A is.
  template <class Values>
  static Matrix some_rows(const Values& A, const std::vector<Index>& rows) {
    Matrix out(A.rows() == 0 ? 0 : static_cast<Index>(rows.size()), A.cols());
    for (Index i = 0; i < out.rows(); ++i) out.row(i) = A.row(rows[static_cast<std::size_t>(i)]);
    return out;
  }

  double m_;
  bool by_bound_;
};

}  // namespace gpstream

#endif
