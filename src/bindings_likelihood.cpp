// Likelihoods and predictive distributions: convert, call, return.
#include "classed.h"
#include "core/likelihoods/likelihoods.h"

using namespace gpstream;

// `mean` and `variance` are those of the latent function. `at`: probabilities for "quantile", whose
// answers follow one another; one uniform number a row for "draw"; one observation a row for the last three;
// not used otherwise.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_predictive(std::string likelihood, const Eigen::Map<Eigen::VectorXd> mean,
                                const Eigen::Map<Eigen::VectorXd> variance, double dispersion,
                                std::string what, const Eigen::Map<Eigen::VectorXd> at) {
  return classed([&]() -> Vector {
    const PredictivePtr p = make_likelihood(likelihood)->predictive(mean, variance, dispersion);
    if (what == "mean") return p->mean();
    if (what == "variance") return p->variance();
    if (what == "draw") return p->draw(at);
    if (what == "log_density") return p->log_density(at);
    if (what == "probability") return p->probability(at);
    if (what == "crps") return p->crps(at);
    require(what == "quantile", "parameter", "there is no \"" + what + "\" of a predictive distribution.");
    Vector out(p->rows() * at.size());
    for (Index i = 0; i < at.size(); ++i) out.segment(i * p->rows(), p->rows()) = p->quantile(at(i));
    return out;
  });
}
