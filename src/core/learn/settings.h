// What rows say of everything that was left open: the settings of a model.
#ifndef GPSTREAM_LEARN_SETTINGS_H
#define GPSTREAM_LEARN_SETTINGS_H

#include "compete.h"
#include "density.h"
#include "moments.h"
#include "periods.h"

namespace gpstream {

// Families of kernels to choose from: where the kernel is given, that one.
inline std::vector<Family> families_of(const Wishes& wishes, const Sample& rows, bool few) {
  if (!wishes.any_kernel) return families_of(wishes.kernel, rows, few);
  std::vector<Family> out = default_families();
  if (few) out.resize(2);  // so few rows cannot tell more of them apart
  return out;
}

inline LearnedKernel learned_kernel(const Wishes& wishes, const Moments& columns, const Sample& few,
                                    const Sample& more, const std::map<std::string, Vector>& last, bool young,
                                    Checkpoint check, const std::optional<OutputUnits>& units = {}) {
  require_spread_of_columns(few.X);
  LearnStages stages;
  if (young) stages.top = 1;
  const LearnGiven given{wishes.noise,
                         wishes.mean,
                         wishes.slopes != Wishes::flat,
                         wishes.slopes == Wishes::wide,
                         wishes.trend_columns,
                         units,
                         wishes.noises,
                         wishes.means};
  return learn_exactly(families_of(wishes, more.size() > few.size() ? more : few, young), few, more,
                       {columns.mean(), columns.scale(), wishes.groups}, given, last, stages, check);
}

// `rows` are those that the model will be fed with.
inline Settings settings_from(const LearnedKernel& found, const Wishes& wishes, const Moments& columns,
                              const Sample& rows, Checkpoint check) {
  Settings out;
  out.kernel = make_kernel(found.kernel);
  out.noise = found.noise;
  out.mean = found.centre;
  out.likelihood = wishes.likelihood;
  out.lookback = wishes.lookback;
  set_forgetting(wishes, out);
  const double v = found.kernel.variance;
  const std::vector<Index> untold = untold_columns(wishes, found.kernel, columns);
  const auto trend = [&](const auto& one, double variance) {
    Trend all = trend_in(wishes, columns, one.constant / variance, one.trend / variance);
    return with_untold(std::move(all), untold, columns, one.spread / variance);
  };
  out.trend = trend(found, v);
  for (const LearnedOutput& one : found.others)
    out.others.push_back({one.variance, one.centre, one.noise, trend(one, one.variance).ratio});
  out.selector =
      wishes.any_rho ? dense_enough(out, rows.X, wishes.select, check) : make_selector(wishes.select);
  return out;
}

}  // namespace gpstream

#endif
