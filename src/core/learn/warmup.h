// Start-up. While the lengthscale is being found, every row is kept (the look-back is unlimited) and the
// model is made anew from all of them whenever there are half as many again; when `warmup` rows have come it
// is made a last time, with the user's look-back, and the rows go.
#ifndef GPSTREAM_LEARN_WARMUP_H
#define GPSTREAM_LEARN_WARMUP_H

#include "change.h"

namespace gpstream {

// Points that leave less of the prior variance of every row unexplained than a hundredth of the noise, so
// that the bound is as good as exact; none where that takes too many.
inline std::optional<Matrix> tight_points(const FoundKernel& found, const Matrix& X, Checkpoint check,
                                          double most = 300) {
  const double tol = std::min(0.01 * found.noise / found.kernel.variance, 0.5);
  PointSet set(make_kernel(found.kernel),
               make_selector({"variance", {{"tol", tol}, {"max_points", most}}, Matrix()}), X.cols());
  if (set.update(X, check) > 0) return std::nullopt;
  return Matrix(set.points());
}

// Kernel and noise that make the rows most probable (with a weak prior): exactly so for at most 200 of them,
// from a few starts, the heuristics, twice, half and a fifth of their lengthscale, and the best of some that
// are far shorter; then, where there are more, for those.
inline Settings learned_settings(const Wishes& wishes, const Sample& rows, Checkpoint check) {
  Settings settings = settings_for(wishes, rows.X, rows.y);
  if (!(rows.y.maxCoeff() > rows.y.minCoeff())) return settings;
  const KernelSpec heuristic = settings.kernel->spec();
  const OpenToLearn open = open_to_learn(wishes.kernel, !wishes.noise, heuristic);
  const SearchPrior prior = search_prior(heuristic, settings.noise, open);
  const StreamingGP empty(settings, rows.X.cols());
  const Sample few = part_of(rows, 200);
  const Objective F(empty, few.X, few.y, few.weights);
  const Box range = search_range(heuristic, few.X);
  const auto from = [&](const KernelSpec& kernel, double noise, int steps) {
    return search_kernel(F, few.X, {kernel, noise, settings.mean}, open, range, steps, &prior, check);
  };
  const auto best_of = [&](const std::vector<double>& factors, int steps) {
    std::pair<double, FoundKernel> best{factors.front(), {heuristic, settings.noise, settings.mean}};
    for (const double factor : factors) {
      const FoundKernel found = from(stretched(heuristic, wishes.kernel, factor), settings.noise, steps);
      if (found.objective > best.second.objective) best = {factor, found};
    }
    return best;
  };
  const double shorter = best_of({0.08, 0.03, 0.012}, 0).first;
  FoundKernel best = best_of({1.0, 0.5, 2.0, 0.2, shorter}, 8).second;
  best = from(best.kernel, best.noise, 100);
  const Sample more = part_of(rows, std::max<Index>(wishes.warmup, 500));
  if (more.size() > few.size())
    if (const std::optional<Matrix> points = tight_points(best, more.X, check))
      best = search_kernel(Objective(empty, more.X, more.y, more.weights), *points, best, open,
                           search_range(heuristic, more.X), 100, &prior, check);
  settings.kernel = make_kernel(best.kernel);
  settings.noise = best.noise;
  return settings;
}

// OIPS with the lowest rho at which the points leave less of the prior variance unexplained than a hundredth
// of the noise; but not so many points that three quarters of the rows are.
inline SelectorPtr close_enough(Settings settings, const Sample& rows, Checkpoint check) {
  const Sample some = part_of(rows, 500);
  SelectorPtr chosen = settings.selector;
  for (const double rho : {0.8, 0.9, 0.95, 0.98, 0.99, 0.995}) {
    SelectorSpec spec = settings.selector->spec();
    spec.numbers["rho"] = rho;
    settings.selector = make_selector(spec);
    StreamingGP trial(settings, rows.X.cols());
    trial.update(some.X, some.y, check);
    if (rho > 0.8 && static_cast<double>(trial.size()) > 0.75 * some.count()) break;
    chosen = settings.selector;
    if (trial.v() * trial.tau() / some.count() <= 0.01 * settings.noise) break;
  }
  return chosen;
}

// The model after one more batch of a warm-up; none there is before the first. `rows` are all rows so far.
inline StreamingGP warmed_up(const StreamingGP* before, const Sample& rows, const Wishes& wishes,
                             Checkpoint check) {
  const double n = rows.count();
  const bool over = rows.size() >= wishes.warmup;
  Settings settings =
      n < few_rows ? settings_for(wishes, rows.X, rows.y) : learned_settings(wishes, rows, check);
  if (wishes.any_rho && n >= few_rows) settings.selector = close_enough(settings, rows, check);
  if (!over) settings.lookback = unlimited;
  StreamingGP model(settings, rows.X.cols());
  if (before) model.set_history(before->state().history);
  model.set_learning({true, !over, n, online_rows, n, 0.0});
  return model;
}

}  // namespace gpstream

#endif
