// The probability of lying between two cuts l < u on the logistic scale, as a function of x:
// sigma(u - x) - sigma(l - x) = sigma(u - x) sigma(x - l) (1 - e^(l - u)); a cut may be infinite.
#ifndef GPSTREAM_BETWEEN_H
#define GPSTREAM_BETWEEN_H

#include <cmath>

#include "expectation.h"
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
  Fall fall(double x) const;
  double mode(double m, double s2) const;
};

}  // namespace gpstream

#endif
