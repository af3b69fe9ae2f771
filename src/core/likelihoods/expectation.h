// Expectations under a normal distribution by the trapezoidal rule, which for functions that are analytic in
// a strip about the real line converges faster than any power of the step.  [derivation 20]
//   E fn(f) = sum_j w_j fn(m + s z_j)     z_j = j h, |z_j| <= 8     h = min(1/2, 0.23 width / s)
// `width`: how far from the real line the nearest singularity of fn is.
#ifndef GPSTREAM_EXPECTATION_H
#define GPSTREAM_EXPECTATION_H

#include <algorithm>
#include <cmath>

#include "normal.h"

namespace gpstream {

constexpr double logistic_width = 3.14159265358979323846, log_normal_width = 2.8;

// each(f, w): a node and its weight; the weights add up to 1.
template <class Each>
void at_nodes(double m, double s2, double width, const Each& each) {
  const double s = std::sqrt(s2);
  if (!(s > 0)) return each(m, 1.0);
  const double h = std::max(std::min(0.5, 0.23 * width / s), 1e-3);
  const int J = static_cast<int>(std::ceil(8.0 / h));
  const double middle = h / sqrt_2_pi;  // by the same rule, to 1e-15
  each(m, middle);
  for (int j = 1; j <= J; ++j) {
    const double z = j * h, weight = middle * std::exp(-0.5 * z * z);
    each(m + s * z, weight);
    each(m - s * z, weight);
  }
}

template <class Function>
double expectation(double m, double s2, double width, const Function& fn) {
  double sum = 0.0;
  at_nodes(m, s2, width, [&](double f, double weight) { sum += weight * fn(f); });
  return sum;
}

// The logistic function, its slope, and log(1 + e^f), without overflow or lost digits.
double sigmoid(double f);
inline double softplus(double f) { return std::max(f, 0.0) + std::log1p(std::exp(-std::abs(f))); }

// Of f ~ N(m, s2): E log(1 + e^f), E sigma(f), E sigma(f) (1 - sigma(f)).
struct LogisticMoments {
  double softplus = 0.0, sigmoid = 0.0, slope = 0.0;
};
LogisticMoments logistic_moments(double m, double s2);

}  // namespace gpstream

#endif
