// Counts: y ~ Poisson(e^f); the logarithm of an exposure is an offset of f.  [derivation 20]
//   e = y m - p - log y!      g = y - p + p m      p = e^(m + s2 / 2)
// P(Y <= k) = P(f <= log G), G ~ Gamma(k + 1).
#ifndef GPSTREAM_LIKELIHOODS_POISSON_H
#define GPSTREAM_LIKELIHOODS_POISSON_H

#include "count_predictive.h"
#include "log_link.h"

namespace gpstream {

class PoissonPredictive final : public CountPredictive {
 public:
  using CountPredictive::CountPredictive;

 protected:
  double mean_of(Index i) const override { return exp_moment(m(i) + 0.5 * s2(i)); }
  double variance_of(Index i) const override {
    return mean_of(i) + exp_moment(2.0 * m(i) + s2(i)) * std::expm1(std::min(s2(i), 700.0));
  }
  double log_density_of(Index i, double y) const override {
    if (!(is_whole(y) && y >= 0)) return -infinity;
    return log_expectation(ExpShape{y}, m(i), s2(i)) - log_gamma(y + 1.0);
  }
  Tails tails(Index i, double k) const override { return tails_at(k, m(i), s2(i)); }
  Tails biased_tails(Index i, double k) const override { return tails_at(k, m(i) + s2(i), s2(i)); }

 private:
  static Tails tails_at(double k, double m, double s2) {
    const Tails out = tails_at_normal(ExpShape{k + 1.0}, m, s2);
    return {out.above, out.below};
  }
};

class Poisson final : public LogLinkLikelihood {
 public:
  LikelihoodSpec spec() const override { return {"poisson"}; }
  std::string refuses(double y, double) const override { return refuses_count(y); }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, (rows.y.array() + 0.5).log(), 1.0 / (rows.y.array() + 0.5));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<PoissonPredictive>(at);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    return log_link_sites(at, 1.0, [&](Index i) { return Row{rows.y(i), 0.0, -log_gamma(rows.y(i) + 1.0)}; });
  }
};

}  // namespace gpstream

#endif
