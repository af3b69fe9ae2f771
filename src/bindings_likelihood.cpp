// Likelihoods and predictive distributions: convert, call, return.
#include "classed.h"
#include "convert_state.h"

using namespace gpstream;

namespace {

Vector predictive_values(const Predictive& p, const std::string& what, const ConstVectorView& at) {
  if (what == "mean") return p.mean();
  if (what == "variance") return p.variance();
  if (what == "draw") return p.draw(at);
  if (what == "log_density") return p.log_density(at);
  if (what == "probability") return p.probability(at);
  if (what == "crps") return p.crps(at);
  require(what == "quantile", "parameter", "there is no \"" + what + "\" of a predictive distribution.");
  return p.quantile(at(0));
}

}  // namespace

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
    const LikelihoodPtr of = likelihood_from(likelihood);
    const Index K = of->latents(), n = mean.size() / K;
    const bool each = what != "mean" && what != "variance" && what != "quantile";
    require(mean.size() == variance.size() && n * K == mean.size() &&
                (more.size() == 0 || more.size() == n) && (!each || at.size() == n),
            "dimension", "there must be one number for each row of the prediction.");
    const Eigen::Map<const Matrix> means(mean.data(), n, K), variances(variance.data(), n, K);
    Matrix out(n, what == "quantile" ? at.size() : 1);
    // no row depends on another; functions of R are dear to call, and look for an interrupt themselves
    const Index most = of->name() == "custom" ? 256 : std::max<Index>(1, 16 / K);
    for (Index from = 0; from < n; from += most) {
      check_interrupt();
      const Index rows = std::min(most, n - from);
      const auto part = [&](const auto& all) -> Vector {
        const Matrix some = all.middleRows(from, rows);
        return Eigen::Map<const Vector>(some.data(), some.size());
      };
      const Vector second = more.size() > 0 ? Vector(more.segment(from, rows)) : Vector();
      const PredictivePtr p = of->predictive({part(means), part(variances)}, second, dispersion);
      for (Index j = 0; j < out.cols(); ++j) {
        const Vector asked = each ? at.segment(from, rows) : at.segment(j, what == "quantile" ? 1 : 0);
        out.block(from, j, rows, 1) = predictive_values(*p, what, asked);
      }
    }
    return Eigen::Map<const Vector>(out.data(), out.size());
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
