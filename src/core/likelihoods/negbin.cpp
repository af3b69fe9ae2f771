// Counts that vary more than Poisson's: mean e^f, variance mean + mean^2 / R, R the size. A member of the
// logit family, with x = f - log R.  [derivation 20]
//   e = k + y x - (y + R) E log(1 + e^x)
//   g = y - (y + R) E sigma + p m      p = (y + R) E sigma (1 - sigma)
// with k = log Gamma(y + R) - log y! - log Gamma(R).
// P(Y <= k) = P(logit B <= log R - f), B ~ Beta(R, k + 1).
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "count_predictive.h"
#include "likelihood.h"
#include "log_concave.h"
#include "logit.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"
#include "special.h"

namespace gpstream {

namespace {

class NegbinPredictive final : public CountPredictive {
 public:
  NegbinPredictive(const Latent& at, double size) : CountPredictive(at), R_(size), log_R_(std::log(size)) {}

 protected:
  double mean_of(Index i) const override { return std::exp(m(i) + 0.5 * s2(i)); }
  double variance_of(Index i) const override {
    const double log_square = 2.0 * m(i) + s2(i);
    return mean_of(i) + std::exp(log_square + log_expm1(s2(i))) + std::exp(log_square + s2(i) - log_R_);
  }
  double log_density_of(Index i, double y) const override {
    if (!(is_whole(y) && y >= 0)) return -infinity;
    const LogitShape shape{y, y + R_, R_};
    if (y == 0) return log_expectation(shape, m(i) - log_R_, s2(i));
    return std::log(R_ / shape.n) + log_most_likely(y, R_) +
           log_expectation_below(shape, m(i) - log_R_, s2(i));
  }
  Tails tails(Index i, double k) const override {
    return tails_at_normal(LogitShape{R_, R_ + k + 1.0, k + 1.0}, log_R_ - m(i), s2(i));
  }
  double noise(Index) const override { return 1.0 / R_; }
  // Of the mean e^f G / R, G ~ Gamma(R).
  Tails large_tails(Index i, double log_k) const override {
    return tails_at_normal(ExpShape{R_}, log_k + log_R_ - m(i), s2(i));
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

}  // namespace

LikelihoodPtr make_negbin(const LikelihoodSpec& spec) { return std::make_shared<Negbin>(spec); }

}  // namespace gpstream
