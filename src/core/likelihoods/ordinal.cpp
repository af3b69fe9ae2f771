#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../evidence/site.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "between.h"
#include "classes_predictive.h"
#include "expectation.h"
#include "likelihood.h"
#include "log_concave.h"
#include "ordinal_predictive.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

OrdinalPredictive::OrdinalPredictive(const Latent& at, const std::vector<double>& cuts)
    : ClassesPredictive(at) {
  const Index K = static_cast<Index>(cuts.size()) - 1;
  log_.resize(rows(), K);
  below_.resize(rows(), K);
  for (Index i = 0; i < rows(); ++i) {
    if (std::isnan(m(i)) || std::isnan(s2(i))) continue;
    for (Index j = 0; j < K; ++j) {
      below_(i, j) = j + 1 < K ? logistic_moments(cuts[j + 1] - m(i), s2(i)).sigmoid : 1.0;
      const double p = below_(i, j) - (j > 0 ? below_(i, j - 1) : 0.0);
      log_(i, j) = p > 1e-3 ? std::log(p) : log_expectation(BetweenShape{cuts[j], cuts[j + 1]}, m(i), s2(i));
    }
  }
}

double OrdinalPredictive::crps_of(Index i, double y) const {
  double sum = 0.0;
  for (Index j = 0; j < below_.cols(); ++j) {
    const double off = below_(i, j) - (static_cast<double>(j + 1) >= y ? 1.0 : 0.0);
    sum += off * off;
  }
  return sum;
}

namespace {

// Classes in an order, y = 1, 2, ..., K: P(y <= j) = sigma(b_j - f) with cuts b_1 < b_2 < ... , l and u those
// about the class.  [derivation 20]
//   e = E log sigma(u - f) + E log sigma(f - l) + log(1 - e^(l - u))
//   g = E sigma(u - f) + E sigma(l - f) - 1 + p m      p = E sigma' (u - f) + E sigma' (l - f)
// Its numbers are the first cut and the gaps to the others, which are positive; cuts are taken as well.
class Ordinal final : public Likelihood {
 public:
  // "cut1", then for each further class "gap2" or "cut2", and so on; three classes if there are none.
  explicit Ordinal(const LikelihoodSpec& spec) {
    const double inf = std::numeric_limits<double>::infinity();
    const bool none = spec.numbers.empty();
    cuts_ = {-inf, number_of(spec, "cut1", none ? -1.0 : inf)};
    for (int j = 2;; ++j) {
      const std::string at = std::to_string(j);
      const double gap = number_of(spec, "gap" + at, none && j == 2 ? 2.0 : inf);
      const double cut = std::isinf(gap) ? number_of(spec, "cut" + at, inf) : cuts_.back() + gap;
      if (std::isinf(cut)) break;
      gaps_.push_back(std::isinf(gap) ? cut - cuts_.back() : gap);
      cuts_.push_back(cut);
    }
    for (size_t j = 1; j < cuts_.size(); ++j)
      require(std::isfinite(cuts_[j]) && cuts_[j] > cuts_[j - 1], "parameter",
              "cuts must be finite and increase.");
    cuts_.push_back(inf);
  }

  LikelihoodSpec spec() const override {
    LikelihoodSpec out{"ordinal", {{"cut1", cuts_[1]}}};
    for (size_t j = 0; j < gaps_.size(); ++j) out.numbers["gap" + std::to_string(j + 2)] = gaps_[j];
    return out;
  }
  double unit() const override { return 2.0; }
  std::string refuses(double y, double) const override {
    const int K = static_cast<int>(cuts_.size()) - 1;
    return is_whole(y) && y >= 1 && y <= K ? "" : "must be a class from 1 to " + std::to_string(K);
  }
  std::vector<LikelihoodParameter> parameters() const override {
    std::vector<LikelihoodParameter> out = {{"cut1", cuts_[1], -100.0, 100.0, false}};
    for (size_t j = 0; j < gaps_.size(); ++j)
      out.push_back({"gap" + std::to_string(j + 2), gaps_[j], 1e-3, 100.0});
    return out;
  }
  Latent start(const Responses& rows, double) const override {
    Vector mean(rows.size());
    for (Index i = 0; i < rows.size(); ++i) {
      const double l = lower(rows.y(i)), u = upper(rows.y(i));
      mean(i) = std::isinf(l) ? u - 1.0 : std::isinf(u) ? l + 1.0 : 0.5 * (l + u);
    }
    return start_of(rows, std::move(mean), Vector::Ones(rows.size()));
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<OrdinalPredictive>(at, cuts_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    Sites out(rows.size(), site::columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const double l = lower(rows.y(i)), u = upper(rows.y(i)), m = at.mean(i), s2 = at.variance(i);
      double e = BetweenShape{l, u}.constant(), slope = 0.0, p = 0.0;
      if (!std::isinf(u)) {
        const LogisticMoments of = logistic_moments(m - u, s2);
        e -= of.softplus, slope -= of.sigmoid, p += of.slope;
      }
      if (!std::isinf(l)) {
        const LogisticMoments of = logistic_moments(l - m, s2);
        e -= of.softplus, slope += of.sigmoid, p += of.slope;
      }
      put(out, i, e, slope + p * m, p, m, s2);
    }
    return out;
  }

 private:
  double lower(double y) const { return cuts_[static_cast<size_t>(y) - 1]; }
  double upper(double y) const { return cuts_[static_cast<size_t>(y)]; }
  std::vector<double> cuts_, gaps_;  // cuts with -infinity before and infinity behind
};

}  // namespace

LikelihoodPtr make_ordinal(const LikelihoodSpec& spec) { return std::make_shared<Ordinal>(spec); }

}  // namespace gpstream
