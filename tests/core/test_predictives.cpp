// What new observations may be, under every likelihood: densities, moments, quantiles and scores against sums
// and integrals over a fine grid.
#include "../../src/core/likelihoods/count_predictive.h"
#include "../../src/core/likelihoods/crossing.h"
#include "../../src/core/likelihoods/log_concave.h"
#include "../../src/core/likelihoods/special.h"
#include "likelihood_examples.h"

using namespace gpstream;

namespace {

const std::vector<std::pair<double, double>> places = {{0.3, 0.4}, {-1.2, 0.01}, {1.1, 0.8}, {0.5, 0}};

// A second number that goes with a first.
double some_more(const Likelihood& of) { return of.refuses(1, 8).empty() ? 8 : 1; }
bool discrete(const Likelihood& of) { return !of.refuses(0.4, some_more(of)).empty(); }

double first(const Vector& values) { return values(0); }

// Where a distribution is, as places in y with weights for sums over them: whole numbers, or a fine grid in a
// variable that is even where the distribution is wide, cut into two at a place.
struct Grid {
  Vector y, weight, beyond;  // beyond: 1 where y is beyond the cut
};
using Map = std::function<std::pair<double, double>(double)>;  // y, and its slope

// Simpson's rule.
void add_part(Grid& out, double from, double to, int steps, bool beyond, const Map& at) {
  const Index had = out.y.size();
  for (Vector* one : {&out.y, &out.weight, &out.beyond}) one->conservativeResize(had + steps + 1);
  for (int j = 0; j <= steps; ++j) {
    const double h = (to - from) / steps;
    const auto [y, slope] = at(from + j * h);
    out.y(had + j) = y;
    out.weight(had + j) = slope * h / 3 * (j == 0 || j == steps ? 1 : j % 2 ? 4 : 2);
    out.beyond(had + j) = beyond;
  }
}
Grid grid(const Likelihood& of, const Predictive& p, int steps, double cut, double kink) {
  if (discrete(of)) {
    const double top = std::max(first(p.quantile(1 - 1e-14)), cut) + 1;
    const Index n = static_cast<Index>(top) + 1;
    const Vector y = Vector::LinSpaced(n, 0, top);
    return {y, Vector::Ones(n), (y.array() >= cut).cast<double>()};
  }
  Grid out;
  const double low = first(p.quantile(0.25)), high = first(p.quantile(0.75)), middle = first(p.quantile(0.5));
  if (of.location()) {
    const double unit = high - low;
    const Map at = [&](double w) {
      return std::make_pair(middle + unit * std::sinh(w), unit * std::cosh(w));
    };
    const double w = std::asinh((cut - middle) / unit), other = std::asinh((kink - middle) / unit);
    add_part(out, -25, std::min(w, other), steps, false, at);
    add_part(out, std::min(w, other), std::max(w, other), steps, other > w, at);
    add_part(out, std::max(w, other), 25, steps, true, at);
  } else {
    const Map at = [](double w) { return std::make_pair(std::exp(w), std::exp(w)); };
    const double unit = std::log(high / low), w = std::log(cut);
    add_part(out, std::log(middle) - 30 - 8 * unit, w, steps, false, at);
    add_part(out, w, std::log(middle) + 10 * unit + 5, steps, true, at);
  }
  return out;
}

PredictivePtr repeated(const Likelihood& of, double m, double s2, double more, const Grid& over) {
  return predictive(of, m, s2, more, over.y.size());
}

}  // namespace

