#include "gaussian.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../linear/require.h"
#include "likelihood.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

Sites gaussian_sites(const ConstVectorView& y, const ConstVectorView& weights) {
  const double log_two_pi = 1.8378770664093454;
  Sites out(y.size(), site::columns);
  out.col(site::om) = weights;
  out.col(site::ga) = weights.cwiseProduct(y);
  out.col(site::c) = 0.5 * (weights.array().log() - log_two_pi);
  out.col(site::q) = weights.array() * y.array().square();
  out.col(site::n).setOnes();
  return out;
}

namespace {

class Gaussian final : public Likelihood {
 public:
  Gaussian() = default;
  explicit Gaussian(const LikelihoodSpec& spec) {
    const double outputs = number_of(spec, "outputs", 1.0);
    require(is_whole(outputs) && outputs >= 1 && outputs <= 1000, "parameter",
            "there must be from 1 to 1000 outputs.");
    outputs_ = static_cast<Index>(outputs);
  }

  LikelihoodSpec spec() const override {
    if (outputs_ == 1) return {"gaussian"};
    return {"gaussian", {{"outputs", static_cast<double>(outputs_)}}};
  }
  Index latents() const override { return outputs_; }
  std::vector<LatentScale> others(double variance) const override {
    return std::vector<LatentScale>(static_cast<std::size_t>(outputs_ - 1), {variance, 0.0});
  }
  double kappa() const override { return 0.5; }
  double typical_dispersion(double variance) const override { return typical_noise * variance; }
  bool fixed() const override { return true; }
  bool location() const override { return true; }
  bool bounds() const override { return true; }
  std::string refuses(double, double) const override { return ""; }
  Latent start(const Responses& rows, double phi) const override {
    return {rows.y, Vector::Constant(rows.size(), phi)};
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double phi) const override {
    return std::make_unique<GaussianPredictive>(at.mean, at.variance, phi);
  }

  Sites sites(const Responses& rows, const Latent&, double) const override {
    const Vector weights = rows.weights.size() > 0 ? rows.weights : Vector::Ones(rows.size());
    const Vector y = rows.offset.size() > 0 ? Vector(rows.y - rows.offset) : rows.y;
    if (outputs_ == 1) return gaussian_sites(y, weights);
    const Index n = rows.size();
    Sites out(outputs_ * n, site::columns);
    for (Index k = 0; k < outputs_; ++k) {
      const bool own = k > 0 && rows.weights_of_others.size() > 0;
      const Vector seen = k > 0 ? Vector(rows.others.col(k - 1)) : y;
      out.middleRows(k * n, n) =
          gaussian_sites(seen, own ? Vector(rows.weights_of_others.col(k - 1)) : weights);
      for (Index i = 0; i < n; ++i)
        if (std::isnan(seen(i))) out.row(k * n + i).setZero();
    }
    return out;
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double phi) const override {
    return sites(rows, at, phi);
  }

 private:
  Index outputs_ = 1;
};

}  // namespace

LikelihoodPtr make_gaussian(const LikelihoodSpec& spec) { return std::make_shared<Gaussian>(spec); }

}  // namespace gpstream
