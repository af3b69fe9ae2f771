// Sums from the mode outwards, and who is larger of L and a normal variable: against fine grids, over all
// sizes.
#include <cmath>

#include <Eigen/Dense>

#include "../../src/core/likelihoods/between.h"
#include "check.h"

using namespace gpstream;

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

// log of the integral of exp(shape) N(m, s2), as a plain sum over where both may be.
template <class Shape>
double brute(const Shape& shape, double m, double s2) {
  const double s = std::sqrt(s2), mode = shape.mode(m, s2);
  const double low = std::min(m, mode) - 14 * s, high = std::max(m, mode) + 14 * s;
  const int n = 100000;
  const double h = (high - low) / n;
  Eigen::ArrayXd part(n + 1);
  for (int j = 0; j <= n; ++j) {
    const double x = low + j * h;
    part(j) = shape.value(x) - 0.5 * (x - m) * (x - m) / s2;
  }
  const double top = part.maxCoeff();
  return top + std::log((part - top).exp().sum() * h / s) - log_sqrt_2_pi;
}

// P(L <= x) for x ~ N(m, s2), from the distribution function of L.
template <class Shape>
double brute_below(const Shape& shape, double m, double s2) {
  const int n = 5000;
  double sum = 0, total = 0;
  for (int j = -n; j <= n; ++j) {
    const double z = 9.0 * j / n, weight = std::exp(-0.5 * z * z);
    sum += weight * shape.tails(m + std::sqrt(s2) * z).below;
    total += weight;
  }
  return sum / total;
}

}  // namespace

TEST(
    "[derivation 20] log E exp(a x - e^x) and log E exp(a x - n log(1 + e^x)): y = 3000 under N(0, 25) too") {
  for (double s2 : {1e-6, 0.04, 1.0, 25.0, 400.0})
    for (double m : {-8.0, 0.0, 3.0}) {
      for (double a : {0.0, 0.3, 1.0, 7.0, 3000.0}) {
        CHECK(near(log_expectation(ExpShape{a}, m, s2), brute(ExpShape{a}, m, s2), 1e-10));
        for (double n : {a, a + 0.5, a + 40})
          CHECK(near(log_expectation(LogitShape{a, n}, m, s2), brute(LogitShape{a, n}, m, s2), 1e-10));
      }
      const double inf = std::numeric_limits<double>::infinity();
      for (const BetweenShape& shape :
           {BetweenShape{-inf, 0.4}, BetweenShape{-1, -0.99}, BetweenShape{2, inf}})
        CHECK(near(log_expectation(shape, m, s2), brute(shape, m, s2), 1e-10));
    }
  CHECK(log_expectation(ExpShape{4}, 0.3, 0) == ExpShape{4}.value(0.3));
  for (double m : {-1e5, 1e5})
    for (double s2 : {1e-12, 1.0, 1e6})
      CHECK(std::isfinite(log_expectation(ExpShape{4}, m, s2)) &&
            std::isfinite(log_expectation(LogitShape{1, 3}, m, s2)));
}

TEST("[derivation 20] who is larger, L or a normal variable: sums over either agree with a fine grid") {
  for (double a : {0.2, 1.0, 3.0, 40.0, 2000.0})
    for (double s : {0.0, 1e-3, 0.02, 0.11, 0.3, 0.49, 0.51, 1.0, 2.5})
      for (double shift : {-2.0, 0.0, 1.0}) {
        const double spread = std::sqrt(s * s + 1 / a), m = std::log(a) + shift * spread;
        const Tails gamma = tails_at_normal(ExpShape{a}, m, s * s);
        CHECK(near(gamma.below, brute_below(ExpShape{a}, m, s * s), 1e-9));
        CHECK(near(gamma.below + gamma.above, 1, 1e-14));
        for (double b : {0.3, 5.0, 700.0}) {
          const double at = std::log(a / b) + shift * std::sqrt(s * s + 1 / a + 1 / b);
          const Tails beta = tails_at_normal(LogitShape{a, a + b}, at, s * s);
          CHECK(near(beta.below, brute_below(LogitShape{a, a + b}, at, s * s), 1e-9));
        }
      }
}

TEST("modes are modes") {
  for (double c : {-700.0, -30.0, -1.0, 0.0, 0.5, 1.0, 3.0, 700.0, 1e6}) {
    const double v = log_lambert(c);
    CHECK(near(std::exp(v) + v, c, 1e-14));
  }
  for (double m : {-50.0, 0.0, 2.0, 300.0})
    for (double s2 : {1e-4, 1.0, 900.0})
      for (double a : {0.0, 2.0, 1000.0}) {
        const double x = ExpShape{a}.mode(m, s2), at = LogitShape{a, a + 2}.mode(m, s2);
        CHECK(std::abs(a - std::exp(x) - (x - m) / s2) <= 1e-12 * (1 + a + std::abs(m) / s2));
        CHECK(std::abs(a - (a + 2) * sigmoid(at) - (at - m) / s2) <= 1e-12 * (1 + a + std::abs(m) / s2));
      }
}
