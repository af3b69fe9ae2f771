// Functions of the gamma family, without R and safe in threads (std::lgamma writes a global): log Gamma, and
// both tails of the logarithm of a gamma variable and of the logit of a beta variable. These are the
// distribution functions of counts, trials and waiting times as functions of f.  [derivation 20]
#ifndef GPSTREAM_SPECIAL_H
#define GPSTREAM_SPECIAL_H

#include <cmath>

#include "normal.h"

namespace gpstream {

// For x > 0; Gamma(x) = Gamma(x + 1) / x carries small ones up.
double log_gamma(double x);

double log_choose(double n, double k);

// What Stirling's formula leaves out, for x > 0: never a difference of large numbers.
double stirling_rest(double x);

// log of choose(n, k) p^k q^m, n = k + m, at p = k / n, q = m / n, and of k^k e^-k / k!; k and m positive.
double log_most_likely(double k, double m);
inline double log_most_likely(double k) { return -stirling_rest(k) - 0.5 * std::log(k) - log_sqrt_2_pi; }

// P(L <= x) and P(L > x), each with the digits of its own.
struct Tails {
  double below, above;
};

// e^d - 1 - d and v - log(1 + v), both of the size of a square: near 0 by their series, where the differences
// would leave nothing.
double exp_excess(double d);

// How far exp(a x - N log(1 + e^x)) is, at d from x0, below its tangent there, in logarithms and by N; p
// and q are the logistic function of x0 and of -x0. Nothing cancels: r + o = 1.
double logistic_fall(double d, double p, double q);

// L = log G, G ~ Gamma(a). `front` is the density of L at x, by its fall from the mode log a; a series below
// the mode, a continued fraction above, both of some sqrt(a) terms.
// [Abramowitz and Stegun 1964, 6.5.29, 6.5.31]
Tails log_gamma_tails(double a, double x);

// L = log(B / (1 - B)), B ~ Beta(a, b).
Tails logit_beta_tails(double a, double b, double x);

}  // namespace gpstream

#endif
