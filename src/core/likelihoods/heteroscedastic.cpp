// Noise that varies: y ~ N(f, phi e^h), with latent functions f and h; phi is what the noise typically is,
// and fixed.  [derivation 20]
//   w = e^(-m_h + s2_h / 2) / phi     u = (y - m_f)^2 + s2_f     e = -1/2 log(2 pi phi) - m_h / 2 - u w / 2
//   f: p = w, g = w y                 h: p = u w / 2, g = -1/2 + p + p m_h
// Not concave in both together; a step that lowers the objective is halved.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../evidence/site.h"
#include "../linear/types.h"
#include "expectation.h"
#include "likelihood.h"
#include "normal.h"
#include "normal_mixture.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

namespace {

// f and noise of variance phi e^h, the sum over h by the trapezoidal rule.
class VaryingNoisePredictive final : public NormalMixturePredictive {
 public:
  VaryingNoisePredictive(const Latent& f, Latent h, double phi)
      : NormalMixturePredictive(f, phi), h_(std::move(h)) {}

 protected:
  double typical_noise(Index i) const override { return phi() * std::exp(h_.mean(i)); }
  double heavy(Index i) const override {
    const double s = std::sqrt(h_.variance(i));
    if (0.5 * h_.mean(i) + s * s / 16.0 > 750.0) return infinity;  // so large is the CRPS, in logarithms
    return s > 10.0 ? std::min(0.05 * s, 2.0) : 0.0;
  }
  double variance_of(Index i) const override {
    return s2(i) + phi() * std::exp(h_.mean(i) + 0.5 * h_.variance(i));
  }
  MixtureNodes nodes(Index i) const override {
    MixtureNodes out;
    at_nodes(h_.mean(i), h_.variance(i), logistic_width, [&](double h, double weight) {
      if (weight > 0) out.push_back({std::log(weight), phi() * std::exp(h), weight});
    });
    return out;
  }

 private:
  Latent h_;
};

class Heteroscedastic final : public Likelihood {
 public:
  LikelihoodSpec spec() const override { return {"heteroscedastic"}; }
  Index latents() const override { return 2; }
  std::vector<LatentScale> others(double) const override { return {{1.0, 0.0}}; }
  double typical_dispersion(double variance) const override { return typical_noise * variance; }
  bool location() const override { return true; }
  std::string refuses(double y, double) const override { return refuses_infinite(y); }

  Latent start(const Responses& rows, double phi) const override {
    const Index n = rows.size();
    Latent out{Vector::Zero(2 * n), Vector::Ones(2 * n)};
    out.mean.head(n) = start_of(rows, rows.y, Vector()).mean;
    out.variance.head(n).setConstant(phi);
    return out;
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double phi) const override {
    const Index n = at.mean.size() / 2;
    return std::make_unique<VaryingNoisePredictive>(Latent{at.mean.head(n), at.variance.head(n)},
                                                    Latent{at.mean.tail(n), at.variance.tail(n)}, phi);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double phi) const override {
    const Index n = rows.size();
    Sites out(2 * n, site::columns);
    for (Index i = 0; i < n; ++i) {
      const double y = rows.y(i), m = at.mean(i), s2 = at.variance(i), mh = at.mean(n + i),
                   sh = at.variance(n + i);
      const double w = std::exp(std::min(-mh + 0.5 * sh, 300.0)) / phi, u = (y - m) * (y - m) + s2,
                   p = 0.5 * u * w;
      put(out, i, -0.5 * std::log(phi) - log_sqrt_2_pi - 0.5 * mh - p, w * y, w, m, s2);
      put(out, n + i, 0.0, -0.5 + p + p * mh, p, mh, sh);
    }
    out.col(site::om) *= phi;
    out.col(site::ga) *= phi;
    return out;
  }
};

}  // namespace

LikelihoodPtr make_heteroscedastic(const LikelihoodSpec&) { return std::make_shared<Heteroscedastic>(); }

}  // namespace gpstream
