// Two functions that p(y | f) is made of where it has a link, exp(a x - b e^x) and exp(a x - N log(1 + e^x)),
// and sums over them from the mode outwards. Made a density they are those of the logarithm of a gamma and of
// the logit of a beta variable L, and P(y <= .) is P(L <= x) for an x that is normal.  [derivation 20]
#ifndef GPSTREAM_LOG_CONCAVE_H
#define GPSTREAM_LOG_CONCAVE_H

#include <algorithm>
#include <cmath>

#include "expectation.h"
#include "normal.h"
#include "special.h"

namespace gpstream {

// v with e^v + v = c: Newton's method, from the right of a convex function's root.
double log_lambert(double c);

// The root of a decreasing function, between two places: Newton's method, kept between them.
template <class SlopeAndCurvature>
double mode_between(double low, double high, double x, const SlopeAndCurvature& at) {
  for (int step = 0; step < 200; ++step) {
    const auto [slope, curvature] = at(x);
    (slope > 0 ? low : high) = x;
    const double next = x + slope / curvature;
    const double to = next > low && next < high ? next : 0.5 * (low + high);
    const bool there = std::abs(to - x) <= 1e-15 * (1.0 + std::abs(x));
    x = to;
    if (there) break;
  }
  return x;
}

// exp(a x - e^x).
struct ExpShape {
  double a;
  // How it falls away from the tangent at a place.
  struct Fall {
    double b;
    double curvature() const { return b; }
    double operator()(double d) const { return -b * exp_excess(d); }
  };
  double value(double x) const { return a * x - std::exp(std::min(x, 709.0)); }
  Fall fall(double x) const { return {std::exp(std::min(x, 709.0))}; }
  double mode() const { return std::log(a); }
  double slope(double d) const { return -a * std::expm1(d); }  // at d from the mode
  // Of the product with a normal density: a - e^x = (x - m) / s2, Lambert's equation for s2 e^x; and a step
  // of Newton's for the digits that s2 a takes away.
  double mode(double m, double s2) const;
  Tails tails(double x) const { return log_gamma_tails(a, x); }
};

// exp(a x - n log(1 + e^x)).
struct LogitShape {
  double a, n, b = n - a;
  struct Fall {
    double n, p, q;
    double curvature() const { return n * p * q; }
    double operator()(double d) const { return -n * logistic_fall(d, p, q); }
  };
  double value(double x) const { return a * x - n * softplus(x); }
  Fall fall(double x) const { return {n, sigmoid(x), sigmoid(-x)}; }
  double mode() const { return std::log(a / b); }
  double slope(double d) const;
  double mode(double m, double s2) const;
  Tails tails(double x) const { return logit_beta_tails(a, b, x); }
};

// Nodes from a mode outwards, each(d, weight), until e^-40 of the top. `precision` is that of a normal
// density which is a factor. Steps of a quarter of a standard deviation, and of a quarter: e^x turns round
// at i pi / 2, and e^(-2 pi (pi / 2) / (1 / 4)) is below rounding.
template <class Fall, class Each>
void from_mode(const Fall& fall, double precision, const Each& each) {
  const double sd = 1.0 / std::sqrt(fall.curvature() + precision);
  const double h = std::max(0.25 * std::min(sd, 1.0), sd / 1000.0);
  each(0.0, h);
  for (const double step : {-h, h})
    for (int j = 1;; ++j) {
      const double d = j * step, log_weight = fall(d) - 0.5 * precision * d * d;
      if (!(log_weight > -40.0)) break;
      each(d, h * std::exp(log_weight));
    }
}

// log E exp(shape), x ~ N(m, s2).
template <class Shape>
double log_expectation(const Shape& shape, double m, double s2) {
  if (!(s2 > 0)) return shape.value(m);
  const double x = shape.mode(m, s2), off = x - m;
  double sum = 0.0;
  from_mode(shape.fall(x), 1.0 / s2, [&](double, double weight) { sum += weight; });
  return shape.value(x) - 0.5 * off * (off / s2) + std::log(sum / (std::sqrt(s2) * sqrt_2_pi));
}

// The same over the largest value of a shape that has a mode, from where all is measured: the two may be near
// each other for counts that are large.
template <class Shape>
double log_expectation_below(const Shape& shape, double m, double s2) {
  const double mode = shape.mode();
  const auto fall = shape.fall(mode);
  if (!(s2 > 0)) return fall(m - mode);
  double d = shape.mode(m, s2) - mode, sum = 0.0;
  for (int step = 0; step < 2; ++step)
    d += (shape.slope(d) - (mode - m + d) / s2) / (shape.fall(mode + d).curvature() + 1.0 / s2);
  const double off = mode - m + d;
  from_mode(shape.fall(mode + d), 1.0 / s2, [&](double, double weight) { sum += weight; });
  return fall(d) - 0.5 * off * (off / s2) + std::log(sum / (std::sqrt(s2) * sqrt_2_pi));
}

// P(L <= x) and P(L > x), L of this density and x ~ N(m, s2): a sum over one of the two of the distribution
// function of the other, which is smooth between the nodes. Where the normal density is clearly the narrower,
// over that, as its distribution function would be a step between the nodes of L; otherwise over L, whose
// tails cost more than those of the normal distribution.
template <class Shape>
Tails tails_at_normal(const Shape& shape, double m, double s2) {
  const double mode = shape.mode(), s = std::sqrt(s2);
  const auto fall = shape.fall(mode);
  Tails out{0.0, 0.0};
  if (s < 0.5 * std::min(1.0 / std::sqrt(fall.curvature()), 1.0)) {
    at_nodes(m, s2, 1.0, [&](double x, double weight) {
      const Tails at = shape.tails(x);
      out.below += weight * at.below;
      out.above += weight * at.above;
    });
  } else {
    from_mode(fall, 0.0, [&](double d, double weight) {
      const double z = (m - mode - d) / s, tail = normal_probability(-std::abs(z));
      out.below += weight * (z > 0 ? 1.0 - tail : tail);
      out.above += weight * (z > 0 ? tail : 1.0 - tail);
    });
  }
  const double total = out.below + out.above;
  return {out.below / total, out.above / total};
}

}  // namespace gpstream

#endif
