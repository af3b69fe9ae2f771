// Successes out of n trials, each with probability sigma(f); n is the second number of a row, 1 if there is
// none.  [derivation 20]
//   e = log choose(n, y) + y m - n E log(1 + e^f)      g = y - n E sigma + p m      p = n E sigma (1 - sigma)
// P(Y <= k) = P(f <= logit B), B ~ Beta(k + 1, n - k).
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "../evidence/site.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "crossing.h"
#include "expectation.h"
#include "likelihood.h"
#include "log_concave.h"
#include "logit.h"
#include "panels.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

namespace {

class BinomialPredictive final : public RowwisePredictive {
 public:
  BinomialPredictive(const Latent& at, Vector trials) : RowwisePredictive(at), trials_(std::move(trials)) {
    require(trials_.size() == 0 || trials_.size() == rows(), "dimension",
            "there must be one number of trials for each row of the prediction.");
  }

 protected:
  double mean_of(Index i) const override { return n(i) * logistic_moments(m(i), s2(i)).sigmoid; }
  // n E sigma (1 - sigma) + n^2 Var sigma.
  double variance_of(Index i) const override {
    const LogisticMoments of = logistic_moments(m(i), s2(i));
    const double spread = expectation(m(i), s2(i), logistic_width, [&](double f) {
      return (sigmoid(f) - of.sigmoid) * (sigmoid(f) - of.sigmoid);
    });
    return n(i) * (of.slope + n(i) * spread);
  }
  double log_density_of(Index i, double y) const override {
    if (!(is_whole(y) && y >= 0 && y <= n(i))) return -infinity;
    const LogitShape shape{y, n(i)};
    if (y == 0 || y == n(i)) return log_expectation(shape, m(i), s2(i));
    return log_most_likely(y, n(i) - y) + log_expectation_below(shape, m(i), s2(i));
  }
  double probability_of(Index i, double y) const override {
    const double k = std::floor(y);
    return k < 0 ? 0.0 : k >= n(i) ? 1.0 : tails(i, k).above;
  }
  double quantile_of(Index i, double p) const override {
    const double f = m(i) + normal_score({p, 1.0 - p}) * std::sqrt(s2(i));
    const double k = count_crossing([&](double k) { return probability_of(i, k); }, p, n(i) * sigmoid(f));
    return std::min(k, n(i));
  }
  // The sum of (F(k) - 1[k >= y])^2, from both ends: of F^2 before y and of (1 - F)^2 from there on.
  double crps_of(Index i, double y) const override {
    const double N = n(i), at = std::max(0.0, std::min(std::ceil(y), N)), half = std::floor(0.5 * N);
    const bool few = N <= 256.0;
    const double low = few ? 0.0 : quantile_of(i, 1e-9), high = few ? N : quantile_of(i, 1.0 - 1e-9);
    const auto part = [&](double from, double to, const auto& term) {
      const double left = std::sqrt(s2(i) + 1.0 / std::max(std::min(high, half), 1.0));
      const double right = std::sqrt(s2(i) + 1.0 / std::max(std::min(N - low, half), 1.0));
      return sum_of_terms(from, std::min(to, half - 1.0), std::min(left, 0.7), term) +
             sum_of_terms(N - 1.0 - to, N - 1.0 - std::max(from, half), std::min(right, 0.7),
                          [&](double back) { return term(N - 1.0 - back); });
    };
    const double sum =
        part(low, std::min(at - 1.0, high), [&](double k) { return std::pow(tails(i, k).above, 2); }) +
        part(std::max(at, low), std::min(high, N - 1.0),
             [&](double k) { return std::pow(tails(i, k).below, 2); });
    return sum + std::max(-y, 0.0) + std::max(y - N, 0.0) + std::max(low - at, 0.0) +
           std::max(at - 1.0 - high, 0.0);
  }

 private:
  // P(L <= f) = P(Y > k), and P(Y <= k), for k < n.
  Tails tails(Index i, double k) const {
    return tails_at_normal(LogitShape{k + 1.0, n(i) + 1.0}, m(i), s2(i));
  }
  double n(Index i) const { return entry_of(trials_, i, 1.0); }
  Vector trials_;
};

class Binomial final : public LogitLikelihood {
 public:
  LikelihoodSpec spec() const override { return {"binomial"}; }
  double unit() const override { return 2.0; }
  bool pairs() const override { return true; }
  std::string refuses(double y, double trials) const override {
    if (!is_whole(trials) || trials < 1) return "must have a whole number of trials, at least 1";
    return is_whole(y) && y >= 0 && y <= trials ? ""
                                                : "must be a whole number from 0 to the number of trials";
  }
  Latent start(const Responses& rows, double) const override {
    Vector mean(rows.size()), variance(rows.size());
    for (Index i = 0; i < rows.size(); ++i) {
      const double n = entry_of(rows.more, i, 1.0), yes = rows.y(i) + 0.5, no = n - rows.y(i) + 0.5;
      mean(i) = std::log(yes / no);
      variance(i) = (n + 1.0) / (yes * no);
    }
    return start_of(rows, std::move(mean), std::move(variance));
  }
  PredictivePtr predictive(const Latent& at, const Vector& more, double) const override {
    return std::make_unique<BinomialPredictive>(at, more);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    return logit_sites(at, 0.0, [&](Index i) {
      const double n = entry_of(rows.more, i, 1.0);
      return Row{rows.y(i), n, log_choose(n, rows.y(i))};
    });
  }
};

}  // namespace

LikelihoodPtr make_binomial(const LikelihoodSpec&) { return std::make_shared<Binomial>(); }

}  // namespace gpstream