TEST("[derivation 20] predictive densities add up to 1, with the mean and the variance that are said") {
  for_each_likelihood([](const Likelihood& of) {
    const double more = some_more(of);
    for (const auto& [m, s2] : places) {
      const PredictivePtr p = predictive(of, m, s2, more);
      const Grid over = grid(of, *p, 4000, first(p->quantile(0.5)), m);
      const Vector density =
          repeated(of, m, s2, more, over)->log_density(over.y).array().exp() * over.weight.array();
      const double mean = density.dot(over.y),
                   variance = density.dot((over.y.array() - mean).square().matrix());
      holds(near(density.sum(), 1, 1e-7), of, "total", density.sum(), m, s2);
      holds(near(mean, first(p->mean()), 1e-6), of, "mean", mean, m, s2);
      if (std::isinf(first(p->variance()))) continue;
      holds(near(variance, first(p->variance()), 1e-6), of, "variance", variance, m, s2);
    }
  });
}

TEST("[derivation 20] the log density is log E p(y | f), by brute force") {
  for_each_likelihood([](const Likelihood& of) {
    for (const Example& at : examples(of))
      for (const auto& [m, s2] :
           std::vector<std::pair<double, double>>{{0.3, 0.4}, {-3, 4}, {2, 2.5}, {0.1, 1e-4}}) {
        const NodesOfNormal nodes = normal_nodes(m, s2, at.y);
        const PredictivePtr known = predictive(of, {nodes.f, Vector::Zero(nodes.f.size())}, at.more);
        const Vector density = known->log_density(Vector::Constant(nodes.f.size(), at.y)).array().exp();
        const PredictivePtr p = predictive(of, m, s2, at.more);
        holds(near(first(p->log_density(one(at.y))), std::log(nodes.weight.dot(density)), 1e-8), of,
              "log density", at.y, m, s2);
        const Vector below = known->probability(Vector::Constant(nodes.f.size(), at.y));
        holds(near(first(p->probability(one(at.y))), nodes.weight.dot(below), 1e-9), of, "probability", at.y,
              m, s2);
      }
  });
}

TEST("distribution functions rise from 0 to 1, with the density as slope, and quantiles undo them") {
  for_each_likelihood([](const Likelihood& of) {
    const double more = some_more(of);
    for (const auto& [m, s2] : places) {
      const PredictivePtr p = predictive(of, m, s2, more);
      const Grid over = grid(of, *p, 100, first(p->quantile(0.5)), m);
      const PredictivePtr all = repeated(of, m, s2, more, over);
      const Vector F = all->probability(over.y);
      const Index n = F.size();
      holds(((F.tail(n - 1) - F.head(n - 1)).array() >= -1e-14).all(), of, "rises", 0, m, s2);
      holds(F.minCoeff() >= 0 && F.maxCoeff() <= 1 && F(n - 1) > 1 - 1e-9, of, "between 0 and 1", 0, m, s2);
      for (double level : {1e-9, 0.025, 0.3, 0.5, 0.77, 0.975, 1 - 1e-9}) {
        const double y = first(p->quantile(level)), at = first(p->probability(one(y)));
        holds(first(p->draw(one(level))) == y, of, "draw", y, m, s2);
        holds(of.refuses(y, more).empty(), of, "quantile is an observation", y, m, s2);
        if (discrete(of)) {
          const bool least =
              y == 0 || !of.refuses(y - 1, more).empty() || first(p->probability(one(y - 1))) < level;
          holds(at >= level && least, of, "quantile", level, m, s2);
        } else {
          const double h =
              1e-3 * std::abs(first(p->quantile(0.7)) - first(p->quantile(0.3))) * std::min(1.0, std::abs(y));
          const auto around = [&](double k) { return first(p->probability(one(y + k * h))); };
          const double slope = (8 * (around(1) - around(-1)) - (around(2) - around(-2))) / (12 * h);
          holds(std::abs(at - level) <= 1e-11 * std::min(level, 1 - level) + 1e-15, of, "quantile", level, m,
                s2);
          if (std::min(level, 1 - level) > 1e-3 && (s2 > 0 || std::abs(y - m) > 3 * h))
            holds(near(slope, std::exp(first(p->log_density(one(y)))), 1e-6), of, "slope", y, m, s2);
        }
      }
    }
  });
}

