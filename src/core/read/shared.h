// The objective of rows that are elsewhere: in shards, each of which sees its own rows under the kernel and
// points it is told of, in batches and in bounded memory, and sends sums, then slopes. Both add up, so that
// the objective is that of all rows in one place.  [derivation 23]
#ifndef GPSTREAM_SHARED_H
#define GPSTREAM_SHARED_H

#include <functional>

#include "gradient.h"

namespace gpstream {

// From where a shard sees its rows. The factor L goes along with the points: whether one of them is refused
// must not depend on the machine.
struct View {
  KernelPtr kernel;
  Basis basis;
  Trend trend;
  double offset;

  Sites sites(const ConstVectorView& y, const Vector& weights) const {
    const Vector centred = y.array() - offset;
    return make_likelihood("gaussian")->sites({centred, weights}, Latent(), 1.0);
  }
  void require_rows(const ConstMatrixView& X, const ConstVectorView& y, const Vector& weights) const {
    require(X.cols() == basis.Z.cols() && kernel->fits(X.cols()) && trend.fits(X.cols()) &&
                y.size() == X.rows() && (weights.size() == 0 || weights.size() == y.size()),
            "dimension", "the rows do not fit the points.");
  }
};

// Forwards: a batch of a shard.
inline void add_rows(const View& view, const ConstMatrixView& X, const ConstVectorView& y,
                     const Vector& weights, Checkpoint check, Evidence& sums) {
  view.require_rows(X, y, weights);
  const Vector centred = y.array() - view.offset, times = Vector::Zero(X.rows());
  const Sites sites = view.sites(y, weights);
  const Matrix told(0, 0);
  settle_first(X.rows(), view.basis, *view.kernel, Rows{X, centred, sites, times, view.trend, told, 0},
               Fading(), std::numeric_limits<double>::infinity(), check, sums);
}

// Backwards: the same batch.
inline void add_slopes(const View& view, const Adjoint& back, const ConstMatrixView& X,
                       const ConstVectorView& y, const Vector& weights, Checkpoint check, RowSlopes& out) {
  view.require_rows(X, y, weights);
  const Sites sites = view.sites(y, weights);
  Matrix A;
  for (Index start = 0; start < X.rows(); start += absorb_block) {
    check();
    const Index count = std::min(absorb_block, X.rows() - start);
    const auto rows = X.middleRows(start, count);
    view.basis.features(*view.kernel, rows, A);
    pull_rows(view.basis, *view.kernel, view.trend, back, rows, sites.middleRows(start, count), A, out);
  }
}

// `sums` and `slopes` ask all shards, and add up what they answer.
class SharedObjective {
 public:
  using Sums = std::function<Evidence(const View&)>;
  using Slopes = std::function<RowSlopes(const View&, const Adjoint&, bool points)>;

  SharedObjective(Trend trend, double offset, Sums sums, Slopes slopes)
      : trend_(std::move(trend)), offset_(offset), sums_(std::move(sums)), slopes_(std::move(slopes)) {}

  Slope operator()(const Place& at, bool points, Checkpoint check) const {
    check();
    std::vector<Index> kept;
    const View view{at.kernel, make_basis(*at.kernel, at.Z, kept), trend_, offset_};
    const Evidence sums = sums_(view);
    require(sums.size() == view.basis.size() && sums.n > 0, "input", "the shards have no rows.");
    Adjoint back;
    Slope out = read_slope(sums, view.basis, *at.kernel, trend_, at.mean - offset_, at.noise,
                           make_likelihood("gaussian")->kappa(), points, back);
    if (!std::isfinite(out.objective)) return out;  // the search goes back: no need to ask again
    const RowSlopes rows = slopes_(view, back, points);
    out.kernel += rows.kernel;
    out.Z = in_their_places(out.Z + rows.Z, kept, at.Z.rows());
    return out;
  }

 private:
  Trend trend_;
  double offset_;
  Sums sums_;
  Slopes slopes_;
};

}  // namespace gpstream

#endif
