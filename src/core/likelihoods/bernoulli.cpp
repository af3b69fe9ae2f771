// Yes or no: y = 1 with probability sigma(f), the logistic function.  e = E log p exactly.  [derivation 20]
//   e = y m - E log(1 + e^f)      g = y - E sigma + p m      p = E sigma (1 - sigma)
#include <cmath>
#include <memory>
#include <string>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "bernoulli_predictive.h"
#include "expectation.h"
#include "likelihood.h"
#include "log_concave.h"
#include "logit.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

namespace {

// Where one of them is small, its own sum from the mode has its digits.
LogOdds log_odds(double m, double s2) {
  const double yes = logistic_moments(m, s2).sigmoid;
  if (yes < 1e-3) {
    const double log_yes = log_expectation(LogitShape{1, 1}, m, s2);
    return {std::log1p(-std::exp(log_yes)), log_yes};
  }
  if (yes > 1.0 - 1e-3) {
    const LogOdds other = log_odds(-m, s2);
    return {other.yes, other.no};
  }
  return {std::log1p(-yes), std::log(yes)};
}

class Bernoulli final : public LogitLikelihood {
 public:
  LikelihoodSpec spec() const override { return {"bernoulli"}; }
  double unit() const override { return 2.0; }
  std::string refuses(double y, double) const override { return refuses_class(y); }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, 2.2 * (rows.y.array() - 0.5), Vector::Ones(rows.size()));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<BernoulliPredictive>(at, log_odds);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    return logit_sites(at, 0.0, [&](Index i) { return Row{rows.y(i), 1.0, 0.0}; });
  }
};

}  // namespace

LikelihoodPtr make_bernoulli(const LikelihoodSpec&) { return std::make_shared<Bernoulli>(); }

}  // namespace gpstream
