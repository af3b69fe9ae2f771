// Every likelihood by its name in the registry, and nothing else asked: what it takes it says itself.
#ifndef GPSTREAM_TEST_LIKELIHOOD_EXAMPLES_H
#define GPSTREAM_TEST_LIKELIHOOD_EXAMPLES_H

#include <cmath>

#include "../../src/core/likelihoods/likelihoods.h"
#include "check.h"

namespace gpstream {

constexpr double phi = 0.3;
inline bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * (1 + std::abs(b));
}
Vector one(double value);

// `what` failed for a likelihood, here.
void holds(bool ok, const Likelihood& of, const char* what, double y = 0, double m = 0, double s2 = 0);

struct Example {
  double y, more;
};
std::vector<Example> examples(const Likelihood& of);
Responses response(const Example& at, Index rows = 1);

PredictivePtr predictive(const Likelihood& of, const Latent& at, double more);
PredictivePtr predictive(const Likelihood& of, double m, double s2, double more, Index rows = 1);

// log p(y | f): what is predicted where f is known. Of a censored row it is that of what lies beyond.
Vector log_likelihood(const Likelihood& of, const Example& at, const Vector& f);

// Nodes and weights of a normal distribution, brute force: Boole's rule, in two parts where there is a kink.
struct NodesOfNormal {
  Vector f, weight;
};
NodesOfNormal normal_nodes(double m, double s2, double kink);

// As it is by default, and with each of its numbers smaller and larger.
template <class Body>
void for_each_likelihood(const Body& body) {
  for (const auto& entry : likelihood_registry()) {
    const LikelihoodPtr plain = make_likelihood(entry.first);
    if (plain->latents() > 1) continue;  // test_latents.cpp
    body(*plain);
    for (const auto& number : plain->spec().numbers)
      for (double factor : {0.4, 1.8}) {
        LikelihoodSpec spec = plain->spec();
        spec.numbers[number.first] *= factor;
        body(*make_likelihood(spec));
      }
  }
}

}  // namespace gpstream

#endif
