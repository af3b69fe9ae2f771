// Sites of every likelihood: the law they obey, what they bound, and the numbers of the reference.
#include "../../src/core/likelihoods/expectation.h"
#include "../../src/core/likelihoods/probit.h"
#include "golden_likelihoods.h"
#include "likelihood_examples.h"

using namespace gpstream;

namespace {

Vector expected(const Likelihood& of, const Responses& rows, const Latent& at, double dispersion = phi) {
  const double use = of.kappa() > 0 ? dispersion : 1;
  return expected_sites(of.sites(rows, at, use), at, use, of.kappa());
}
double expected(const Likelihood& of, const Example& at, double m, double s2) {
  return expected(of, response(at), {one(m), one(s2)})(0);
}
const std::vector<std::pair<double, double>> places = {{0.3, 0.4}, {-1.2, 0.01}, {1.1, 0.8}, {-2.5, 3.0}};

}  // namespace

TEST(
    "every likelihood takes something, refuses what is none, and is made again from its "
    "specification") {
  for_each_likelihood([](const Likelihood& of) {
    holds(examples(of).size() >= 2, of, "has examples");
    const double inf = std::numeric_limits<double>::infinity();
    for (double y : {inf, -inf, std::nan("")})
      holds(!of.refuses(y, 1).empty() || of.fixed(), of, "refuses", y);
    holds(likelihood_registry().count(of.name()) == 1, of, "is registered by its name");
    const LikelihoodSpec spec = of.spec(), again = make_likelihood(spec)->spec();
    holds(spec.name == again.name && spec.numbers == again.numbers, of, "is made again");
    for (const LikelihoodParameter& p : of.parameters()) {
      holds(spec.numbers.count(p.name) == 1 && spec.numbers.at(p.name) == p.value, of, "names its numbers");
      holds(p.lower < p.value && p.value < p.upper && (!p.log || p.lower > 0), of, "is within its limits");
      for (double value : {p.lower, p.upper, std::sqrt(2.0) * p.value}) {
        LikelihoodSpec other = spec;
        other.numbers[p.name] = value;
        holds(make_likelihood(other)->spec().numbers.at(p.name) == value, of, "takes other numbers");
      }
    }
    holds((of.kappa() > 0) || of.unit() > 0, of, "has a unit");
  });
}

TEST("[derivation 20] the law: de/dm = (ga - om m) / phi and de/ds2 = -om / (2 phi), by differences") {
  for_each_likelihood([](const Likelihood& of) {
    for (const Example& at : examples(of))
      for (const auto& [m, s2] : places) {
        const double use = of.kappa() > 0 ? phi : 1;
        const Sites S = of.sites(response(at), {one(m), one(s2)}, use);
        const auto slope = [&](double step, bool mean) {
          const auto e = [&](double k) {
            return mean ? expected(of, at, m + k * step, s2) : expected(of, at, m, s2 + k * step);
          };
          return (8 * (e(1) - e(-1)) - (e(2) - e(-2))) / (12 * step);
        };
        const double om = S(0, site::om), ga = S(0, site::ga);
        holds(near(slope(2e-3, true), (ga - om * m) / use, 1e-6), of, "de/dm", at.y, m, s2);
        holds(near(slope(1e-2 * s2, false), -0.5 * om / use, 1e-6), of, "de/ds2", at.y, m, s2);
        holds(om >= 0 && S(0, site::n) == 1, of, "weight", at.y, m, s2);
      }
  });
}

TEST("[derivation 20] e is E log p, or below it; a bound is below log p(y | f) for every f") {
  for_each_likelihood([](const Likelihood& of) {
    for (const Example& at : examples(of))
      for (const auto& [m, s2] : places) {
        const NodesOfNormal nodes = normal_nodes(m, s2, at.y);
        const double exact = nodes.weight.dot(log_likelihood(of, at, nodes.f));
        const double e = expected(of, at, m, s2);
        holds(of.bounds() ? e <= exact + 1e-9 : near(e, exact, 1e-9), of, "e", at.y, m, s2);
        if (!of.bounds()) continue;
        const double use = of.kappa() > 0 ? phi : 1;
        const Sites S = of.sites(response(at), {one(m), one(s2)}, use);
        const Vector f = Vector::LinSpaced(2001, -30, 30);
        const Vector site =
            expected_sites(S.replicate(f.size(), 1), {f, Vector::Zero(f.size())}, use, of.kappa());
        holds(((log_likelihood(of, at, f) - site).array() > -1e-10).all(), of, "bound", at.y, m, s2);
      }
  });
}

TEST("rows count as often as they weigh, and an offset moves f") {
  for_each_likelihood([](const Likelihood& of) {
    const std::vector<Example> all = examples(of);
    for (const Example& at : all) {
      Responses rows = response(at);
      const Latent f{one(0.7), one(0.5)}, moved{one(0.3), one(0.5)};
      const double plain = expected(of, rows, f)(0);
      rows.offset = one(0.4);
      holds(near(expected(of, rows, moved)(0), plain, 1e-12), of, "offset", at.y);
      if (of.fixed()) continue;
      holds(near(of.start(rows, phi).mean(0) + 0.4, of.start(response(at), phi).mean(0), 1e-12), of, "start",
            at.y);
      rows.offset = Vector();
      rows.weights = one(2.5);
      holds(near(expected(of, rows, f)(0), 2.5 * plain, 1e-12), of, "weight", at.y);
    }
  });
}