TEST("the CRPS is the integral of the squared distance between the distribution and the step at y") {
  for_each_likelihood([](const Likelihood& of) {
    for (const Example& example : examples(of)) {
      const double y = example.y;
      if (!discrete(of) && (y == 1 || y == 2)) continue;  // others will do
      for (const auto& [m, s2] : places) {
        const PredictivePtr p = predictive(of, m, s2, example.more);
        const Grid over = grid(of, *p, 1500, y, m);
        const Vector F = repeated(of, m, s2, example.more, over)->probability(over.y);
        const double sum = over.weight.dot((F - over.beyond).cwiseAbs2());
        holds(near(first(p->crps(one(y))), sum, 1e-6), of, "CRPS", y, m, s2);
      }
    }
  });
}

TEST("what is improbable has a finite score, and nothing known of f gives no number") {
  const double nan = std::nan("");
  for_each_likelihood([&](const Likelihood& of) {
    for (const Example& at : examples(of)) {
      for (const auto& [m, s2] :
           std::vector<std::pair<double, double>>{{-25, 0.1}, {25, 0.1}, {-30, 100}, {30, 4}}) {
        const PredictivePtr p = predictive(of, m, s2, at.more);
        const double score = first(p->log_density(one(at.y)));
        const bool outgrown = of.kappa() == 0 && std::abs(m) < 28 && score < -1e8;  // e^25 and more
        holds(std::isfinite(score) || outgrown, of, "score", at.y, m, s2);
        holds(first(p->probability(one(at.y))) >= 0 && first(p->crps(one(at.y))) >= 0, of, "CRPS", at.y, m,
              s2);
        holds(!std::isnan(first(p->mean())) && !std::isnan(first(p->variance())), of, "moments", at.y, m, s2);
        holds(!std::isnan(first(p->quantile(0.9))), of, "quantile", at.y, m, s2);
      }
      for (const auto& [m, s2] : std::vector<std::pair<double, double>>{{nan, 1}, {0, nan}}) {
        const PredictivePtr p = predictive(of, m, s2, at.more);
        holds(std::isnan(first(p->mean() + p->quantile(0.3) + p->draw(one(0.2)))), of, "nothing known");
        holds(std::isnan(first(p->log_density(one(at.y)))) && std::isnan(first(p->crps(one(at.y)))), of,
              "nothing known");
        holds(std::isnan(first(p->probability(one(at.y)))), of, "nothing known");
      }
      holds(std::isnan(first(predictive(of, 0, 1, at.more)->crps(one(nan)))), of, "nothing asked");
      holds(std::isnan(first(predictive(of, 0, 1, at.more)->quantile(-0.1))), of, "no level");
    }
    CHECK_THROWS(predictive(of, 0, 1, 1)->crps(Vector(2)), "dimension");
    holds(predictive(of, 0, 1, 1, 0)->quantile(0.5).size() == 0, of, "no rows");
  });
}

TEST("large counts: quantiles and the CRPS, where the sum over all of them would be long") {
  for (const char* name : {"poisson", "negbin"}) {
    const LikelihoodPtr of = make_likelihood({name, {{"size", 20}}});
    for (const auto& [m, s2] :
         std::vector<std::pair<double, double>>{{5.5, 0.3}, {7, 0.02}, {7, 0}, {4, 0.8}}) {
      const PredictivePtr p = predictive(*of, m, s2, 1);
      const Grid over = grid(*of, *p, 0, 1500, 0);
      const Vector F = repeated(*of, m, s2, 1, over)->probability(over.y);
      for (double y : {0.0, 150.0, 1500.0}) {
        const Vector off = F.array() - (over.y.array() >= y).cast<double>();
        holds(near(first(p->crps(one(y))), off.squaredNorm(), 1e-6), *of, "CRPS", y, m, s2);
      }
    }
    // Nearly log-normal, or nearly Poisson: the quantile is that of either, to its standard deviation.
    const PredictivePtr wide = predictive(*of, 18, 4, 1);
    const double z = 1.9599639845400545, spread = of->name() == "poisson" ? 2 : std::sqrt(4 + 1.0 / 20);
    holds(near(std::log(first(wide->quantile(0.975))), 18 + z * spread, 3e-3), *of, "wide", 0, 18, 4);
    holds(first(wide->crps(one(std::exp(18.0)))) > 0, *of, "wide", 0, 18, 4);
  }
  const PredictivePtr narrow = predictive(*make_likelihood("poisson"), std::log(1e6), 0, 1);
  CHECK(std::abs(first(narrow->quantile(0.975)) - 1e6 - 1960) < 3);
  CHECK(near(first(narrow->crps(one(1e6))), 1e3 * (2 * normal_density(0) - 1 / sqrt_pi), 1e-3));
}

