// The standard normal distribution, without R: exact to rounding in both tails.
#ifndef GPSTREAM_NORMAL_H
#define GPSTREAM_NORMAL_H

#include <cmath>
#include <limits>

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
inline LogNormalProbability log_normal_slopes(double z) {
  if (z < -10) {
    double rest = -z;
    for (int i = 40; i >= 2; --i) rest = -z + i / rest;
    const double slope = -z + 1.0 / rest;
    return {normal_log_density(z) - std::log(slope), slope, slope / rest};
  }
  const double p = normal_probability(z), slope = normal_density(z) / p;
  return {z > 0 ? std::log1p(-normal_probability(-z)) : std::log(p), slope, slope * (z + slope)};
}
inline double log_normal_probability(double z) {
  if (z < -10) return log_normal_slopes(z).value;
  return z > 0 ? std::log1p(-normal_probability(-z)) : std::log(normal_probability(z));
}

// The z with P(Z <= z) = p. A start that is right to 4.5e-4 [Abramowitz and Stegun 1964, 26.2.23], then steps
// of Halley's method, each of which triples the digits. Near the middle P is measured from 1/2 and in the
// lower tail from 0, so that the digits of z are those of p.
inline double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -std::numeric_limits<double>::infinity();
  if (p > 0.5) return -normal_quantile(1 - p);  // exact: p is at most twice as far from 0 as 1 is
  const double from_half = p - 0.5;
  if (from_half == 0) return 0;
  const bool middle = from_half > -0.25;
  const double t = std::sqrt(-2 * std::log(p));
  double z =
      (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int step = 0; step < 6; ++step) {
    const double excess = middle ? 0.5 * std::erf(z / sqrt_2) - from_half : normal_probability(z) - p;
    const double newton = excess / normal_density(z);
    const double change = newton / (1 + 0.5 * z * newton);
    z -= change;
    if (std::abs(change) <= 1e-9 * std::abs(z)) break;  // the next one would be below rounding
  }
  return z;
}

}  // namespace gpstream

#endif
