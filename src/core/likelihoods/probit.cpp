#include "probit.h"

#include <cmath>
#include <memory>
#include <string>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "bernoulli_predictive.h"
#include "expectation.h"
#include "likelihood.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

LogNormalProbability expected_log_normal(double m, double s2) {
  LogNormalProbability out{0.0, 0.0, 0.0};
  at_nodes(m, s2, log_normal_width, [&](double x, double weight) {
    const LogNormalProbability at = log_normal_slopes(x);
    out.value += weight * at.value;
    out.slope += weight * at.slope;
    out.curvature += weight * at.curvature;
  });
  return out;
}

namespace {

class Probit final : public Likelihood {
 public:
  LikelihoodSpec spec() const override { return {"probit"}; }
  double unit() const override { return 1.2; }
  std::string refuses(double y, double) const override { return refuses_class(y); }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, 1.4 * (rows.y.array() - 0.5), Vector::Ones(rows.size()));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<BernoulliPredictive>(at, [](double m, double s2) {
      const double z = m / std::sqrt(1.0 + s2);
      return LogOdds{log_normal_probability(-z), log_normal_probability(z)};
    });
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double t = rows.y(i) > 0.5 ? 1.0 : -1.0, m = at.mean(i), s2 = at.variance(i);
      const LogNormalProbability of = expected_log_normal(t * m, s2);
      put(out, i, of.value, t * of.slope + of.curvature * m, of.curvature, m, s2);
    }
    return out;
  }
};

}  // namespace

LikelihoodPtr make_probit(const LikelihoodSpec&) { return std::make_shared<Probit>(); }

}  // namespace gpstream
