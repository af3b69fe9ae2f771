#include "log_concave.h"

#include <utility>

#include "between.h"
#include "crossing.h"

namespace gpstream {

namespace {

// Stirling's series: log Gamma(x) - (x - 1/2) log x + x - log sqrt(2 pi), for x >= 10.
double stirling_series(double x) {
  const double r = 1.0 / x, t = r * r;
  return r * (1.0 / 12 -
              t * (1.0 / 360 -
                   t * (1.0 / 1260 -
                        t * (1.0 / 1680 - t * (1.0 / 1188 - t * (691.0 / 360360 - t * (1.0 / 156)))))));
}

}  // namespace

double log_gamma(double x) {
  double product = 1.0;
  for (; x < 10; ++x) product *= x;
  return (x - 0.5) * std::log(x) - x + log_sqrt_2_pi + stirling_series(x) - std::log(product);
}

double log_choose(double n, double k) {
  return log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0);
}

double stirling_rest(double x) {
  double sum = 0.0;
  for (; x < 10; ++x) sum += (x + 0.5) * std::log1p(1.0 / x) - 1.0;
  return sum + stirling_series(x);
}

double log_most_likely(double k, double m) {
  const double n = k + m;
  return stirling_rest(n) - stirling_rest(k) - stirling_rest(m) - 0.5 * std::log(k / n * m) - log_sqrt_2_pi;
}

namespace {

Tails from_below(double p) { return {std::min(p, 1.0), std::max(1.0 - p, 0.0)}; }

Tails from_above(double p) { return {std::max(1.0 - p, 0.0), std::min(p, 1.0)}; }

}  // namespace

double exp_excess(double d) {
  if (std::abs(d) > 0.1) return std::expm1(d) - d;
  double term = 0.5 * d * d, sum = term;
  for (int n = 3; std::abs(term) > 1e-17 * sum; ++n) sum += term *= d / n;
  return sum;
}

namespace {

double log_excess(double v) {
  if (std::abs(v) > 0.1) return v - std::log1p(v);
  double power = v * v, sum = 0.5 * power;
  for (int n = 3; std::abs(power) > 1e-17 * sum * n; ++n) sum += (power *= -v) / n;
  return sum;
}

}  // namespace

double logistic_fall(double d, double p, double q) {
  const double r = d > 0 ? q : p, o = d > 0 ? p : q;
  d = std::abs(d);
  if (d < 0.1) {
    const double share = r <= 0.5 ? r : o, step = r <= 0.5 ? -d : d;
    return share * exp_excess(step) - log_excess(share * std::expm1(step));
  }
  if (r <= 0.5) return r * d + std::log1p(r * std::expm1(-d));
  if (d < 700) return std::log1p(o * std::expm1(d)) - o * d;
  return o > 0 ? r * d + std::log(o) : 0.0;
}

namespace {

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

// Both tails of a variable whose density is nearly exp(-n w^2 / 2), by the formula of Lugannani and Rice: w
// is the signed root of twice the fall from the mode, u the slope of the fall there over the root of its
// curvature at the mode, skew and kurtosis its third and fourth derivatives likewise. From n = 1e5 on exact
// to 1e-11.
constexpr double enough_for_saddle = 1e5;

Tails saddle_tails(double n, double w, double u, double skew, double kurtosis) {
  const double z = w * std::sqrt(n);
  if (std::abs(z) > 39.0) return z < 0 ? Tails{0.0, 1.0} : Tails{1.0, 0.0};
  const double gap =
      std::abs(w) > 1e-4 ? 1.0 / w - 1.0 / u : skew / 3.0 - w * (5.0 * skew * skew - 3.0 * kurtosis) / 24.0;
  const double shift = normal_density(z) / std::sqrt(n) * gap;
  return {std::max(normal_probability(z) + shift, 0.0), std::max(normal_probability(-z) - shift, 0.0)};
}

}  // namespace

