// The standard normal distribution, without R: exact to rounding in both tails.
#ifndef GPSTREAM_NORMAL_H
#define GPSTREAM_NORMAL_H

#include <cmath>

namespace gpstream {

constexpr double sqrt_2 = 1.41421356237309504880;
constexpr double sqrt_pi = 1.77245385090551602730;
constexpr double sqrt_2_pi = sqrt_2 * sqrt_pi;
constexpr double log_sqrt_2_pi = 0.91893853320467274178;

inline double normal_density(double z) { return std::exp(-0.5 * z * z) / sqrt_2_pi; }
inline double normal_log_density(double z) { return -0.5 * z * z - log_sqrt_2_pi; }

// P(Z <= z). The upper tail is normal_probability(-z): 1 - P would lose it.
inline double normal_probability(double z) { return 0.5 * std::erfc(-z / sqrt_2); }

// log P(Z <= z), its slope phi(z) / P, and minus the slope of that, in (0, 1). Far out, 1 / slope is a
// continued fraction  [Abramowitz and Stegun 1964, 26.2.14], from which the difference z + slope is read off.
struct LogNormalProbability {
  double value, slope, curvature;
};
LogNormalProbability log_normal_slopes(double z);
double log_normal_probability(double z);

// The z with P(Z <= z) = p. A start that is right to 4.5e-4 [Abramowitz and Stegun 1964, 26.2.23], then steps
// of Halley's method, each of which triples the digits. Near the middle P is measured from 1/2 and in the
// lower tail from 0, so that the digits of z are those of p.
double normal_quantile(double p);

}  // namespace gpstream

#endif
