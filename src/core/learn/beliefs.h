// What is thought of a family's parameters before the rows have spoken, in units of the rows themselves: all
// by their logarithms, but for a shape that has none.
#ifndef GPSTREAM_LEARN_BELIEFS_H
#define GPSTREAM_LEARN_BELIEFS_H

#include <cmath>

#include "../kernels/kernel.h"

namespace gpstream {

// One number: a normal prior, or one that is narrow with heavy tails (Student's t with 3 degrees of freedom;
// most columns are alike, a few are not), where it may go, and where it starts.
struct Unknown {
  double mean, sd, lower, upper, start;
  bool heavy = false, length = false;

  double log_density(double at, double& slope) const {
    const double away = (at - mean) / sd;
    slope = heavy ? -4.0 * away / (3.0 + away * away) / sd : -away / sd;
    return heavy ? -2.0 * std::log1p(away * away / 3.0) : -0.5 * away * away;
  }
};

// Of all of them, but for a constant; its slope is added.
inline double add_log_density(const std::vector<Unknown>& all, const Vector& theta, Vector& slope) {
  double sum = 0.0, own = 0.0;
  for (Index i = 0; i < theta.size(); ++i) {
    sum += all[static_cast<std::size_t>(i)].log_density(theta(i), own);
    slope(i) += own;
  }
  return sum;
}

// Rows differ by about sqrt(D) scales: the lengthscale that makes them neither all alike nor all strangers.
inline Unknown length_of_all(Index D) {
  const double middle = 0.5 * std::log(static_cast<double>(D));
  return {middle, 2.0, std::log(0.01), std::log(300.0), middle, false, true};
}
inline Unknown length_of_one() { return {0.0, 0.2, -5.0, 8.0, 0.0, true}; }
inline Unknown gap_to_first() { return {2.0, 1.0, 0.7, 6.0, 2.0}; }
inline Unknown log_variance() { return {0.0, 0.7, std::log(1e-4), std::log(1e3), 0.0}; }
// Any of several that are added up may hardly be there.
inline Unknown log_variance_of_part() { return {0.0, 2.0, std::log(1e-4), std::log(1e3), 0.0}; }
inline Unknown log_noise() { return {std::log(0.05), 3.0, std::log(1e-6), std::log(4.0), std::log(0.1)}; }
inline Unknown log_trend() { return {std::log(0.1), 2.0, std::log(1e-6), std::log(1e3), std::log(0.1)}; }
// What such an unknown is measured in: where a parameter with many peaks has units, a frequency say, its size.
inline double unit_of(const Parameter& p) {
  return p.narrow && !p.log && p.value != 0 ? std::abs(p.value) : 1.0;
}
// From where it is: as far as it can go, or hardly at all where there are many peaks.
inline Unknown shape_of(const Parameter& p) {
  if (p.narrow) {
    return {0.0, 0.1, -0.3, 0.3, 0.0};
  }
  const auto from_here = [&](double to) { return p.log ? std::log(to / p.value) : to - p.value; };
  return {0.0, 1.5, from_here(p.lower), from_here(p.upper), 0.0};
}

}  // namespace gpstream

#endif
