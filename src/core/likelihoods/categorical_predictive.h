// Classes without an order: E softmax(f), f_k ~ N(m_k, s2_k). Class k has the largest of f_j + G_j, where the
// G_j are independent, of Gumbel's distribution, exp(-e^-t); so that with F_j and p_j, distribution and
// density of f_j + G_j, its probability is an integral over one variable,
//   P(k) = integral p_k(t) prod_(j != k) F_j(t) dt     F_j(t) = E exp(-e^(f_j - t))
// both by the trapezoidal rule.  [derivation 20]
#ifndef GPSTREAM_CATEGORICAL_PREDICTIVE_H
#define GPSTREAM_CATEGORICAL_PREDICTIVE_H

#include <tuple>
#include <utility>
#include <vector>

#include "classes_predictive.h"
#include "log_concave.h"

namespace gpstream {

inline double log_sum_exp(const Vector& t) {
  const double top = t.maxCoeff();
  return top + std::log((t.array() - top).exp().sum());
}
inline Vector softmax(const Vector& t) {
  const Vector e = (t.array() - t.maxCoeff()).exp();
  return e / e.sum();
}

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

// E softmax(f), f_k ~ N(m_k, s_k^2).
inline Vector expected_softmax(const Vector& m, const Vector& s) {
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

class CategoricalPredictive final : public ClassesPredictive {
 public:
  CategoricalPredictive(const Latent& at, Index K)
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

 protected:
  // Brier's score: the sum of (P(k) - 1[k = y])^2.
  double crps_of(Index i, double y) const override {
    double sum = 0.0;
    for (Index k = 0; k < log_.cols(); ++k) {
      const double off = std::exp(log_(i, k)) - (static_cast<double>(k + 1) == y ? 1.0 : 0.0);
      sum += off * off;
    }
    return sum;
  }
};

}  // namespace gpstream

#endif
