// Amounts: y ~ Gamma with mean e^f and shape k, variance mean^2 / k; k = 1 is the exponential
// distribution.  [derivation 20]
//   e = k log k - log Gamma(k) + (k - 1) log y - k m - p      g = -k + p + p m      p = k y e^(-m + s2 / 2)
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "likelihood.h"
#include "log_link.h"
#include "parameters.h"
#include "positive_predictive.h"
#include "predictive.h"
#include "responses.h"
#include "special.h"

namespace gpstream {

namespace {

class Gamma : public LogLinkLikelihood {
 public:
  explicit Gamma(const LikelihoodSpec& spec) : k_(positive_number(spec, "shape", 1.0)) {}

  LikelihoodSpec spec() const override { return {"gamma", {{"shape", k_}}}; }
  std::string refuses(double y, double) const override { return refuses_time(y); }
  double noise_variance(double) const override { return 1.0 / k_; }
  std::vector<LikelihoodParameter> parameters() const override { return {{"shape", k_, 0.02, 1e4}}; }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, rows.y.array().log(), Vector::Constant(rows.size(), 1.0 / k_));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<PositivePredictive>(at, k_, k_, 1.0);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double log_k = std::log(k_), constant = k_ * log_k - log_gamma(k_);
    return log_link_sites(at, -1.0, [&](Index i) {
      const double log_y = std::log(rows.y(i));
      return Row{k_, log_k + log_y, constant + (k_ - 1.0) * log_y};
    });
  }

 private:
  double k_;
};

class Exponential final : public Gamma {
 public:
  Exponential() : Gamma(LikelihoodSpec{"gamma"}) {}
  LikelihoodSpec spec() const override { return {"exponential"}; }
  std::vector<LikelihoodParameter> parameters() const override { return {}; }
};

}  // namespace

LikelihoodPtr make_gamma(const LikelihoodSpec& spec) { return std::make_shared<Gamma>(spec); }

LikelihoodPtr make_exponential(const LikelihoodSpec&) { return std::make_shared<Exponential>(); }

}  // namespace gpstream