namespace {

const std::vector<double> levels = {1e-12, 1e-6, 0.025, 0.3, 0.5, 0.9, 0.975, 1 - 1e-6, 1 - 1e-12};

// `at` is where `score` says that `level` is, to so much of a normal score.
bool same_score(double at, double above, double level, double tolerance) {
  return std::abs(normal_score({at, above}) - normal_score({level, 1 - level})) <= tolerance;
}

void everything_is_a_number(const Likelihood& of, const PredictivePtr& p, double more, double m, double s) {
  const double s2 = s * s, spread = first(p->variance());
  holds(!std::isnan(first(p->mean())) && spread >= 0, of, "moments", 0, m, s2);
  double last = -std::numeric_limits<double>::infinity();
  for (double level : levels) {
    const double y = first(p->quantile(level));
    holds(y >= last, of, "quantiles rise", level, m, s2);
    holds(first(p->draw(one(level))) == y, of, "draw", level, m, s2);
    last = y;
    if (std::isinf(y)) {
      const double end = std::copysign(std::numeric_limits<double>::max(), y),
                   F = first(p->probability(one(end)));
      holds(y > 0 ? F <= level : F >= level, of, "beyond all numbers", level, m, s2);
      continue;
    }
    const double at = first(p->probability(one(y)));
    if (discrete(of) && std::abs(y) < 9e15) {
      const double before = of.refuses(y - 1, more).empty() ? first(p->probability(one(y - 1))) : 0;
      holds(of.refuses(y, more).empty() && at >= level - 1e-15 && before < level + 1e-15, of, "quantile",
            level, m, s2);
    } else if (y != 0 && (s > 0 || std::abs(m) < 40)) {
      const double rounding = 1e-13 * (10 + std::abs(m)) * std::max(1.0, std::abs(y) / std::sqrt(spread));
      const double steep = spread < 1e300 ? rounding : 1e-13 * (10 + std::abs(m)) / std::max(s, 1e-8);
      // above the middle, digits of 1 - p are those of p
      const double lost = 1e-15 / std::min(level, 1 - level);
      holds(same_score(at, 1 - at, level, 1e-7 + steep + lost), of, "quantile", level, m, s2);
    }
    holds(!std::isnan(first(p->log_density(one(y)))), of, "log density", y, m, s2);
    if (level == 0.975) holds(first(p->crps(one(y))) >= 0, of, "CRPS", y, m, s2);
  }
  for (const Example& example : examples(of)) {
    if (example.more != more) continue;
    const double F = first(p->probability(one(example.y)));
    holds(F >= 0 && F <= 1, of, "probability", example.y, m, s2);
    holds(!std::isnan(first(p->log_density(one(example.y)))), of, "log density", example.y, m, s2);
    holds(first(p->crps(one(example.y))) >= 0, of, "CRPS", example.y, m, s2);
  }
}

// Poisson's, which counts how often its distribution function is asked for.
struct Counted final : CountPredictive {
  using CountPredictive::CountPredictive;
  mutable int asked = 0;