Tails log_gamma_tails(double a, double x) {
  const double d = x - std::log(a), fall = exp_excess(d);
  if (a > enough_for_saddle)
    return saddle_tails(a, std::copysign(std::sqrt(2.0 * fall), d), std::expm1(d), 1.0, 1.0);
  const double front = std::sqrt(a) / sqrt_2_pi * std::exp(-a * fall - stirling_rest(a));
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

namespace {

// The continued fraction of I_x(a, b) over x^a y^b / B(a, b), y = 1 - x, for ahead = a - (a + b) x > -1:
// every second convergent of [the same, 26.5.8], so that 1 is not subtracted from nearly 1 where y is small.
double beta_fraction(double a, double b, double x, double y, double ahead) {
  return continued_fraction(
      a / (a + 1.0) * (ahead + 1.0),
      [&](double i) {
        const double s = a + 2.0 * i - 1.0;
        return (a + i - 1.0) / s * ((a + b + i - 1.0) * x / s) * (i * (b - i) * x);
      },
      [&](double i) {
        return i + i * (b - i) * x / (a + 2.0 * i - 1.0) +
               (a + i) / (a + 2.0 * i + 1.0) * (ahead + 1.0 + i * (1.0 + y));
      });
}

}  // namespace

Tails logit_beta_tails(double a, double b, double x) {
  const double n = a + b, d = x - std::log(a / b), e = std::exp(-std::abs(x));
  const double p = (x > 0 ? 1.0 : e) / (1.0 + e), q = (x > 0 ? e : 1.0) / (1.0 + e);
  const double p0 = a / n, q0 = b / n, fall = logistic_fall(d, p0, q0);
  if (std::min(a, b) > enough_for_saddle) {
    const double root = std::sqrt(p0 * q0), slope = p0 < 0.5 ? p - p0 : q0 - q;
    return saddle_tails(n, std::copysign(std::sqrt(2.0 * fall), d), slope / root, (q0 - p0) / root,
                        (1.0 - 6.0 * p0 * q0) / (p0 * q0));
  }
  const double front = std::sqrt(a / n * b) / sqrt_2_pi *
                       std::exp(stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - n * fall);
  const double ahead = p0 < 0.5 ? a - n * p : n * q - b;
  if (p * (n + 2.0) < a + 1.0) return from_below(front > 0 ? front * beta_fraction(a, b, p, q, ahead) : 0.0);
  return from_above(front > 0 ? front * beta_fraction(b, a, q, p, -ahead) : 0.0);
}

double normal_score(const Tails& at) {
  const double z = at.below <= at.above ? normal_quantile(at.below) : -normal_quantile(at.above);
  return std::max(-40.0, std::min(40.0, z));
}

double log_lambert(double c) {
  double v = c > 1 ? std::log(c) : c;
  for (int step = 0; step < 50; ++step) {
    const double e = std::exp(v), change = (e + v - c) / (e + 1.0);
    v -= change;
    if (std::abs(change) <= 1e-15 * (1.0 + std::abs(v))) break;
  }
  return v;
}

double ExpShape::mode(double m, double s2) const {
  const double log_s2 = std::log(s2), of = log_s2 + m + a * s2;
  const double x = of < 1e300 ? log_lambert(of) - log_s2 : std::log(a);
  const double e = std::exp(std::min(x, 709.0));
  return x + (a - e - (x - m) / s2) / (e + 1.0 / s2);
}

double LogitShape::slope(double d) const {
  const double e = std::min(d, 700.0);
  return -b * (a / n) * std::expm1(e) / (b / n + a / n * std::exp(e));
}

double LogitShape::mode(double m, double s2) const {
  return mode_between(m - s2 * b, m + s2 * a, m, [&](double x) {
    const double p = sigmoid(x), q = sigmoid(-x);
    return std::pair<double, double>(a * q - b * p - (x - m) / s2, n * p * q + 1.0 / s2);
  });
}

BetweenShape::Fall BetweenShape::fall(double x) const {
  return {{std::isinf(l) ? 0.0 : 1.0, sigmoid(x - l), sigmoid(l - x)},
          {std::isinf(u) ? 0.0 : 1.0, sigmoid(x - u), sigmoid(u - x)}};
}

double BetweenShape::mode(double m, double s2) const {
  return mode_between(m - s2, m + s2, m, [&](double x) {
    const Fall at = fall(x);
    return std::pair<double, double>(sigmoid(l - x) - sigmoid(x - u) - (x - m) / s2,
                                     at.curvature() + 1.0 / s2);
  });
}

}  // namespace gpstream
