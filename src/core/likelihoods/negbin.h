// Counts that vary more than Poisson's: mean e^f, variance mean + mean^2 / R, R the size. A member of the
// logit family, with x = f - log R.  [derivation 20]
//   e = k + y x - (y + R) E log(1 + e^x)
//   g = y - (y + R) E sigma + p m      p = (y + R) E sigma (1 - sigma)
// with k = log Gamma(y + R) - log y! - log Gamma(R).
// P(Y <= k) = P(logit B <= log R - f), B ~ Beta(R, k + 1).
#ifndef GPSTREAM_LIKELIHOODS_NEGBIN_H
#define GPSTREAM_LIKELIHOODS_NEGBIN_H

#include "count_predictive.h"
#include "logit.h"

namespace gpstream {

class NegbinPredictive final : public CountPredictive {
 public:
  NegbinPredictive(const Latent& at, double size) : CountPredictive(at), R_(size), log_R_(std::log(size)) {}

 protected:
  double mean_of(Index i) const override { return exp_moment(m(i) + 0.5 * s2(i)); }
  double variance_of(Index i) const override {
    const double more = std::expm1(std::min(s2(i), 350.0)) + std::exp(std::min(s2(i), 350.0)) / R_;
    return mean_of(i) + exp_moment(2.0 * m(i) + s2(i) + std::log(more));
  }
  double log_density_of(Index i, double y) const override {
    if (!(is_whole(y) && y >= 0)) return -infinity;
    return log_gamma(y + R_) - log_gamma(y + 1.0) - log_gamma(R_) +
           log_expectation(LogitShape{y, y + R_}, m(i) - log_R_, s2(i));
  }
  Tails tails(Index i, double k) const override {
    return tails_at_normal(LogitShape{R_, R_ + k + 1.0}, log_R_ - m(i), s2(i));
  }
  // Size R + 1 at the same odds.
  Tails biased_tails(Index i, double k) const override {
    return tails_at_normal(LogitShape{R_ + 1.0, R_ + k + 2.0}, log_R_ - m(i) - s2(i), s2(i));
  }

 private:
  double R_, log_R_;
};

class Negbin final : public LogitLikelihood {
 public:
  explicit Negbin(const LikelihoodSpec& spec) : R_(positive_number(spec, "size", 1.0)) {}

  LikelihoodSpec spec() const override { return {"negbin", {{"size", R_}}}; }
  std::string refuses(double y, double) const override { return refuses_count(y); }
  std::vector<LikelihoodParameter> parameters() const override { return {{"size", R_, 0.01, 1e4}}; }
  Latent start(const Responses& rows, double) const override {
    return start_of(rows, (rows.y.array() + 0.5).log(), 1.0 / (rows.y.array() + 0.5) + 1.0 / R_);
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<NegbinPredictive>(at, R_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const double of_size = log_gamma(R_);
    return logit_sites(at, std::log(R_), [&](Index i) {
      const double y = rows.y(i);
      return Row{y, y + R_, log_gamma(y + R_) - log_gamma(y + 1.0) - of_size};
    });
  }

 private:
  double R_;
};

}  // namespace gpstream

#endif
