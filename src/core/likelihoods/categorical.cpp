#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../evidence/site.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "categorical_predictive.h"
#include "classes_predictive.h"
#include "expectation.h"
#include "likelihood.h"
#include "log_concave.h"
#include "normal.h"
#include "parameters.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

double log_sum_exp(const Vector& t) {
  const double top = t.maxCoeff();
  return top + std::log((t.array() - top).exp().sum());
}

Vector softmax(const Vector& t) {
  const Vector e = (t.array() - t.maxCoeff()).exp();
  return e / e.sum();
}

namespace {

// P(f + G <= t) and its slope in t, f ~ N(m, s^2): a sum over f, or over -G where f is the wider.
struct LargestAt {
  struct Node {
    double place, weight;
  };
  double m, s;
  bool wide;
  std::vector<Node> nodes;

  LargestAt(double mean, double sd) : m(mean), s(sd), wide(sd > 2.0) {
    const auto add = [&](double place, double weight) { nodes.push_back({place, weight}); };
    if (wide) {
      from_mode(ExpShape{1.0}.fall(0.0), 0.0, add);
      double total = 0.0;
      for (const Node& node : nodes) total += node.weight;
      for (Node& node : nodes) node.weight /= total;
    } else {
      at_nodes(m, s * s, 1.5, add);
    }
  }
  std::pair<double, double> operator()(double t) const {
    double below = 0.0, density = 0.0;
    for (const Node& node : nodes) {
      if (wide) {
        const double z = (t - m + node.place) / s;
        below += node.weight * normal_probability(z);
        density += node.weight * normal_density(z) / s;
      } else {
        const double x = std::exp(std::min(node.place - t, 7.0)), part = node.weight * std::exp(-x);
        below += part;
        density += x * part;
      }
    }
    return {below, density};
  }
};

}  // namespace

Vector expected_softmax(const Vector& m, const Vector& s) {
  const Index K = m.size();
  std::vector<LargestAt> one;
  for (Index k = 0; k < K; ++k) one.emplace_back(m(k), s(k));
  const double h = std::max(0.5, 0.2 * s.minCoeff());
  const double from = (m - 8.5 * s).maxCoeff() - 4.0, to = (m + 8.5 * s).maxCoeff() + 24.0;
  Vector below(K), density(K), out = Vector::Zero(K);
  for (double t = from; t < to; t += h) {
    for (Index k = 0; k < K; ++k) std::tie(below(k), density(k)) = one[static_cast<std::size_t>(k)](t);
    for (Index k = 0; k < K; ++k) {
      double product = density(k);
      for (Index j = 0; j < K; ++j)
        if (j != k) product *= below(j);
      out(k) += product;
    }
  }
  return out / out.sum();
}

CategoricalPredictive::CategoricalPredictive(const Latent& at, Index K)
    : ClassesPredictive(Latent{at.mean.head(at.mean.size() / K), at.variance.head(at.mean.size() / K)}) {
  const Index n = rows();
  log_.resize(n, K);
  below_.resize(n, K);
  Vector m(K), s(K);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < K; ++k) m(k) = at.mean(k * n + i), s(k) = std::sqrt(at.variance(k * n + i));
    if (std::isnan(m.sum() + s.sum())) continue;
    const Vector p = expected_softmax(m, s);
    double sum = 0.0;
    for (Index k = 0; k < K; ++k) {
      log_(i, k) = std::log(p(k));
      sum += p(k);
      below_(i, k) = k + 1 < K ? std::min(sum, 1.0) : 1.0;
    }
  }
}

double CategoricalPredictive::crps_of(Index i, double y) const {
  double sum = 0.0;
  for (Index k = 0; k < log_.cols(); ++k) {
    const double off = std::exp(log_(i, k)) - (static_cast<double>(k + 1) == y ? 1.0 : 0.0);
    sum += off * off;
  }
  return sum;
}

namespace {

// Classes without an order, y = 1, 2, ..., K, a latent function each: P(y = k) = e^(f_k) / sum_j e^(f_j), by
// the tilted bound, which holds for every q.  [derivation 20; Knowles and Minka 2011]
//   pi = softmax(m + (1/2 - pi) s2)      p_k = pi_k (1 - pi_k)      g_k = [y = k] - pi_k + p_k m_k
//   e = m_y - 1/2 sum_k pi_k^2 s2_k - log sum_k exp(m_k + (1/2 - pi_k) s2_k)
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

}  // namespace

LikelihoodPtr make_categorical(const LikelihoodSpec& spec) { return std::make_shared<Categorical>(spec); }

}  // namespace gpstream
