// A uniform grid over the bounding box of the stream, q points along each axis with q the largest that keeps
// q^D <= m. When a batch leaves the box, the whole grid is laid anew. The box is that of the present points,
// which span it exactly.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

namespace {

class Grid final : public Selector {
 public:
  explicit Grid(SelectorSpec spec) : Selector(std::move(spec)), m_(wanted()) {}

  std::optional<Matrix> relocate(const Batch& batch, const Points& points) const override {
    if (batch.X.rows() == 0) return std::nullopt;
    RowVector low = batch.X.colwise().minCoeff(), high = batch.X.colwise().maxCoeff();
    const ConstMatrixView Z = points.points();
    if (Z.rows() > 0) {
      const RowVector from = Z.colwise().minCoeff(), to = Z.colwise().maxCoeff();
      if ((low.array() >= from.array()).all() && (high.array() <= to.array()).all()) return std::nullopt;
      low = low.cwiseMin(from);
      high = high.cwiseMax(to);
    }
    return laid(low, high, per_axis(low.size()));
  }

  Index select(const Batch& batch, Points&, Checkpoint) const override { return batch.X.rows(); }

 private:
  Index per_axis(Index D) const {
    const double columns = static_cast<double>(D);
    double q = std::round(std::pow(m_, 1.0 / columns));
    if (std::pow(q, columns) > m_) q -= 1.0;
    const std::string count = std::to_string(D), what = D == 1 ? " column." : " columns.";
    require(q >= 2, "parameter", "`m` must be at least 2^" + count + " for a grid over " + count + what);
    return static_cast<Index>(q);
  }

  // An axis without extent has one coordinate. The two far corners come first: whichever points a model
  // refuses, those it has span the box.
  static Matrix laid(const RowVector& low, const RowVector& high, Index q) {
    const Index D = low.size();
    Index total = 1;
    for (Index d = 0; d < D; ++d) total *= low(d) < high(d) ? q : 1;
    Matrix Z(total, D);
    for (Index i = 0; i < total; ++i) {
      Index rest = i;
      for (Index d = 0; d < D; ++d) {
        const bool extended = low(d) < high(d);
        Z(i, d) = extended ? coordinate(low(d), high(d), rest % q, q) : low(d);
        if (extended) rest /= q;
      }
    }
    if (total > 2) Z.row(1).swap(Z.row(total - 1));
    return Z;
  }

  // The k-th of q from low to high, both ends exactly.
  static double coordinate(double low, double high, Index k, Index q) {
    if (k == q - 1) return high;
    const double t = static_cast<double>(k) / static_cast<double>(q - 1);
    return std::min(high, std::max(low, (1.0 - t) * low + t * high));
  }

  double m_;
};

}  // namespace

SelectorPtr make_grid(const SelectorSpec& spec) { return std::make_shared<Grid>(spec); }

}  // namespace gpstream
