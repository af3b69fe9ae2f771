// Quantiles: where a distribution function crosses a level. It is measured by its normal score, the z with
// the same probability below, which is nearly a straight line where the distribution is nearly normal and
// keeps the digits of both tails.
#ifndef GPSTREAM_CROSSING_H
#define GPSTREAM_CROSSING_H

#include <algorithm>
#include <cmath>

#include "special.h"

namespace gpstream {

double normal_score(const Tails& at);

// Where an increasing function is `target`: steps that double until it is between two places, then between
// them false position, where an end that stays counts half (the Illinois rule), or the middle.
template <class Score>
double crossing(const Score& score, double target, double start, double step) {
  step = std::max(step, 4e-16 * std::abs(start));
  double low = start, high = start, at_low = score(start) - target, at_high = at_low;
  for (int i = 0; at_low > 0 && i < 1100; ++i, step *= 2.0) {
    high = low, at_high = at_low;
    at_low = score(low -= step) - target;
  }
  for (int i = 0; at_high < 0 && i < 1100; ++i, step *= 2.0) {
    low = high, at_low = at_high;
    at_high = score(high += step) - target;
  }
  int side = 0;
  for (int i = 0; i < 200 && at_low < 0 && at_high > 0; ++i) {
    const double width = high - low, near = 1e-14 * (std::abs(low) + std::abs(high));
    if (width <= near) break;
    const double x = i % 4 == 3 ? 0.5 * (low + high) : low - at_low * width / (at_high - at_low);
    const double at = score(x) - target;
    if (std::abs(at) <= 1e-15 * (1.0 + std::abs(target))) return x;
    const int now = at < 0 ? -1 : 1;
    if (now == side) (at < 0 ? at_high : at_low) *= 0.5;
    (at < 0 ? low : high) = x;
    (at < 0 ? at_low : at_high) = at;
    side = now;
  }
  return 0.5 * (low + high);
}

// The smallest whole number, from 0, with a probability of at least p not to be exceeded. Steps away from the
// start double; then the middle is that of the logarithms, where the numbers differ by orders. Beyond 2^53
// they are as far apart as numbers are.
template <class Probability>
double count_crossing(const Probability& below, double p, double start) {
  start = std::floor(std::max(0.0, std::min(start, 1e300)));
  double low = -1.0, high = start, step = std::max(1.0, std::floor(1e-15 * start));
  if (below(start) >= p) {
    for (double x = start - step; x >= 0; x = high - step) {
      if (below(x) < p) {
        low = x;
        break;
      }
      high = x;
      step *= 4.0;
    }
  } else {
    for (low = start; high < 1e300; step *= 4.0) {
      high = low + step;
      if (!(below(high) < p)) break;
      low = high;
    }
  }
  while (high - low > 1.0) {
    const double middle =
        std::floor(high > 8.0 * (low + 2.0) ? std::sqrt(low + 2.0) * std::sqrt(high) : 0.5 * (low + high));
    if (middle <= low || middle >= high) break;
    (below(middle) >= p ? high : low) = middle;
  }
  return high;
}

}  // namespace gpstream

#endif
