// Classes without an order, y = 1, 2, ..., K, a latent function each: P(y = k) = e^(f_k) / sum_j e^(f_j), by
// the tilted bound, which holds for every q.  [derivation 20; Knowles and Minka 2011]
//   pi = softmax(m + (1/2 - pi) s2)      p_k = pi_k (1 - pi_k)      g_k = [y = k] - pi_k + p_k m_k
//   e = m_y - 1/2 sum_k pi_k^2 s2_k - log sum_k exp(m_k + (1/2 - pi_k) s2_k)
#ifndef GPSTREAM_LIKELIHOODS_CATEGORICAL_H
#define GPSTREAM_LIKELIHOODS_CATEGORICAL_H

#include "categorical_predictive.h"
#include "parameters.h"

namespace gpstream {

class Categorical final : public Likelihood {
 public:
  explicit Categorical(const LikelihoodSpec& spec) {
    const double classes = number_of(spec, "classes", 3.0);
    require(is_whole(classes) && classes >= 2 && classes <= 1000, "parameter",
            "there must be from 2 to 1000 classes.");
    K_ = static_cast<Index>(classes);
  }

  LikelihoodSpec spec() const override { return {"categorical", {{"classes", static_cast<double>(K_)}}}; }
  Index latents() const override { return K_; }
  std::vector<LatentScale> others(double variance) const override {
    return std::vector<LatentScale>(static_cast<std::size_t>(K_ - 1), {variance, 0.0});
  }
  std::string refuses(double y, double) const override {
    const bool one = is_whole(y) && y >= 1 && y <= static_cast<double>(K_);
    return one ? "" : "must be a class from 1 to " + std::to_string(K_);
  }
  Latent start(const Responses& rows, double) const override {
    const Index n = rows.size();
    Latent out{Vector::Zero(K_ * n), Vector::Ones(K_ * n)};
    for (Index i = 0; i < n; ++i) out.mean(chosen(rows.y(i)) * n + i) = 1.0;
    return out;
  }
  PredictivePtr predictive(const Latent& at, const Vector&, double) const override {
    return std::make_unique<CategoricalPredictive>(at, K_);
  }

 protected:
  Sites unit_sites(const Responses& rows, const Latent& at, double) const override {
    const Index n = rows.size();
    Sites out(K_ * n, site::columns);
    Vector m(K_), s2(K_);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < K_; ++k) m(k) = at.mean(k * n + i), s2(k) = at.variance(k * n + i);
      const Index y = chosen(rows.y(i));
      const Vector pi = tilted(m, s2), t = m + (0.5 - pi.array()).matrix().cwiseProduct(s2);
      const double e = m(y) - 0.5 * pi.cwiseAbs2().dot(s2) - log_sum_exp(t);
      for (Index k = 0; k < K_; ++k) {
        const double p = pi(k) * (1.0 - pi(k)), g = (k == y ? 1.0 : 0.0) - pi(k) + p * m(k);
        put(out, k * n + i, k == 0 ? e : 0.0, g, p, m(k), s2(k));
      }
    }
    return out;
  }

 private:
  static Index chosen(double y) { return static_cast<Index>(y) - 1; }

  // The fixed point, which is the minimum of a convex function.
  static Vector tilted(const Vector& m, const Vector& s2) {
    Vector a = softmax(m);
    const double damping = 1.0 / (1.0 + 0.25 * s2.maxCoeff());
    for (int step = 0; step < 2000; ++step) {
      const Vector away = softmax(m + (0.5 - a.array()).matrix().cwiseProduct(s2)) - a;
      a += damping * away;
      if (!(away.cwiseAbs().maxCoeff() > 1e-15)) break;
    }
    return a;
  }

  Index K_;
};

}  // namespace gpstream

#endif