TEST("sites are numbers wherever f is, and for whatever is taken") {
  for_each_likelihood([](const Likelihood& of) {
    for (double y : {-1e100, -3000.0, 0.0, 1.0, 3000.0, 1e-200, 1e12, 1e100})
      for (double more : {-1.0, 0.0, 1.0, 1e6}) {
        if (!of.refuses(y, more).empty()) continue;
        const Latent start = of.start(response({y, more}), phi);
        for (const auto& [m, s2] :
             std::vector<std::pair<double, double>>{{0, 25},
                                                    {0, 0},
                                                    {-1e4, 1},
                                                    {1e4, 1},
                                                    {300, 1e4},
                                                    {-40, 100},
                                                    {1e8, 1e8},
                                                    {start.mean(0), start.variance(0)}}) {
          const Sites S = of.sites(response({y, more}), {one(m), one(s2)}, phi);
          holds(S.array().isFinite().all() && S(0, site::om) >= 0, of, "finite", y, m, s2);
        }
      }
  });
}

TEST("in other units of y sites, noise and dispersion are the same") {
  for_each_likelihood([](const Likelihood& of) {
    if (!of.location() || of.fixed()) return;
    const double unit = std::ldexp(1.0, 40), square = unit * unit;
    LikelihoodSpec spec = of.spec();
    if (spec.numbers.count("noise") == 1) spec.numbers["noise"] *= square;
    const LikelihoodPtr large = make_likelihood(spec);
    const double by = of.noise_variance(4.0) == 4.0 * of.noise_variance(1.0) ? square : unit;  // phi's own
    const double dispersion = of.typical_dispersion(1.0), to = of.kappa() > 0 || of.latents() > 1 ? by : 1.0;
    holds(near(of.typical_dispersion(square), to * dispersion, 1e-12), of, "typical dispersion");
    holds(near(large->noise_variance(to * dispersion), square * of.noise_variance(dispersion), 1e-12), of,
          "noise");
    const Index K = of.latents();
    Vector f_unit = Vector::Ones(K);
    f_unit(0) = unit;
    for (const Example& at : examples(of)) {
      const Latent f{Vector::Constant(K, 0.7), Vector::Constant(K, 0.5)};
      const Latent there{f.mean.cwiseProduct(f_unit), f.variance.cwiseProduct(f_unit.cwiseAbs2())};
      const Sites S = of.sites(response(at), f, dispersion);
      const Sites L = large->sites(response({unit * at.y, at.more}), there, to * dispersion);
      for (Index k = 0; k < K; ++k) {
        const double p = S(k, site::om) / dispersion, g = S(k, site::ga) / dispersion;
        holds(near(f_unit(k) * f_unit(k) * L(k, site::om) / (to * dispersion), p, 1e-12), of, "om", at.y);
        holds(near(f_unit(k) * L(k, site::ga) / (to * dispersion), g, 1e-12), of, "ga", at.y);
      }
    }
  });
}

TEST("sites and expectations equal the fixtures") {
  for (const golden::Quadrature& at : golden::quadrature()) {
    const LogisticMoments of = logistic_moments(at.m, at.s2);
    CHECK(near(of.sigmoid, at.sigmoid, 1e-10) && near(of.slope, at.slope, 1e-10));
    CHECK(near(of.softplus, at.softplus, 1e-10));
    CHECK(near(expected_log_normal(at.m, at.s2).value, at.log_normal, 1e-10));
  }
  for (const auto& fixture : golden::sites()) {
    const LikelihoodPtr of = make_likelihood({fixture.name, fixture.numbers});
    const double share = golden::share_of_f(fixture);
    for (const golden::Site& row : fixture.rows) {
      const Responses rows{one(row.y), one(row.weight), one(row.more), one(share * row.offset)};
      const Latent at{one(share * row.m), one(share * share * row.s2)};
      const Sites S = of->sites(rows, at, fixture.phi);
      holds(near(share * share * S(0, site::om), row.om, 1e-10), *of, "om of the fixture", row.y, row.m,
            row.s2);
      holds(near(share * S(0, site::ga), row.ga, 1e-10), *of, "ga of the fixture", row.y, row.m, row.s2);
      holds(near(expected_sites(S, at, fixture.phi, of->kappa())(0), row.e, 1e-10), *of, "e of the fixture",
            row.y, row.m, row.s2);
    }
  }
}

TEST("predictive distributions equal the fixtures") {
  for (const auto& fixture : golden::predictives()) {
    const LikelihoodPtr of = make_likelihood({fixture.name, fixture.numbers});
    const double share = golden::share_of_f(fixture);
    for (const golden::Predictive& row : fixture.rows) {
      const PredictivePtr p = of->predictive({one(share * (row.m + row.offset)), one(share * share * row.s2)},
                                             one(row.more), fixture.phi);
      const auto same = [&](double value, double fixed, const char* what) {
        holds(std::isnan(fixed) || near(value, fixed, 1e-8), *of, what, row.y, row.m, row.s2);
      };
      const bool censored = of->name() == "weibull" && row.more == 0;
      const double beyond = std::log1p(-p->probability(one(row.y))(0));
      same(p->mean()(0), row.mean, "mean of the fixture");
      same(p->variance()(0), row.variance, "variance of the fixture");
      same(censored ? beyond : p->log_density(one(row.y))(0), row.log_density, "log density of the fixture");
      same(p->probability(one(row.y))(0), row.probability, "probability of the fixture");
    }
  }
}
