// Points as dense as the noise asks.
#ifndef GPSTREAM_LEARN_DENSITY_H
#define GPSTREAM_LEARN_DENSITY_H

#include "../select/point_set.h"
#include "wishes.h"

namespace gpstream {

// Where the choice is the model's own: a row joins when the points leave more of it than a share of the
// noise; a larger share where these rows would use up more than half of the points there may be, so that a
// stream which moves on finds some left. What points so few leave of a row is noise of its own.
inline SelectorPtr dense_enough(const Settings& settings, const Matrix& rows, const SelectorSpec& wished,
                                Checkpoint check) {
  double tol = noise_share, v = settings.kernel->variance(),
         noise = settings.likelihood->noise_variance(settings.noise);
  if (settings.likelihood->fixed())  // the output of which least is noise
    for (const LatentScale& one : settings.others)
      if (one.noise && one.variance / *one.noise > v / noise) v = one.variance, noise = *one.noise;
  const double half = std::max(1.0, std::floor(0.5 * wished.numbers.at("max_points")));
  if (static_cast<double>(rows.rows()) > half) {
    const auto fits = [&] {
      SelectorSpec some = by_noise(tol, wished);
      some.numbers["max_points"] = half;
      PointSet set(settings.kernel, make_selector(some), rows.cols());
      return set.update(rows, check, v, noise) == 0;
    };
    while (tol * noise < v && !fits()) tol *= 3.0;
    if (tol > noise_share) {  // no larger than it need be
      for (double step = std::sqrt(3.0); step > 1.1; step = std::sqrt(step)) {
        tol /= step;
        if (!fits()) tol *= step;
      }
    }
  }
  SelectorSpec out = by_noise(tol, wished);
  if (tol > noise_share) out.words["left"] = "noise";
  return make_selector(out);
}

}  // namespace gpstream

#endif
