// Sites that depend on the posterior: batches and streams against a reference, and what must hold of them.
#include "../../src/core/core.h"
#include "check.h"
#include "golden_likelihoods.h"
#include "golden_streams.h"

using namespace gpstream;

namespace {

Vector numbers(const std::vector<double>& values) { return vector_of(values); }
Matrix column(const std::vector<double>& values) { return vector_of(values); }

// The fixtures in the core's units of f.
std::vector<GoldenLikelihood> streams() {
  std::vector<GoldenLikelihood> out = golden_streams();
  for (GoldenLikelihood& one : out) {
    const double share = golden::share_of_f(one), square = share * share;
    one.v *= square;
    one.mean *= share;
    for (GoldenRun& run : one.runs) {
      for (double& mean : run.mean) mean *= share;
      for (double& variance : run.variance) variance *= square;
      run.tau /= square;
    }
  }
  return out;
}

Settings settings_of(const GoldenLikelihood& one, const GoldenRun& run) {
  Settings out;
  KernelSpec kernel;
  kernel.name = "se";
  kernel.variance = one.v;
  kernel.lengthscale = Vector::Constant(1, one.lengthscale);
  out.kernel = make_kernel(kernel);
  SelectorSpec select;
  select.name = run.batch == 0 ? "fixed" : "oips";
  if (run.batch == 0) select.points = column(run.Z);
  if (run.batch > 0) select.numbers = {{"rho", one.rho}, {"max_points", 1000}};
  out.selector = make_selector(select);
  out.noise = one.phi;
  out.mean = one.mean;
  out.lookback = run.lookback < 0 ? unlimited : run.lookback;
  out.likelihood = make_likelihood(LikelihoodSpec{one.name, one.numbers});
  out.every = run.every;
  out.tolerance = 1e-13;
  return out;
}

// The rows in batches of so many.
StreamingGP fed(const GoldenLikelihood& one, const GoldenRun& run) {
  StreamingGP out(settings_of(one, run), 1);
  const Index n = static_cast<Index>(one.x.size()), by = run.batch == 0 ? n : run.batch;
  const Told told{numbers(one.more), numbers(one.offset)};
  const Matrix X = column(one.x);
  const Vector y = numbers(one.y);
  for (Index from = 0; from < n; from += by) {
    const Index count = std::min(by, n - from);
    out.update(
        X.middleRows(from, count), y.segment(from, count), [] {}, false, Vector(), Vector(),
        told.part(from, count));
  }
  return out;
}

}  // namespace

TEST("batches and streams are those of the reference") {
  Matrix at(3, 1);
  at << 0.5, 1.5, 3.5;
  for (const GoldenLikelihood& one : streams()) {
    if (likelihood_registry().count(one.name) == 0) continue;
    for (const GoldenRun& run : one.runs) {
      const StreamingGP model = fed(one, run);
      const Prediction there = predict(model, at, true, [] {});
      CHECK(model.size() == static_cast<Index>(run.Z.size()));
      CHECK(static_cast<double>(model.state().open.size()) == run.rows_open);
      CHECK_CLOSE(there.mean, numbers(run.mean), 1e-8);
      CHECK_CLOSE(there.variance, numbers(run.variance), 1e-8);
      CHECK(std::abs(model.objective() - run.objective) < 1e-8 * std::abs(run.objective));
      CHECK(run.tau < 0 || std::abs(model.tau() - run.tau) < 1e-8 * run.tau);
    }
  }
}

