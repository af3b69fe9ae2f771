// Functions of the gamma family, without R and safe in threads (std::lgamma writes a global): log Gamma, and
// both tails of the logarithm of a gamma variable and of the logit of a beta variable. These are the
// distribution functions of counts, trials and waiting times as functions of f.  [derivation 20]
#ifndef GPSTREAM_SPECIAL_H
#define GPSTREAM_SPECIAL_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "normal.h"

namespace gpstream {

// Stirling's series: log Gamma(x) - (x - 1/2) log x + x - log sqrt(2 pi), for x >= 10.
inline double stirling_series(double x) {
  const double r = 1.0 / x, t = r * r;
  return r * (1.0 / 12 -
              t * (1.0 / 360 -
                   t * (1.0 / 1260 -
                        t * (1.0 / 1680 - t * (1.0 / 1188 - t * (691.0 / 360360 - t * (1.0 / 156)))))));
}

// For x > 0; Gamma(x) = Gamma(x + 1) / x carries small ones up.
inline double log_gamma(double x) {
  double product = 1.0;
  for (; x < 10; ++x) product *= x;
  return (x - 0.5) * std::log(x) - x + log_sqrt_2_pi + stirling_series(x) - std::log(product);
}

inline double log_choose(double n, double k) {
  return log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0);
}

// What Stirling's formula leaves out, for x > 0: never a difference of large numbers.
inline double stirling_rest(double x) {
  double sum = 0.0;
  for (; x < 10; ++x) sum += (x + 0.5) * std::log1p(1.0 / x) - 1.0;
  return sum + stirling_series(x);
}

// P(L <= x) and P(L > x), each with the digits of its own.
struct Tails {
  double below, above;
};
inline Tails from_below(double p) { return {std::min(p, 1.0), std::max(1.0 - p, 0.0)}; }
inline Tails from_above(double p) { return {std::max(1.0 - p, 0.0), std::min(p, 1.0)}; }

// How far exp(a x - N log(1 + e^x)) is, at d from x0, below its tangent there, in logarithms and by N; p
// and q are the logistic function of x0 and of -x0. Nothing cancels: r + o = 1.
inline double logistic_fall(double d, double p, double q) {
  const double r = d > 0 ? q : p, o = d > 0 ? p : q;
  d = std::abs(d);
  if (r <= 0.5) return r * d + std::log1p(r * std::expm1(-d));
  if (d < 700) return std::log1p(o * std::expm1(d)) - o * d;
  return o > 0 ? r * d + std::log(o) : 0.0;
}

// Continued fractions by the modified method of Lentz: from the first denominator, and a(i), b(i).
template <class Numerator, class Denominator>
double continued_fraction(double first, const Numerator& a, const Denominator& b) {
  const double tiny = 1e-300;
  double C = std::abs(first) < tiny ? tiny : first, D = 1.0 / C, f = D;
  C = 1.0 / tiny;
  for (int i = 1; i < 10000000; ++i) {
    const double ai = a(i), bi = b(i);
    D = bi + ai * D;
    C = bi + ai / C;
    D = 1.0 / (std::abs(D) < tiny ? tiny : D);
    if (std::abs(C) < tiny) C = tiny;
    f *= C * D;
    if (std::abs(C * D - 1.0) < 2e-16) break;
  }
  return f;
}

// L = log G, G ~ Gamma(a). `front` is the density of L at x, by its fall from the mode log a; a series below
// the mode, a continued fraction above.  [Abramowitz and Stegun 1964, 6.5.29, 6.5.31]
inline Tails log_gamma_tails(double a, double x) {
  const double d = x - std::log(a);
  const double front = std::sqrt(a) / sqrt_2_pi * std::exp(-a * (std::expm1(d) - d) - stirling_rest(a));
  const double X = std::exp(x);
  if (!(X > a + 1.0)) {
    double term = 1.0 / a, sum = term;
    for (double n = a + 1.0; front > 0 && term > 1e-17 * sum; ++n) sum += term *= X / n;
    return from_below(front * sum);
  }
  if (!(front > 0)) return {1.0, 0.0};
  return from_above(front * continued_fraction(
                                X + 1.0 - a, [&](double i) { return i * (a - i); },
                                [&](double i) { return X + 2.0 * i + 1.0 - a; }));
}

// The continued fraction of I_x(a, b) over x^a (1 - x)^b / (a B(a, b)).  [the same, 26.5.8]
inline double beta_fraction(double a, double b, double x) {
  return continued_fraction(
      1.0,
      [&](int i) {
        const double m = i / 2;
        return i % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                     : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      },
      [](int) { return 1.0; });
}

// L = log(B / (1 - B)), B ~ Beta(a, b).
inline Tails logit_beta_tails(double a, double b, double x) {
  const double n = a + b, d = x - std::log(a / b), e = std::exp(-std::abs(x));
  const double p = (x > 0 ? 1.0 : e) / (1.0 + e), q = (x > 0 ? e : 1.0) / (1.0 + e);
  const double front =
      std::sqrt(a / n * b) / sqrt_2_pi *
      std::exp(stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - n * logistic_fall(d, a / n, b / n));
  if (p * (n + 2.0) < a + 1.0) return from_below(front > 0 ? front / a * beta_fraction(a, b, p) : 0.0);
  return from_above(front > 0 ? front / b * beta_fraction(b, a, q) : 0.0);
}

}  // namespace gpstream

#endif
