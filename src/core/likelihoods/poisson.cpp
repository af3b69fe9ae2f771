// Counts: y ~ Poisson(e^f); the logarithm of an exposure is an offset of f.  [derivation 20]
//   e = y m - p - log y!      g = y - p + p m      p = e^(m + s2 / 2)
// P(Y <= k) = P(f <= log G), G ~ Gamma(k + 1).
#include <cmath>
#include <memory>
#include <string>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "count_predictive.h"
#include "likelihood.h"
#include "log_concave.h"
#include "log_link.h"
#include "normal.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"
#include "special.h"

namespace gpstream {

namespace {

class PoissonPredictive final : public CountPredictive {
 public:
  using CountPredictive::CountPredictive;

 protected:
  double mean_of(Index i) const override { return std::exp(m(i) + 0.5 * s2(i)); }
  double variance_of(Index i) const override {
    return mean_of(i) + std::exp(2.0 * m(i) + s2(i) + log_expm1(s2(i)));
  }
  double log_density_of(Index i, double y) const override {
    if (!(is_whole(y) && y >= 0)) return -infinity;
    if (y == 0) return log_expectation(ExpShape{y}, m(i), s2(i));
    return log_most_likely(y) + log_expectation_below(ExpShape{y}, m(i), s2(i));
  }
  double noise(Index) const override { return 0.0; }
  Tails tails(Index i, double k) const override {
    const Tails out = tails_at_normal(ExpShape{k + 1.0}, m(i), s2(i));
    return {out.above, out.below};
  }
  Tails large_tails(Index i, double log_k) const override {
    const double z = (log_k - m(i)) / std::sqrt(s2(i));
    if (std::isnan(z)) return {1.0, 0.0};  // f is known, and at it
    return {normal_probability(z), normal_probability(-z)};
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

}  // namespace

LikelihoodPtr make_poisson(const LikelihoodSpec&) { return std::make_shared<Poisson>(); }

}  // namespace gpstream