namespace {

// Rows of a stream on 0 to 5 for a likelihood, made without chance: quantiles of its own predictive.
struct Stream {
  GoldenLikelihood of;
  GoldenRun run;
};
Stream long_stream(const GoldenLikelihood& like, Index n, int lookback, int every) {
  Stream out{like, {lookback, 1, every, 0, 0, 0, 0, {}, {}, {}}};
  out.of.rho = 0.8;
  const LikelihoodPtr likelihood = make_likelihood(LikelihoodSpec{like.name, like.numbers});
  for (auto* one : {&out.of.x, &out.of.y, &out.of.more, &out.of.offset}) one->clear();
  std::mt19937_64 chance(7);
  std::uniform_real_distribution<double> uniform(0.001, 0.999);
  for (Index i = 0; i < n; ++i) {
    const double x = 5.0 * uniform(chance);
    const double more = like.more.empty() ? 1.0 : like.more[static_cast<std::size_t>(i) % like.more.size()];
    const Latent f{Vector::Constant(1, like.mean + std::sin(2.0 * x)), Vector::Zero(1)};
    const Vector y = likelihood->predictive(f, Vector::Constant(1, more), like.phi)
                         ->draw(Vector::Constant(1, uniform(chance)));
    out.of.x.push_back(x);
    out.of.y.push_back(y(0));
    if (!like.more.empty()) out.of.more.push_back(more);
  }
  return out;
}

std::vector<GoldenLikelihood> each_likelihood() {
  std::vector<GoldenLikelihood> out;
  for (const GoldenLikelihood& one : streams()) {
    if (likelihood_registry().count(one.name) == 0) continue;
    if (out.empty() || out.back().name != one.name) out.push_back(one);
  }
  return out;
}

Prediction on_grid(const StreamingGP& model) {
  return predict(model, Vector::LinSpaced(21, 0.0, 5.0), true, [] {});
}

}  // namespace

TEST("look-back without end, refreshed: what a batch on the final points is") {
  for (const GoldenLikelihood& one : each_likelihood()) {
    Stream stream = long_stream(one, 120, -1, 0);
    StreamingGP model = fed(stream.of, stream.run);
    model.refresh([] {});
    stream.run.batch = 0;
    stream.run.Z = std::vector<double>(model.points().data(), model.points().data() + model.size());
    const StreamingGP batch = fed(stream.of, stream.run);
    CHECK_CLOSE(on_grid(model).mean, on_grid(batch).mean, 1e-6);
    CHECK_CLOSE(on_grid(model).variance, on_grid(batch).variance, 1e-6);
    CHECK(std::abs(model.objective() - batch.objective()) < 1e-8 * std::abs(batch.objective()));
  }
}

TEST("a step never lowers the objective, and every stress case ends with a model that can be used") {
  struct Case {
    const char* name;
    double v, mean;
    std::vector<double> y;
  };
  const std::vector<double> classes{0, 0, 0, 0, 1, 1, 1, 1};
  for (const Case& one : std::vector<Case>{{"poisson", 25.0, 0.0, {3000, 0, 2, 900, 0, 0, 1, 40}},
                                           {"bernoulli", 100.0, 0.0, classes},
                                           {"probit", 100.0, 0.0, classes},
                                           {"student", 1.0, 0.0, {1e6, 0, 0.1, -0.2, 0.3, 0, -1e6, 0.1}}}) {
    GoldenLikelihood like{one.name, {}, 1.0, one.v, one.mean, 0.5, 0.9, {}, one.y, {}, {}, {}};
    for (std::size_t i = 0; i < one.y.size(); ++i) like.x.push_back(0.6 * static_cast<double>(i));
    for (const int batch : {1, 8}) {
      const StreamingGP model = fed(like, {-1, batch, 1, 0, 0, 0, 0, {}, {}, {}});
      const Prediction there = on_grid(model);
      CHECK(there.mean.allFinite() && there.variance.allFinite() && there.variance.minCoeff() > 0);
      CHECK(std::isfinite(model.objective()));
      // once more from where it stands: no lower
      StreamingGP again = model;
      again.refresh([] {});
      CHECK(again.objective() >= model.objective() - 1e-9 * (1.0 + std::abs(model.objective())));
    }
  }
}

