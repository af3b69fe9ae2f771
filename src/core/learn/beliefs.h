// What is thought of a family's parameters before the rows have spoken, in units of the rows themselves: all
// by their logarithms, but for a shape that has none.
#ifndef GPSTREAM_LEARN_BELIEFS_H
#define GPSTREAM_LEARN_BELIEFS_H

#include <cmath>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

// One number: a normal prior, or one that is narrow with heavy tails (Student's t with 3 degrees of freedom;
// most columns are alike, a few are not), where it may go, and where it starts.
struct Unknown {
  double mean, sd, lower, upper, start;
  bool heavy = false, length = false;

  double log_density(double at, double& slope) const;
};

// Of all of them, but for a constant; its slope is added.
double add_log_density(const std::vector<Unknown>& all, const Vector& theta, Vector& slope);

// Rows differ by about sqrt(D) scales: the lengthscale that makes them neither all alike nor all strangers.
Unknown length_of_all(Index D);
inline Unknown length_of_one() { return {0.0, 0.2, -5.0, 8.0, 0.0, true}; }
inline Unknown gap_to_first() { return {2.0, 1.0, 0.7, 6.0, 2.0}; }
inline Unknown log_variance() { return {0.0, 0.7, std::log(1e-4), std::log(1e3), 0.0}; }
// Any of several that are added up may hardly be there.
inline Unknown log_variance_of_part() { return {0.0, 2.0, std::log(1e-4), std::log(1e3), 0.0}; }
Unknown log_noise();
Unknown log_trend();
// What such an unknown is measured in: where a parameter with many peaks has units, a frequency say, its
// size.
inline double unit_of(const Parameter& p) {
  return p.narrow && !p.log && p.value != 0 ? std::abs(p.value) : 1.0;
}
// From where it is: as far as it can go, or hardly at all where there are many peaks.
Unknown shape_of(const Parameter& p);

}  // namespace gpstream

#endif
