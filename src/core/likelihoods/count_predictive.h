// Predictive distributions of counts, 0, 1, 2, ... without end. The continuous ranked probability score is
// E|Y - y| - E|Y - Y'| / 2: the first from the distribution of Y and of Y with the chance of a count in
// proportion to its size, the second the sum of F (1 - F), which does not see y.
#ifndef GPSTREAM_COUNT_PREDICTIVE_H
#define GPSTREAM_COUNT_PREDICTIVE_H

#include "crossing.h"
#include "parameters.h"
#include "rowwise.h"

namespace gpstream {

class CountPredictive : public RowwisePredictive {
 public:
  using RowwisePredictive::RowwisePredictive;

 protected:
  // P(Y <= k) and P(Y > k), k >= 0; between whole numbers too, and smooth.
  virtual Tails tails(Index i, double k) const = 0;
  // The same of Y - 1, if counts come in proportion to their size.
  virtual Tails biased_tails(Index i, double k) const = 0;

  double quantile_of(Index i, double p) const override {
    if (p == 1) return infinity;
    const double start = exp_moment(m(i) + normal_score({p, 1.0 - p}) * std::sqrt(s2(i)));
    return count_crossing([&](double k) { return tails(i, k).below; }, p, start);
  }
  double probability_of(Index i, double y) const override {
    return y < 0 ? 0.0 : tails(i, std::floor(y)).below;
  }
  double crps_of(Index i, double y) const override {
    const double mean = mean_of(i), k = std::floor(y);
    const Tails at = k < 0 ? Tails{0.0, 1.0} : tails(i, k);
    const Tails biased = k < 1 ? Tails{0.0, 1.0} : biased_tails(i, k - 1.0);
    return y * (at.below - at.above) + mean * (biased.above - biased.below) - half_difference(i);
  }

 private:
  static constexpr double many = 128.0;

  double spread(Index i, double k) const {
    const Tails at = tails(i, k);
    return at.below * at.above;
  }

  // The sum of F (1 - F): of all terms, where there are not many, otherwise from k = `many` on as an integral
  // over log k. Sum and integral, and integral and trapezoidal rule, differ by what happens at the lower end,
  // by the formula of Euler and Maclaurin.
  double half_difference(Index i) const {
    const double none = 1e-12, low = quantile_of(i, none), high = quantile_of(i, 1.0 - none);
    const double first = high - low <= many ? high + 1.0 : std::max(low, many);
    double sum = 0.0;
    for (double k = low; k < std::min(first, high + 1.0); ++k) sum += spread(i, k);
    if (first > high) return sum;
    const auto term = [&](double x) { return spread(i, std::exp(x)) * std::exp(x); };
    const double x = std::log(first), range = std::log(high) - x;
    const double width = std::min(0.4, std::sqrt(s2(i) + 1.0 / std::max(mean_of(i), many)));
    const double h = range / std::ceil(4.0 * range / width);
    const double end = spread(i, first), slope = 0.5 * (spread(i, first + 1.0) - spread(i, first - 1.0));
    double integral = 0.5 * term(x) + h / 12.0 * first * (end + first * slope);
    for (int j = 1; j * h < range + 0.5 * h; ++j) integral += term(x + j * h);
    return sum + h * integral + 0.5 * end - slope / 12.0;
  }
};

}  // namespace gpstream

#endif