 protected:
  double mean_of(Index) const override { return 0; }
  double variance_of(Index) const override { return 0; }
  double log_density_of(Index, double) const override { return 0; }
  double noise(Index) const override { return 0; }
  Tails tails(Index i, double k) const override {
    ++asked;
    const Tails out = tails_at_normal(ExpShape{k + 1}, m(i), s2(i));
    return {out.above, out.below};
  }
  Tails large_tails(Index i, double x) const override {
    ++asked;
    const double z = (x - m(i)) / std::sqrt(s2(i));
    return {normal_probability(z), normal_probability(-z)};
  }
};

const std::vector<double> far_means = {-700, 0.3, 17, 40, 690},
                          far_sds = {0, 1e-8, 1e-3, 0.1, 1, 12, 60, 208, 300};

}  // namespace

TEST(
    "wherever f is and however uncertain: quantiles undo probabilities in both tails, and nothing is not a "
    "number") {
  for (const auto& entry : likelihood_registry()) {
    const LikelihoodPtr of = make_likelihood(entry.first);
    const double more = some_more(*of);
    const Index K = of->latents();
    for (double m : far_means)
      for (double s : far_sds) {
        if ((of->location() || K > 1) && m != 0.3) continue;
        Latent at{Vector::LinSpaced(K, m, m - 0.3 * static_cast<double>(K - 1)), Vector::Constant(K, s * s)};
        if (of->name() == "heteroscedastic") at.mean(1) = 0.5;
        const PredictivePtr p = of->predictive(at, Vector::Constant(1, more), of->kappa() > 0 ? phi : 1);
        everything_is_a_number(*of, p, more, m, s);
      }
  }
}

TEST("quantiles of counts ask for the distribution function some tens of times, and scores some thousands") {
  for (double m : far_means)
    for (double s : far_sds) {
      const Counted p(Latent{one(m), one(s * s)});
      for (double level : levels) {
        p.asked = 0;
        const double y = first(p.quantile(level));
        CHECK(p.asked <= 200 && !std::isnan(y));
      }
      p.asked = 0;
      p.crps(one(3));
      CHECK(p.asked < 20000);
    }
  int asked = 0;
  for (double p : levels)
    for (double place : {0.0, 3.0, 1e6, 1e15, 1e200})
      for (double start : {0.0, 1.0, 1e9, 1e300}) {
        asked = 0;
        const double k =
            count_crossing([&](double k) { return ++asked, k >= place ? p : 0.5 * p; }, p, start);
        CHECK(k == place && asked < 2000);
      }
}

TEST("many trials: the CRPS of a binomial distribution without a sum over all of them") {
  const LikelihoodPtr of = make_likelihood("binomial");
  for (const auto& [m, s2] : std::vector<std::pair<double, double>>{{0.3, 0.4}, {-3, 0}, {4, 9}, {0, 40}})
    for (double y : {0.0, 30.0, 900.0, 2500.0, 3000.0}) {
      const PredictivePtr p = predictive(*of, m, s2, 3000);
      const Vector k = Vector::LinSpaced(3000, 0, 2999);
      const Vector F = predictive(*of, m, s2, 3000, 3000)->probability(k);
      const double sum = (F.array() - (k.array() >= y).cast<double>()).square().sum();
      holds(near(first(p->crps(one(y))), sum, 1e-7), *of, "CRPS", y, m, s2);
    }
  for (double s : {0.0, 1e-3, 1.0, 5.0}) {
    const PredictivePtr p = predictive(*of, 1, s * s, 1e12);
    const double y = first(p->quantile(0.3));
    holds(same_score(first(p->probability(one(y))), 1 - 0.3, 0.3, 1e-4), *of, "quantile", y, 1, s * s);
    holds(std::isfinite(first(p->crps(one(y)))) && std::isfinite(first(p->log_density(one(y)))), *of, "score",
          y);
  }
}

