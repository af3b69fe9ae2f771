// Likelihoods and predictive distributions: convert, call, return.
#include "classed.h"
#include "convert_state.h"

using namespace gpstream;

// `mean` and `variance` are those of the latent function, `more` is what the likelihood needs beside it, the
// number of trials say, or empty. `at`: probabilities for "quantile", whose
// answers follow one another; one uniform number a row for "draw"; one observation a row for the last three;
// not used otherwise.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_predictive(Rcpp::List likelihood, const Eigen::Map<Eigen::VectorXd> mean,
                                const Eigen::Map<Eigen::VectorXd> variance,
                                const Eigen::Map<Eigen::VectorXd> more, double dispersion, std::string what,
                                const Eigen::Map<Eigen::VectorXd> at) {
  return classed([&]() -> Vector {
    const PredictivePtr p = likelihood_from(likelihood)->predictive({mean, variance}, more, dispersion);
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

// What is wrong with the first observation that there can not be: its number, from 1, and why; nothing where
// all can be.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_refused(Rcpp::List likelihood, const Eigen::Map<Eigen::VectorXd> y,
                        const Eigen::Map<Eigen::VectorXd> more) {
  return classed([&] {
    const LikelihoodPtr one = likelihood_from(likelihood);
    for (Index i = 0; i < y.size(); ++i) {
      const std::string why = one->refuses(y(i), more.size() > 0 ? more(i) : 1.0);
      if (!why.empty()) return Rcpp::List::create(_["row"] = static_cast<double>(i + 1), _["why"] = why);
    }
    return Rcpp::List::create();
  });
}