TEST(
    "a batch without rows changes nothing, bitwise; saved in the middle, a stream goes on as it would have") {
  for (const GoldenLikelihood& one : each_likelihood()) {
    const Stream stream = long_stream(one, 60, 20, 0);
    GoldenLikelihood first = stream.of;
    for (auto* part : {&first.x, &first.y, &first.more})
      if (!part->empty()) part->resize(33);
    StreamingGP model = fed(first, stream.run);
    const Record before = record(model.state());
    model.update(Matrix(0, 1), Vector(0), [] {});
    CHECK(record(model.state()) == before);
    StreamingGP read(state_from(before));
    CHECK(record(read.state()) == before);
    for (std::size_t i = 33; i < 60; ++i)
      for (StreamingGP* each : {&model, &read})
        each->update(Matrix::Constant(1, 1, stream.of.x[i]), Vector::Constant(1, stream.of.y[i]), [] {},
                     false, Vector(), Vector(),
                     {one.more.empty() ? Vector() : Vector::Constant(1, stream.of.more[i]), Vector()});
    CHECK(record(model.state()) == record(read.state()));
  }
}

TEST("rows settle after two look-backs; at a refresh, some of those between may rest") {
  const Index L = 10;
  for (const GoldenLikelihood& one : each_likelihood()) {
    if (one.name == "gaussian") continue;
    for (const double rho : {0.5, 0.995}) {  // few points, and more than half as many as rows
      Stream stream = long_stream(one, 6 * L, static_cast<int>(L), 0);
      stream.of.rho = rho;
      StreamingGP model(settings_of(stream.of, stream.run), 1), in_pieces = model;
      const Told told{numbers(stream.of.more), Vector()};
      const Matrix X = column(stream.of.x);
      const Vector y = numbers(stream.of.y);
      const auto feed = [&](StreamingGP& to, Index from, Index count) {
        to.update(
            X.middleRows(from, count), y.segment(from, count), [] {}, false, Vector(), Vector(),
            told.part(from, count));
      };
      Index rested = 0;
      for (Index i = 0; i < 6 * L; ++i) {
        const Sites before = model.state().open.own_sites();
        feed(model, i, 1);
        const State& state = model.state();
        CHECK(state.open.size() == (i < 3 * L - 1 ? i + 1 : 2 * L + (i + 1) % L));
        if ((i + 1) % L > 0) continue;
        feed(in_pieces, i + 1 - L, L);
        const Sites now = state.open.own_sites();
        const bool rest = i > 2 * L && 2 * state.size() > 3 * L;
        if (rest) CHECK(now.topRows(L) == before.middleRows(L, L));
        const Sites made = state.likelihood->sites(state.open.responses(), latent_of_open(model), model.s2());
        const Index anew = rest ? L : now.rows();
        CHECK_CLOSE(Matrix(now.bottomRows(anew).leftCols(2)), Matrix(made.bottomRows(anew).leftCols(2)),
                    1e-8);
        rested += rest;
      }
      CHECK(rho < 0.9 ? rested == 0 : rested == 4);
      CHECK_CLOSE(on_grid(model).mean, on_grid(in_pieces).mean, 1e-8);
      CHECK_CLOSE(on_grid(model).variance, on_grid(in_pieces).variance, 1e-8);
    }
  }
}

TEST("a row of weight two is two rows") {
  for (const GoldenLikelihood& one : each_likelihood()) {
    if (one.name == "gaussian") continue;
    const Stream stream = long_stream(one, 30, -1, 1);
    StreamingGP once(settings_of(stream.of, stream.run), 1), twice = once;
    const Told told{numbers(stream.of.more), Vector()};
    const Matrix X = column(stream.of.x);
    const Vector y = numbers(stream.of.y);
    once.update(
        X, y, [] {}, false, Vector::Constant(30, 2.0), Vector(), told);
    Matrix XX(60, 1);
    XX << X, X;
    twice.update(XX, joined(y, 30, y, 30, 0.0), [] {}, false, Vector(), Vector(),
                 {joined(told.more, 30, told.more, 30, 1.0), Vector()});
    CHECK_CLOSE(on_grid(once).mean, on_grid(twice).mean, 1e-8);
    CHECK_CLOSE(on_grid(once).variance, on_grid(twice).variance, 1e-8);
    CHECK(std::abs(once.objective() - twice.objective()) < 1e-8 * std::abs(once.objective()));
  }
}
