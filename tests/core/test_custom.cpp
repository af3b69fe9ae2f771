// A likelihood that is given by functions: where these are those of one there is, it is that one.
#include "../../src/core/likelihoods/custom.h"
#include "../../src/core/likelihoods/likelihoods.h"
#include "../../src/core/likelihoods/special.h"
#include "check.h"

using namespace gpstream;

namespace {

CustomFunctions poisson_functions() {
  CustomFunctions out;
  out.log_density = [](const Vector& y, const Vector& f) {
    Vector value(f.size());
    for (Index i = 0; i < f.size(); ++i) value(i) = y(i) * f(i) - std::exp(f(i)) - log_gamma(y(i) + 1.0);
    return value;
  };
  out.start = [](const Vector& y) { return Vector((y.array() + 0.5).log()); };
  out.mean = [](const Vector& f) { return Vector(f.array().exp()); };
  return out;
}

const Responses rows{(Vector(4) << 0, 2, 7, 40).finished()};
const Latent at{(Vector(4) << -0.5, 0.3, 2.0, 3.0).finished(), (Vector(4) << 1.0, 0.2, 0.01, 2.0).finished()};

}  // namespace

TEST("sites and log densities from a function are those of the likelihood it is of") {
  const Custom own(LikelihoodSpec{"custom"}, poisson_functions());
  const LikelihoodPtr poisson = make_likelihood("poisson");
  const Likelihood& known = *poisson;
  const Sites a = own.sites(rows, at, 1.0), b = known.sites(rows, at, 1.0);
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      CHECK(std::abs(a(i, j) - b(i, j)) < 1e-8 * (1.0 + std::abs(b(i, j))));
  const PredictivePtr p = own.predictive(at, Vector(), 1.0), q = known.predictive(at, Vector(), 1.0);
  const Vector far = (Vector(4) << 300, 0, 3000, 1).finished();  // where the density is narrow, and far out
  for (const Vector& y : {rows.y, far})
    CHECK((p->log_density(y) - q->log_density(y)).cwiseQuotient(q->log_density(y)).cwiseAbs().maxCoeff() <
          1e-8);
  CHECK((p->mean() - q->mean()).cwiseQuotient(q->mean()).cwiseAbs().maxCoeff() < 1e-8);
}

TEST("a weight that comes out negative is 0, and what is not at hand is missed when it is needed") {
  CustomFunctions convex = poisson_functions();
  convex.log_density = [](const Vector&, const Vector& f) { return Vector(f.array().square()); };
  CHECK(Custom(LikelihoodSpec{"custom"}, convex).sites(rows, at, 1.0).col(site::om).maxCoeff() == 0.0);
  const LikelihoodPtr bare = make_likelihood(LikelihoodSpec{"custom", {{"df", 3.0}}});
  CHECK(bare->spec().numbers.at("df") == 3.0);
  CHECK_THROWS(bare->sites(rows, at, 1.0), "likelihood");
  CHECK_THROWS(
      Custom(LikelihoodSpec{"custom"}, poisson_functions()).predictive(at, Vector(), 1.0)->quantile(0.5),
      "likelihood");
}