TEST("a CRPS whose mean is beyond all numbers is that of the log-normal distribution") {
  for (const char* name : {"poisson", "negbin", "gamma", "weibull", "exponential"}) {
    const LikelihoodPtr of = make_likelihood(name);
    for (double s : {20.0, 45.0}) {
      const double m = name[0] == 'p' ? 60 : 4, y = std::exp(m + 3), w = 3 / s;
      const PredictivePtr p = predictive(*of, m, s * s, 1);
      // y (2 Phi(w) - 1) - 2 e^(m + s^2 / 2) (Phi(w - s) + Phi(s / sqrt(2)) - 1)  [Baran and Lerch 2015]
      const double tails = std::log(normal_probability(-s / sqrt_2) - normal_probability(w - s));
      const double exact = y * (2 * normal_probability(w) - 1) + 2 * std::exp(m + 0.5 * s * s + tails);
      const double score = first(p->crps(one(std::floor(y))));
      if (name[0] == 'p') holds(std::abs(score / exact - 1) < 1e-6, *of, "CRPS", y, m, s * s);
      holds(std::isfinite(score) && std::abs(std::log(score / exact)) < 2, *of, "CRPS", y, m, s * s);
    }
  }
}

TEST("Student's t without f is R's: pt, dt, qt") {
  const double of[][4] = {
      {0.7, -25000, 0.0002593961539325309, -18.740460161468945},
      {0.7, -40, 0.023498366939382568, -7.7966541496411264},
      {0.7, -1.3, 0.23916265103958978, -2.2657866450232778},
      {0.7, 0.2, 0.55800233072904037, -1.2692479551050382},
      {0.7, 2.5, 0.84014781865936317, -3.1731176946115669},
      {1.5, -25000, 9.5395859121800804e-08, -25.886396662322532},
      {1.5, -40, 0.0014898121954656227, -9.7931888610082005},
      {1.5, -1.3, 0.17901469560079039, -2.0198450456926271},
      {1.5, 0.2, 0.56740316162711601, -1.1095469202286075},
      {1.5, 2.5, 0.91509674869265201, -3.1294349539032549},
      {4, -25000, 7.6799999180799743e-18, -48.148248885463687},
      {4, -40, 1.1670081613006347e-06, -15.965732821278149},
      {4, -1.3, 0.13172579823561192, -1.861868970557599},
      {4, 0.2, 0.57438149293153873, -1.0057050801446465},
      {4, 2.5, 0.96661672759400596, -3.3332876141730425},
      {30, -25000, 1.1949486551412372e-111, -262.13427587297588},
      {30, -40, 6.8630225972031808e-28, -62.851907963527964},
      {30, -1.3, 0.10175047926905845, -1.7767291020092926},
      {30, 0.2, 0.57858492147033769, -0.94792322650241412},
      {30, 2.5, 0.99094217546596663, -3.8605213197760344},
      {100, -25000, 0, -791.15009366802792},
      {100, -40, 1.2310538010700368e-63, -143.99871236638191},
      {100, -1.3, 0.098294731711183095, -1.7677570741982174},
      {100, 0.2, 0.57905663189877465, -0.94163445262001488},
      {100, 2.5, 0.99297710543796147, -3.9829818932729637},
  };
  for (const auto& [df, z, below, log_density] : of) {
    const LikelihoodPtr t = make_likelihood({"student", {{"df", df}}});
    const PredictivePtr p = t->predictive({one(0.5), one(0)}, Vector(), 4);
    const double y = 0.5 + 2 * z;
    CHECK(std::abs(first(p->probability(one(y))) - below) <= 1e-12 * below + 1e-15);
    CHECK(near(first(p->log_density(one(y))), log_density - std::log(2), 1e-12));
    if (below > 0 && below < 0.99) CHECK(near(first(p->quantile(below)), y, 1e-10));
  }
}
