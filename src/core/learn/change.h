// What learning does to a model: other scale, kernel or points where the bound is higher for it. Each works
// on a model that takes the old one's place at the end, so that a search that is stopped changes nothing.
#ifndef GPSTREAM_LEARN_CHANGE_H
#define GPSTREAM_LEARN_CHANGE_H

#include "../select/point_set.h"
#include "scale.h"
#include "search.h"
#include "wishes.h"

namespace gpstream {

// The model once the points of the batch have joined; once its rows have been absorbed, too. No batch:
// nothing is ahead.
inline StreamingGP with_points(StreamingGP model, const Sample& batch, Checkpoint check) {
  if (batch.size() > 0) model.grow(batch.X, batch.y, check);
  return model;
}
inline StreamingGP with_rows(StreamingGP ahead, const Sample& batch, Checkpoint check) {
  if (batch.size() > 0) ahead.absorb(batch.X, batch.y, check, batch.weights, batch.told);
  return ahead;
}

// Is a value of the bound above that of the model as it is, by more than rounding?
inline bool rises(double value, const StreamingGP& ahead, const Sample& batch, double gain,
                  Checkpoint check) {
  const double before = with_rows(ahead, batch, check).objective();
  return value > before + std::max(gain, 1e-8 * std::abs(before));
}

inline ScaleSums scale_sums(const StreamingGP& model) {
  const State& state = model.state();
  const Totals sums = model.totals();
  const Spectrum parts = spectrum(total_P(state.settled, state.open, state.trend), sums, state.trend);
  return {parts.lambda, parts.g,  parts.q.col(0), sums.n,       sums.Phi(0, 0),           sums.s(0),
          sums.yy,      sums.tau, sums.con,       state.offset, state.likelihood->kappa()};
}

// The best scale, from the evidence of `after`, becomes that of the model. A constant that is integrated out
// leaves no mean to learn.
inline BestScale learn_scale(StreamingGP& model, const StreamingGP& after, ScaleOpen open, bool quiet) {
  open.mean = open.mean && model.state().trend.ratio(0) == 0;
  const BestScale best =
      learned_scale(scale_sums(after), {model.v(), model.s2(), model.state().mean}, open, quiet);
  const double before = model.v();
  model.set_scale(best.scale.variance, best.scale.noise, best.scale.mean);
  // of columns that have no spread the rows tell nothing, of how uncertain their effects are neither
  Vector ratio = model.state().trend.ratio;
  if (ratio.size() > 1 && model.v() != before) {
    const Vector said = after.totals().Phi.diagonal();
    for (Index j = 1; j < ratio.size(); ++j)
      if (said(j) == 0) ratio(j) *= before / model.v();
    model.set_trend(ratio);
  }
  return best;
}
inline ScaleOpen open_scale(const Wishes& wishes) {
  return {open_amplitude(wishes.kernel), !wishes.noise && wishes.likelihood->kappa() > 0, !wishes.mean};
}

// The points, and those that the rows at hand would add if lengthscales were halved: with points as far apart
// as the present kernel wants them, no shorter lengthscale could show its worth.
inline Matrix closer_points(const KernelSpec& now, const Selector& selector, const Wishes& wishes,
                            const Matrix& points, const Matrix& rows, Checkpoint check) {
  if (selector.spec().numbers.count("max_points") == 0) return points;
  const KernelPtr shorter = make_kernel(stretched(now, wishes.kernel, 0.5, 1.0));
  SelectorSpec alone = selector.spec();
  alone.numbers.erase("support");  // the points had it when they joined
  PointSet set(shorter, make_selector(alone), points.cols());
  set.update(points, check);
  PointSet more(shorter, make_selector(selector.spec()), set.points(), set.index(), set.seen());
  more.update(rows, check);
  return more.points();
}

// How far a search for the kernel goes.
struct Reach {
  int steps;
  double far = std::numeric_limits<double>::infinity();  // of each log parameter
  double gain = 0.0;                                     // by how much the bound must rise
  std::vector<double> starts = {1.0};                    // factors of the lengthscales
};

// Learn what is open of the kernel, with the noise; the model takes over the best that is found from the
// starts where the bound rises. Did it?
inline bool learn_kernel(StreamingGP& model, const StreamingGP& ahead, const Sample& batch,
                         const Wishes& wishes, const Reach& reach, Checkpoint check) {
  const Sample part = std::isfinite(reach.far) ? part_of(batch, 2000) : batch;  // where time matters
  const Objective F(ahead, part.X, part.y, part.weights);
  const Matrix rows = both(open_rows(ahead), part).X, points = ahead.points();
  const KernelSpec now = ahead.kernel().spec();
  FoundKernel best;
  for (const double start : reach.starts) {
    const KernelSpec from = stretched(now, wishes.kernel, start, 1.0);
    const Matrix near = closer_points(from, *ahead.state().selector, wishes, points, rows, check);
    Matrix all(near.rows() + rows.rows(), rows.cols());
    all << near, rows;
    const FoundKernel found =
        search_kernel(std::cref(F), near, {from, ahead.s2(), ahead.state().mean},
                      open_to_learn(wishes.kernel, !wishes.noise, now),
                      trust_region(search_range(from, all), from, reach.far), reach.steps, nullptr, check);
    StreamingGP moved = model;
    moved.rebase(make_kernel(found.kernel), Matrix(model.points()));
    moved.set_scale(found.kernel.variance, found.noise, found.mean);
    const double value = with_rows(with_points(std::move(moved), batch, check), batch, check).objective();
    if (value > best.objective) best = {found.kernel, found.noise, found.mean, value};
  }
  if (!rises(best.objective, ahead, batch, reach.gain, check)) return false;
  model.rebase(make_kernel(best.kernel), Matrix(model.points()));
  model.set_scale(best.kernel.variance, best.noise, best.mean);
  return true;
}

// Move the points, those of the batch included, to where the bound is higher.
inline bool learn_points(StreamingGP& model, const StreamingGP& ahead, const Sample& batch, int steps,
                         Checkpoint check) {
  if (ahead.size() == 0) return false;
  const Objective F(ahead, batch.X, batch.y, batch.weights);
  const Found found = search_points(std::cref(F), ahead, both(open_rows(ahead), batch).X, steps, check);
  if (!rises(found.value, ahead, batch, 0.0, check)) return false;
  model.rebase(ahead.state().kernel,
               Eigen::Map<const Matrix>(found.at.data(), ahead.size(), ahead.columns()));
  return true;
}

}  // namespace gpstream

#endif
