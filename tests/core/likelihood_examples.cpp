#include "likelihood_examples.h"

#include <cmath>

#include "../../src/core/likelihoods/likelihoods.h"
#include "check.h"

namespace gpstream {

Vector one(double value) { return Vector::Constant(1, value); }

void holds(bool ok, const Likelihood& of, const char* what, double y, double m, double s2) {
  const auto numbers = of.spec().numbers;
  check::report(ok, what, of.name().c_str(), 0,
                (numbers.empty() ? "" : std::to_string(numbers.begin()->second) + ", ") + "y " +
                    std::to_string(y) + ", f ~ N(" + std::to_string(m) + ", " + std::to_string(s2) + ")");
}

std::vector<Example> examples(const Likelihood& of) {
  std::vector<Example> out;
  for (double y : {-2.3, -1.0, 0.0, 0.4, 1.0, 1.7, 2.0, 3.0, 7.0}) {
    std::vector<Example> taken;
    for (double more : {-1.0, 0.0, 1.0, 8.0})
      if (of.refuses(y, more).empty()) taken.push_back({y, more});
    if (taken.size() == 4) taken.resize(1);  // it does not look at it
    out.insert(out.end(), taken.begin(), taken.end());
  }
  return out;
}

Responses response(const Example& at, Index rows) {
  return {Vector::Constant(rows, at.y), Vector(), Vector::Constant(rows, at.more), Vector()};
}

PredictivePtr predictive(const Likelihood& of, const Latent& at, double more) {
  return of.predictive(at, Vector::Constant(at.mean.size(), more), of.kappa() > 0 ? phi : 1);
}

PredictivePtr predictive(const Likelihood& of, double m, double s2, double more, Index rows) {
  return predictive(of, {Vector::Constant(rows, m), Vector::Constant(rows, s2)}, more);
}

Vector log_likelihood(const Likelihood& of, const Example& at, const Vector& f) {
  const Vector y = Vector::Constant(f.size(), at.y), known = Vector::Zero(f.size());
  if (of.name() == "tobit" && at.more != 0)
    return predictive(of, {-at.more * f, known}, 0)->probability(-at.more * y).array().log();
  const PredictivePtr p = predictive(of, {f, known}, at.more);
  if (of.name() == "weibull" && at.more == 0) return (-p->probability(y).array()).log1p();
  return p->log_density(y);
}

NodesOfNormal normal_nodes(double m, double s2, double kink) {
  const double s = std::sqrt(s2), low = m - 10 * s, high = m + 10 * s;
  const double cut = kink > low && kink < high ? kink : m;
  const Index steps = 1000;
  NodesOfNormal out{Vector(2 * steps + 2), Vector(2 * steps + 2)};
  for (Index j = 0; j <= steps; ++j)
    for (Index side : {0, 1}) {
      const double from = side == 0 ? low : cut, to = side == 0 ? cut : high;
      const double f = from + (to - from) * static_cast<double>(j) / steps, z = (f - m) / s;
      const int rule = j == 0 || j == steps ? 7 : j % 2 == 1 ? 32 : j % 4 == 2 ? 12 : 14;
      out.f(side * (steps + 1) + j) = f;
      out.weight(side * (steps + 1) + j) = rule * (to - from) * std::exp(-0.5 * z * z);
    }
  out.weight /= out.weight.sum();
  return out;
}

}  // namespace gpstream
