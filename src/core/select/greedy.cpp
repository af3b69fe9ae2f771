#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../kernels/diagonal.h"
#include "../kernels/kernel.h"
#include "../linear/linalg.h"
#include "../linear/machine.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "bound_gain.h"
#include "factored.h"
#include "row_features.h"
#include "selector.h"

namespace gpstream {

BoundGain::BoundGain(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X,
                     const ConstVectorView& y, const std::vector<Index>& candidates, double v, double s2)
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

double BoundGain::gain(Index i) const {
  if (!(r_(i) > rank_tolerance * own_(i))) return 0.0;
  const double p = pivot(i), ft = t_.size() > 0 ? R_.row(i).dot(t_) / std::sqrt(r_(i)) : 0.0;
  return 0.5 * (xi_ / p * (ft * ft / s2_) + xi_ * R_.row(i).squaredNorm() / r_(i) - std::log(p));
}

void BoundGain::joined(Index i) {
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

double BoundGain::pivot(Index i) const { return 1.0 + xi_ * std::max(0.0, R_.row(i).dot(T_.row(i)) / r_(i)); }

namespace {

// Greedy choice from a batch, up to m points: at each step the row that gives most.
//   "variance"  the largest residual r(x): pivoted Cholesky of the kernel matrix
//   "bound"     the largest rise of the collapsed objective F of the batch  [Titsias09]
// At most `most` of n rows, evenly spread.
std::vector<Index> evenly_spread(Index n, Index most) {
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

}  // namespace

SelectorPtr make_greedy(const SelectorSpec& spec) { return std::make_shared<Greedy>(spec); }

}  // namespace gpstream
