// What a new observation may be, against extended precision, integrals and identities.
#include <cmath>
#include <limits>

#include "../../src/core/likelihoods/predictive.h"
#include "check.h"

using namespace gpstream;

namespace {

using Real = long double;

bool near(double a, double b, double relative) { return std::abs(a - b) <= relative * std::abs(b); }

// The lower tail in extended precision, and its inverse by bisection of the logarithm: slow and sure.
Real tail(Real z) { return 0.5L * std::erfc(-z / std::sqrt(2.0L)); }
Real tail_quantile(Real p) {
  Real low = -40, high = 0;
  for (int i = 0; i < 90; ++i) {
    const Real mid = 0.5L * (low + high);
    (tail(mid) < p ? low : high) = mid;
  }
  return 0.5L * (low + high);
}

// Simpson's rule.
template <class Function>
double integral(Function f, double from, double to, int steps = 4000) {
  const double h = (to - from) / steps;
  double sum = f(from) + f(to);
  for (int i = 1; i < steps; ++i) sum += (i % 2 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

Vector one(double value) { return Vector::Constant(1, value); }
GaussianPredictive gaussian(double mean, double variance, double dispersion) {
  return GaussianPredictive(one(mean), one(variance), dispersion);
}
constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_ = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST("the normal quantile: extended precision from 1e-300 to 1/2, the upper tail its mirror image") {
  for (double digits = -300; digits < -0.30103; digits += 0.37) {
    const double p = std::pow(10.0, digits);
    CHECK(near(normal_quantile(p), static_cast<double>(tail_quantile(p)), 1e-14));
    if (p > 1e-16) CHECK(normal_quantile(1 - p) == -normal_quantile(1 - (1 - p)));
  }
  CHECK(near(normal_quantile(1 - 1e-16), 8.2095361516013856, 1e-14));  // of 1 - 2^-53
  CHECK(normal_quantile(0.5) == 0 && normal_quantile(0) == -inf && normal_quantile(1) == inf);
  CHECK(std::isnan(normal_quantile(-0.1)) && std::isnan(normal_quantile(1.1)) &&
        std::isnan(normal_quantile(nan_)));
  CHECK(normal_quantile(5e-324) < -38 && normal_quantile(5e-324) > -39);
}

TEST("the normal quantile near the middle has the digits of p - 1/2") {
  for (double off : {0.24999, 0.1, 1e-3, 1e-8, 1e-13}) {
    const double p = 0.5 + off, q = p - 0.5;
    // z = q sqrt(2 pi) (1 + (2 pi) q^2 / 6 + 7 (2 pi)^2 q^4 / 120 ...): enough where q is small
    if (off <= 1e-3) {
      const double s = sqrt_2_pi * q * sqrt_2_pi * q;
      CHECK(near(normal_quantile(p), q * sqrt_2_pi * (1 + s / 6 + 7 * s * s / 120), 1e-14));
    }
    CHECK(near(0.5 * std::erf(normal_quantile(p) / std::sqrt(2.0)), q, 1e-14));
    CHECK(normal_quantile(0.5 - q) == -normal_quantile(p));
  }
}

TEST("quantile and distribution function undo each other") {
  for (double z = -37; z <= 8; z += 0.173)
    CHECK(std::abs(normal_quantile(normal_probability(z)) - z) <=
          1e-13 * (1 + std::abs(z)) + 2e-16 / normal_density(z) * (z > 0));
}

TEST("the distribution function is symmetric, and its slope the density") {
  for (double z = -6; z <= 6; z += 0.31) {
    const double h = 1e-5, slope = (normal_probability(z + h) - normal_probability(z - h)) / (2 * h);
    CHECK(std::abs(slope - normal_density(z)) < 1e-9);
    CHECK(near(normal_probability(z) + normal_probability(-z), 1, 1e-15));
    CHECK(near(std::log(normal_density(z)), normal_log_density(z), 1e-14));
    CHECK(near(normal_probability(z), static_cast<double>(tail(z)), 1e-14));
  }
  CHECK(near(normal_probability(-30), static_cast<double>(tail(-30)),
             900 * 2e-16));  // z^2 times the rounding of z
}

TEST("a Gaussian observation: the latent variance and the noise add up; density, moments, distribution") {
  const GaussianPredictive p = gaussian(1.5, 0.3, 0.2);
  const double sd = std::sqrt(0.5);
  const auto density = [&](double y) { return std::exp(p.log_density(one(y))(0)); };
  CHECK(p.mean()(0) == 1.5 && p.variance()(0) == 0.5);
  CHECK(near(integral(density, -8, 11), 1, 1e-12));
  CHECK(near(integral([&](double y) { return y * density(y); }, -8, 11), 1.5, 1e-12));
  CHECK(near(integral([&](double y) { return (y - 1.5) * (y - 1.5) * density(y); }, -8, 11), 0.5, 1e-12));
  for (double y : {-1.0, 1.0, 1.5, 3.0}) {
    CHECK(near(integral(density, -8, y), p.probability(one(y))(0), 1e-10));
    CHECK(near(p.quantile(p.probability(one(y))(0))(0), y, 1e-13));
    CHECK(near(p.draw(p.probability(one(y)))(0), y, 1e-13));
  }
  CHECK(near(p.quantile(0.975)(0) - p.quantile(0.025)(0), 2 * 1.9599639845400545 * sd, 1e-14));
}

TEST("the CRPS is the integral of the squared distance between the distribution and the step at y") {
  const GaussianPredictive p = gaussian(0.4, 1, 0.44);
  const auto squared = [&](double t, bool step) {
    const double off = p.probability(one(t))(0) - (step ? 1 : 0);
    return off * off;
  };
  for (double y : {-3.0, 0.4, 0.5, 2.7}) {
    const double expected = integral([&](double t) { return squared(t, false); }, -12, y) +
                            integral([&](double t) { return squared(t, true); }, y, 12);
    CHECK(near(p.crps(one(y))(0), expected, 1e-9));
  }
  for (double y : {1e3, -1e8, 1e300})
    CHECK(near(gaussian(0, 1, 0).crps(one(y))(0), std::abs(y) - 1 / sqrt_pi, 1e-14));
}

TEST("without spread: right is infinitely good, wrong infinitely bad, and the CRPS is the distance") {
  const GaussianPredictive p = gaussian(1, 0, 0);
  CHECK(p.log_density(one(1))(0) == inf && p.log_density(one(2))(0) == -inf);
  CHECK(p.probability(one(1))(0) == 1 && p.probability(one(0.9))(0) == 0);
  CHECK(p.crps(one(3))(0) == 2 && p.crps(one(1))(0) == 0);
  CHECK(p.quantile(0.9)(0) == 1 && p.draw(one(0.2))(0) == 1);
}

TEST("what is not a number makes no number, and rows must fit") {
  for (const GaussianPredictive& p : {gaussian(nan_, 1, 0), gaussian(0, nan_, 0), gaussian(nan_, 0, 0)}) {
    CHECK(std::isnan(p.log_density(one(0))(0)) && std::isnan(p.probability(one(0))(0)) &&
          std::isnan(p.crps(one(0))(0)) && std::isnan(p.quantile(0.3)(0)));
  }
  CHECK(std::isnan(gaussian(0, 0, 0).log_density(one(nan_))(0)));
  CHECK_THROWS(gaussian(0, 1, 0).crps(Vector(2)), "dimension");
  CHECK_THROWS(GaussianPredictive(Vector(2), Vector(3), 0), "dimension");
  CHECK(GaussianPredictive(Vector(0), Vector(0), 1).quantile(0.3).size() == 0);
}
