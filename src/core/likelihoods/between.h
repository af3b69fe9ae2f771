// The probability of lying between two cuts l < u on the logistic scale, as a function of x:
// sigma(u - x) - sigma(l - x) = sigma(u - x) sigma(x - l) (1 - e^(l - u)); a cut may be infinite.
#ifndef GPSTREAM_BETWEEN_H
#define GPSTREAM_BETWEEN_H

#include "log_concave.h"

namespace gpstream {

struct BetweenShape {
  double l, u;
  struct Fall {
    LogitShape::Fall lower, upper;
    double curvature() const { return lower.curvature() + upper.curvature(); }
    double operator()(double d) const { return lower(d) + upper(d); }
  };
  double constant() const { return std::log(-std::expm1(l - u)); }
  double value(double x) const { return constant() - softplus(x - u) - softplus(l - x); }
  Fall fall(double x) const {
    return {{std::isinf(l) ? 0.0 : 1.0, sigmoid(x - l), sigmoid(l - x)},
            {std::isinf(u) ? 0.0 : 1.0, sigmoid(x - u), sigmoid(u - x)}};
  }
  double mode(double m, double s2) const {
    return mode_between(m - s2, m + s2, m, [&](double x) {
      const Fall at = fall(x);
      return std::pair<double, double>(sigmoid(l - x) - sigmoid(x - u) - (x - m) / s2,
                                       at.curvature() + 1.0 / s2);
    });
  }
};

}  // namespace gpstream

#endif
