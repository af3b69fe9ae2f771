// Predictive distributions of counts, 0, 1, 2, ... without end. What is larger than whole numbers are told
// apart goes by its logarithm, and may be larger than numbers are.
#ifndef GPSTREAM_COUNT_PREDICTIVE_H
#define GPSTREAM_COUNT_PREDICTIVE_H

#include "crossing.h"
#include "panels.h"
#include "parameters.h"
#include "rowwise.h"

namespace gpstream {

class CountPredictive : public RowwisePredictive {
 public:
  using RowwisePredictive::RowwisePredictive;

 protected:
  // P(Y <= k) and P(Y > k), k >= 0; between whole numbers too, and smooth.
  virtual Tails tails(Index i, double k) const = 0;
  // The same where k has no spread of its own any more, of log k.
  virtual Tails large_tails(Index i, double log_k) const = 0;
  // The variance of log Y given f, where Y is large.
  virtual double noise(Index i) const = 0;

  double quantile_of(Index i, double p) const override {
    if (p == 1) return infinity;
    const double x = log_quantile(i, p);
    if (x > log_whole) return std::ceil(std::exp(x));
    return count_crossing([&](double k) { return tails(i, k).below; }, p, std::ceil(std::exp(x)));
  }
  double probability_of(Index i, double y) const override {
    if (y < 0 || y == infinity) return y < 0 ? 0.0 : 1.0;
    return (y < 1e300 ? tails(i, std::floor(y)) : large_tails(i, std::log(y))).below;
  }
  // The integral of (F(t) - 1[t >= y])^2: of F^2 below y and of (1 - F)^2 from there on. Neither is a
  // difference of expectations, of which a heavy tail would leave no digits. The largest terms are about e^(m
  // + s2 / 4).
  double crps_of(Index i, double y) const override {
    if (m(i) + 0.25 * s2(i) > 800.0) return infinity;
    const double none = 1e-9, low = quantile_of(i, none), at = std::max(std::floor(y), -1.0);
    const double high = log_quantile(i, 1.0 - none), top = high + 0.5 * s2(i) + 2.0 * std::sqrt(s2(i));
    const double last = std::ceil(std::exp(std::min(top, log_whole)));
    const double width =
        std::min(log_sd(i, std::max(high, 5.0)), std::max(0.7, std::min(0.5 * std::sqrt(s2(i)), 2.0)));
    // 1 behind the top, or before `low`
    const double end = top > log_whole ? std::exp(top) : last;
    double sum = std::max(at - 1.0 - end, 0.0) + std::max(low - at - 1.0, 0.0);
    if (at < 0) {
      sum -= y - at;
    } else {
      const Tails here = tails(i, at);
      sum += (y - at) * here.below * here.below + (at + 1.0 - y) * here.above * here.above;
    }
    const double from = std::max(low, at + 1.0), to = std::min(last, at - 1.0);
    sum += sum_of_terms(low, to, width, [&](double k) { return std::pow(tails(i, k).below, 2); });
    sum += sum_of_terms(from, last, width, [&](double k) { return std::pow(tails(i, k).above, 2); });
    if (top <= log_whole) return sum;
    const double log_low = std::max(log_whole, std::log(low)), log_from = std::max(log_whole, std::log(from));
    sum += squared_tail(log_low, std::min(std::log(at), top), width,
                        [&](double x) { return at_log(i, x).below; });
    return sum + squared_tail(log_from, top, width, [&](double x) { return at_log(i, x).above; });
  }

 private:
  static constexpr double log_whole = 34.0;  // below 2^53

  Tails at_log(Index i, double x) const { return x < 700.0 ? tails(i, std::exp(x)) : large_tails(i, x); }
  double log_sd(Index i, double x) const { return std::sqrt(s2(i) + noise(i) + std::exp(-x)); }

  // log of a number between whole ones with probability p not to be exceeded; of 0 and 1 where these have it.
  double log_quantile(Index i, double p) const {
    if (tails(i, 1.0).below >= p) return tails(i, 0.0).below >= p ? -infinity : 0.0;
    const double z = normal_score({p, 1.0 - p});
    const double start = std::max(m(i) + z * std::sqrt(s2(i) + noise(i)), 0.0);
    return crossing([&](double x) { return normal_score(at_log(i, x)); }, z, start, 0.5 * log_sd(i, start));
  }
};

}  // namespace gpstream

#endif
