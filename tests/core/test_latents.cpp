// Several latent functions of the same rows: sites, batches and streams against a reference, and what must
// hold of them.
#include "../../src/core/core.h"
#include "../../src/core/learn/spread.h"
#include "../../src/core/likelihoods/categorical_predictive.h"
#include "../../src/core/likelihoods/expectation.h"
#include "check.h"
#include "golden_latents.h"

using namespace gpstream;

namespace {

Settings settings_of(const GoldenLatentRun& run) {
  Settings out;
  KernelSpec kernel;
  kernel.name = "se";
  kernel.variance = run.v[0];
  kernel.lengthscale = Vector::Constant(1, run.lengthscale);
  out.kernel = make_kernel(kernel);
  SelectorSpec select;
  select.name = run.batch == 0 ? "fixed" : "oips";
  if (run.batch == 0) select.points = vector_of(run.Z);
  if (run.batch > 0) select.numbers = {{"rho", run.rho}, {"max_points", 1000}};
  out.selector = make_selector(select);
  out.noise = 1.0;
  out.mean = run.m[0];
  out.lookback = run.lookback < 0 ? unlimited : run.lookback;
  out.likelihood = make_likelihood(run.name);
  for (std::size_t k = 1; k < run.v.size(); ++k) out.others.push_back({run.v[k], run.m[k]});
  out.every = run.every;
  out.tolerance = 1e-13;
  return out;
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

int calls_left = 0;
void counted() {
  if (--calls_left < 0) throw Error("interrupt", "stopped");
}

StreamingGP fed(const GoldenLatentRun& run, const Settings& settings) {
  StreamingGP out(settings, 1);
  const Matrix X = vector_of(run.x);
  const Vector y = vector_of(run.y);
  const Index n = y.size(), by = run.batch == 0 ? n : run.batch;
  for (Index from = 0; from < n; from += by) {
    const Index count = std::min(by, n - from);
    out.update(X.middleRows(from, count), y.segment(from, count), [] {});
  }
  return out;
}

StreamingGP fed(const GoldenLatentRun& run) { return fed(run, settings_of(run)); }

Vector means(const StreamingGP& model, const Matrix& at) {
  Vector out(at.rows() * model.latents());
  for (Index k = 0; k < model.latents(); ++k)
    out.segment(k * at.rows(), at.rows()) = predict(model.latent(k), at, false, [] {}).mean;
  return out;
}

}  // namespace

TEST("sites of several functions are those of the reference, and follow their law") {
  for (const GoldenLatentSites& one : golden_latent_sites()) {
    const LikelihoodPtr likelihood = make_likelihood(one.name);
    const Responses rows{vector_of(one.y)};
    const Latent at{vector_of(one.mean), vector_of(one.variance)};
    const Index n = rows.size();
    const auto value = [&](const Latent& there) {
      return by_row(expected_sites(likelihood->sites(rows, there, 1.0), there, 1.0, 0.0), n);
    };
    const Sites S = likelihood->sites(rows, at, 1.0);
    CHECK(S.rows() == at.mean.size());
    CHECK_CLOSE(S.col(site::om), vector_of(one.om), 1e-10);
    CHECK_CLOSE(S.col(site::ga), vector_of(one.ga), 1e-10);
    CHECK_CLOSE(value(at), vector_of(one.e), 1e-10);
    for (Index j = 0; j < at.mean.size(); ++j) {
      const double h = 1e-5;
      Latent up = at, down = at;
      up.mean(j) += h;
      down.mean(j) -= h;
      const double slope = (value(up)(j % n) - value(down)(j % n)) / (2 * h);
      CHECK(near(slope, S(j, site::ga) - S(j, site::om) * at.mean(j), 1e-6));
      up = down = at;
      up.variance(j) += h * at.variance(j);
      down.variance(j) -= h * at.variance(j);
      const double bend = (value(up)(j % n) - value(down)(j % n)) / (2 * h * at.variance(j));
      CHECK(near(bend, -0.5 * S(j, site::om), 1e-6));
    }
  }
}

TEST("e of several functions is E log p, or below it") {
  // by the trapezoidal rule in every direction
  const auto nodes = [](double m, double s2) {
    std::vector<std::pair<double, double>> out;
    at_nodes(m, s2, 1.0, [&](double f, double w) { out.push_back({f, w}); });
    return out;
  };
  for (const GoldenLatentSites& one : golden_latent_sites()) {
    const bool classes = one.name == "categorical";
    const std::size_t n = one.y.size();
    for (std::size_t i = 0; i < n; ++i) {
      double exact = 0.0;
      for (const auto& [a, wa] : nodes(one.mean[i], one.variance[i]))
        for (const auto& [b, wb] : nodes(one.mean[n + i], one.variance[n + i])) {
          if (!classes) {
            exact += wa * wb * (-0.5 * (b + (one.y[i] - a) * (one.y[i] - a) * std::exp(-b)) - log_sqrt_2_pi);
            continue;
          }
          for (const auto& [c, wc] : nodes(one.mean[2 * n + i], one.variance[2 * n + i])) {
            const Vector f = Eigen::Vector3d(a, b, c);
            exact += wa * wb * wc * (f(static_cast<Index>(one.y[i]) - 1) - log_sum_exp(f));
          }
        }
      if (classes)
        CHECK(one.e[i] <= exact + 1e-12 && one.e[i] > exact - 0.25);
      else
        CHECK(near(one.e[i], exact, 1e-9));
    }
  }
}

TEST("several functions: rows count as often as they weigh, an offset moves the first, all is finite") {
  for (const GoldenLatentSites& one : golden_latent_sites()) {
    const LikelihoodPtr of = make_likelihood(one.name);
    CHECK(make_likelihood(of->spec())->spec() == of->spec());
    Responses rows{vector_of(one.y)};
    const Index n = rows.size();
    const Latent at{vector_of(one.mean), vector_of(one.variance)};
    const Vector plain = expected_sites(of->sites(rows, at, 1.0), at, 1.0, 0.0);
    rows.weights = Vector::Constant(n, 2.5);
    CHECK_CLOSE(expected_sites(of->sites(rows, at, 1.0), at, 1.0, 0.0), 2.5 * plain, 1e-12);
    rows.weights = Vector();
    rows.offset = Vector::Constant(n, 0.4);
    Latent moved = at;
    moved.mean.head(n).array() -= 0.4;
    CHECK_CLOSE(expected_sites(of->sites(rows, moved, 1.0), moved, 1.0, 0.0), plain, 1e-11);
    rows.offset = Vector();
    for (double m : {-1e4, -40.0, 0.0, 40.0, 1e4})
      for (double s2 : {0.0, 1.0, 1e4}) {
        const Latent far{m * at.mean, Vector::Constant(at.mean.size(), s2)};
        const Sites S = of->sites(rows, far, 1.0);
        CHECK(S.allFinite() && S.col(site::om).minCoeff() >= 0);
      }
  }
  for (double y : {std::nan(""), 1.0 / 0.0, -1.0 / 0.0}) {
    CHECK(!make_likelihood("categorical")->refuses(y, 1.0).empty());
    CHECK(!make_likelihood("heteroscedastic")->refuses(y, 1.0).empty());
  }
}

TEST("what new observations of several functions may be") {
  const double phi = 0.3;
  const Latent at{Eigen::Vector4d(0.5, -1.0, 0.2, -0.6), Eigen::Vector4d(0.4, 0.0, 0.8, 0.3)};
  const PredictivePtr noisy = make_likelihood("heteroscedastic")->predictive(at, Vector(), phi);
  for (Index i = 0; i < 2; ++i) {
    const double sd = std::sqrt(noisy->variance()(i)), h = sd / 50;
    CHECK(near(sd * sd, at.variance(i) + phi * std::exp(at.mean(2 + i) + 0.5 * at.variance(2 + i)), 1e-12));
    double total = 0.0, second = 0.0, crps = 0.0;
    for (int j = -5000; j <= 5000; ++j) {
      const Vector y = noisy->mean().array() + h * j;
      const double density = std::exp(noisy->log_density(y)(i)), F = noisy->probability(y)(i);
      total += h * density;
      second += h * density * (h * j) * (h * j);
      crps += h * (F - (j >= 0 ? 1.0 : 0.0)) * (F - (j >= 0 ? 1.0 : 0.0));
    }
    CHECK(near(total, 1.0, 1e-9));
    CHECK(near(second, sd * sd, 1e-5));
    CHECK(near(noisy->crps(noisy->mean())(i), crps, 1e-4));
    for (double p : {1e-6, 0.025, 0.5, 0.9}) CHECK(near(noisy->probability(noisy->quantile(p))(i), p, 1e-9));
  }
  // softmax: what is known exactly, what adds up, and by brute force
  const LikelihoodPtr three = make_likelihood("categorical");
  const Vector m = Eigen::Vector3d(0.3, -1.0, 1.2), s2 = Eigen::Vector3d(0.5, 1.5, 0.2);
  const PredictivePtr p = three->predictive({m, s2}, Vector(), 1.0);
  Vector exact = Vector::Zero(3);
  at_nodes(m(0), s2(0), 2.0, [&](double a, double wa) {
    at_nodes(m(1), s2(1), 2.0, [&](double b, double wb) {
      at_nodes(m(2), s2(2), 2.0,
               [&](double c, double wc) { exact += wa * wb * wc * softmax(Eigen::Vector3d(a, b, c)); });
    });
  });
  double sum = 0.0;
  for (Index k = 0; k < 3; ++k) {
    const Vector y = Vector::Constant(1, static_cast<double>(k + 1));
    const double own = std::exp(p->log_density(y)(0));
    sum += own;
    CHECK(near(own, exact(k), 1e-7));
    CHECK(near(p->probability(y)(0), sum, 1e-12));
  }
  const Vector far = expected_softmax(Eigen::Vector3d(0.0, -50.0, 3.0), Eigen::Vector3d(0.1, 0.1, 0.1));
  CHECK(std::abs(std::log(far(1)) + 53.0 + std::log1p(std::exp(-3.0))) < 0.02);
  const PredictivePtr sure = three->predictive({m, Vector::Zero(3)}, Vector(), 1.0);
  CHECK(near(std::exp(sure->log_density(Vector::Ones(1))(0)), softmax(m)(0), 1e-12));
  CHECK(sure->quantile(0.0)(0) == 1 && sure->quantile(1.0)(0) == 3);
}

TEST("the dispersion of noise that varies is a unit: phi and h + log phi are told apart by nothing") {
  const LikelihoodPtr likelihood = make_likelihood("heteroscedastic");
  const GoldenLatentSites one = golden_latent_sites().front();
  const Responses rows{vector_of(one.y)};
  Latent at{vector_of(one.mean), vector_of(one.variance)}, moved = at;
  const Index n = rows.size();
  moved.mean.tail(n).array() -= std::log(3.0);
  const Sites S = likelihood->sites(rows, at, 1.0), T = likelihood->sites(rows, moved, 3.0);
  CHECK_CLOSE(T.col(site::om) / 3.0, S.col(site::om), 1e-12);
  CHECK_CLOSE(expected_sites(T, moved, 3.0, 0.0), expected_sites(S, at, 1.0, 0.0), 1e-10);
  Matrix there(3, 1);
  there << 0.5, 1.5, 3.5;
  for (const GoldenLatentRun& run : golden_latent_runs()) {
    if (run.name != "heteroscedastic") continue;
    Settings settings = settings_of(run);
    settings.noise = 3.0;
    settings.others.front().mean -= std::log(3.0);
    const StreamingGP model = fed(run, settings);
    Vector known = vector_of(run.mean);
    known.tail(3).array() -= std::log(3.0);
    CHECK_CLOSE(means(model, there), known, 1e-8);
    CHECK(near(model.objective(), run.objective, 1e-8));
  }
}

TEST("batches and streams of several functions are those of the reference") {
  Matrix at(3, 1);
  at << 0.5, 1.5, 3.5;
  for (const GoldenLatentRun& run : golden_latent_runs()) {
    const StreamingGP model = fed(run);
    CHECK(model.size() == static_cast<Index>(run.Z.size()));
    CHECK(near(model.objective(), run.objective, 1e-8));
    CHECK_CLOSE(means(model, at), vector_of(run.mean), 1e-8);
    for (Index k = 0; k < model.latents(); ++k) {
      const std::size_t j = static_cast<std::size_t>(k);
      CHECK_CLOSE(predict(model.latent(k), at, true, [] {}).variance,
                  vector_of(run.variance).segment(3 * k, 3), 1e-8);
      if (run.tau.empty()) continue;
      CHECK(near(model.latent(k).tau(), run.tau[j], 1e-8));
      CHECK(near(model.latent(k).totals().Phi(0, 0), run.weight[j], 1e-8));
    }
  }
}

TEST("several functions: saved and loaded, emptily updated, stopped: the same bits") {
  Matrix at(2, 1);
  at << 0.7, 2.2;
  for (const GoldenLatentRun& run : golden_latent_runs()) {
    if (run.batch == 0 || run.lookback <= 0) continue;
    StreamingGP model = fed(run);
    StreamingGP again(state_from(record(model.state())));
    CHECK(again.state() == model.state());
    const Record before = record(model.state());
    model.update(Matrix(0, 1), Vector(0), [] {});
    CHECK(record(model.state()) == before);
    const Matrix X = vector_of(run.x).head(3);
    const Vector y = vector_of(run.y).head(3);
    calls_left = 1;
    CHECK_THROWS(model.update(X.array() + 9.0, y, counted), "interrupt");
    CHECK(record(model.state()) == before);
    model.update(X, y, [] {});
    again.update(X, y, [] {});
    CHECK(means(model, at) == means(again, at));
    CHECK(record(again.state()) == record(model.state()));
  }
}

TEST("several functions: the point that leaves is the one that all of them can spare") {
  const StreamingGP model = fed(golden_latent_runs().back());
  const Index M = model.size();
  std::vector<Index> older;
  for (Index j = 0; j < M / 2; ++j) older.push_back(j);
  Vector sum = Vector::Zero(M / 2);
  for (Index k = 0; k < model.latents(); ++k) {
    const StreamingGP& one = model.latent(k);
    sum += divergences(one.state().basis, one.factor(), one.weights().a, one.state().scale(), older);
  }
  Index least = 0;
  const double cost = sum.minCoeff(&least);
  State state = model.state();
  Transaction transaction(state);
  transaction.make_room();
  transaction.keep();
  CHECK(near(state.counters.divergence, cost, 1e-12));
  const Matrix stay = rows_of(model.points(), others({least}, M));
  CHECK(state.basis.Z.view() == stay);
  for (const State& one : state.sisters) CHECK(one.basis.Z.view() == stay);
}

TEST("several functions: points that leave, other points, halves forgotten, shards merged") {
  Matrix at(2, 1);
  at << 0.7, 2.2;
  const GoldenLatentRun run = golden_latent_runs().back();
  const Matrix X = vector_of(run.x);
  const Vector y = vector_of(run.y);
  Settings settings = settings_of(run);
  settings.lookback = 6;
  SelectorSpec select = settings.selector->spec();
  select.numbers["max_points"] = 3;
  select.words["when_full"] = "replace";
  settings.selector = make_selector(select);
  StreamingGP small(settings, 1);
  small.update(X, y, [] {});
  CHECK(small.size() <= 3);
  for (Index k = 0; k < small.latents(); ++k) CHECK(small.latent(k).points() == small.points());
  CHECK(means(small, at).allFinite());

  StreamingGP model = fed(run);
  const Vector known = means(model, at);
  model.forget(1e-9);
  Vector prior(at.rows() * model.latents());
  for (Index k = 0; k < model.latents(); ++k)
    prior.segment(2 * k, 2).setConstant(run.m[static_cast<std::size_t>(k)]);
  CHECK_CLOSE(means(model, at), prior, 1e-6);
  CHECK((known - prior).norm() > 0.01);

  model = fed(run);
  Matrix finer(25, 1);
  finer.col(0) = Vector::LinSpaced(25, -1.0, 5.0);
  StreamingGP moved = model;
  moved.rebase(model.state().kernel, finer);
  for (Index k = 0; k < moved.latents(); ++k) CHECK(moved.latent(k).size() == moved.size());
  CHECK_CLOSE(means(moved, at), known, 0.05);

  StreamingGP first = shard_of(model), second = shard_of(model);
  first.update(X.topRows(10), y.head(10), [] {});
  second.update(X.bottomRows(10), y.tail(10), [] {});
  const StreamingGP both = merged(first, second).model;
  CHECK(both.state().counters.seen == 20);
  for (Index k = 0; k < both.latents(); ++k)
    CHECK(near(both.latent(k).totals().Phi(0, 0),
               first.latent(k).totals().Phi(0, 0) + second.latent(k).totals().Phi(0, 0), 1e-10));
}
