// Waiting times t until an event, of hazard k t^(k - 1) e^-f; the second number of a row is 1 where the event
// was seen (d = 1) and 0 where it had not come by then.  [derivation 20]
//   e = d (log k + (k - 1) log t - m) - p      g = -d + p + p m      p = t^k e^(-m + s2 / 2)
#ifndef GPSTREAM_LIKELIHOODS_WEIBULL_H
#define GPSTREAM_LIKELIHOODS_WEIBULL_H

#include "log_link.h"
#include "positive_predictive.h"

namespace gpstream {

class Weibull final : public LogLinkLikelihood {
 public:
  explicit Weibull(const LikelihoodSpec& spec) : k_(positive_number(spec, "shape", 1.0)) {}

  LikelihoodSpec spec() const override { return {"weibull", {{"shape", k_}}}; }
  bool pairs() const override { return true; }
  std::string refuses(double y, double event) const override {
    return event == 0 || event == 1 ? refuses_time(y) : "must say by 0 or 1 whether the event was seen";
  }
  // f is the shape times the log of the scale
  double stretch_to(const LikelihoodSpec& other) const override { return number_of(other, "shape", k_) / k_; }
  std::vector<LikelihoodParameter> parameters() const override { return {{"shape", k_, 0.02, 100.0}}; }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, k_ * rows.y.array().log(), Vector::Ones(rows.size()));
  }
  // Of the time itself, seen or not.
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<PositivePredictive>(at, 1.0, 1.0, k_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double log_k = std::log(k_);
    return log_link_sites(at, -1.0, [&](Index i) {
      const double d = entry_of(rows.more, i, 1.0), log_t = std::log(rows.y(i));
      return Row{d, k_ * log_t, d * (log_k + (k_ - 1.0) * log_t)};
    });
  }

 private:
  double k_;
};

}  // namespace gpstream

#endif
