// Waiting times t until an event, of scale e^f and shape k, with the hazard k t^(k - 1) e^(-k f); the second
// number of a row is 1 where the event was seen (d = 1) and 0 where it had not come by then. f is the log of
// the scale, as that changes with the unit of t by a constant, whatever k.  [derivation 20]
//   e = d (log k + (k - 1) log t - k m) - w      g = k (w - d) + p m      p = k^2 w
//   w = t^k e^(-k m + k^2 s2 / 2)
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

namespace gpstream {

namespace {

class Weibull final : public LogLinkLikelihood {
 public:
  explicit Weibull(const LikelihoodSpec& spec) : k_(positive_number(spec, "shape", 1.0)) {}

  LikelihoodSpec spec() const override { return {"weibull", {{"shape", k_}}}; }
  bool pairs() const override { return true; }
  std::string refuses(double y, double event) const override {
    return event == 0 || event == 1 ? refuses_time(y) : "must say by 0 or 1 whether the event was seen";
  }
  double noise_variance(double) const override { return 1.0 / (k_ * k_); }
  std::vector<LikelihoodParameter> parameters() const override { return {{"shape", k_, 0.02, 1e4}}; }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, rows.y.array().log(), Vector::Constant(rows.size(), 1.0 / (k_ * k_)));
  }
  // Of the time itself, seen or not.
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<PositivePredictive>(Latent{k_ * at.mean, k_ * k_ * at.variance}, 1.0, 1.0, k_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double log_k = std::log(k_);
    return log_link_sites(at, -k_, [&](Index i) {
      const double d = entry_of(rows.more, i, 1.0), log_t = std::log(rows.y(i));
      return Row{d, k_ * log_t, d * (log_k + (k_ - 1.0) * log_t)};
    });
  }

 private:
  double k_;
};

}  // namespace

LikelihoodPtr make_weibull(const LikelihoodSpec& spec) { return std::make_shared<Weibull>(spec); }

}  // namespace gpstream
