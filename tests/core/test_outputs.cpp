// Several outputs of the same rows: each what a model of its own would make of the rows in which it was
// observed, on common points and with a common kernel.
#include "given_example.h"
#include "golden_outputs.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

LikelihoodPtr outputs_of(Index count) {
  return make_likelihood(LikelihoodSpec{"gaussian", {{"outputs", static_cast<double>(count)}}});
}

// Two outputs of 2-D rows; of the second a share is missing, of the first a few.
struct Pair {
  Matrix X;
  Vector u, v;

  explicit Pair(Index n, double share = 0.3, unsigned seed = 4, double length = 1.0) : X(n, 1), u(n), v(n) {
    Random r(seed);
    for (Index i = 0; i < n; ++i) {
      const double x = X(i, 0) = 10.0 * r.uniform();
      u(i) = std::sin(x / length) + 0.1 * r.normal();
      v(i) = 50.0 + 4.0 * std::cos(0.7 * x / length) + 1.5 * r.normal();
      if (r.uniform() < share)
        v(i) = missing;
      else if (r.uniform() < share / 5)
        u(i) = missing;
    }
  }
  Index size() const { return u.size(); }
  Told told(Index from, Index count) const { return {Vector(), Vector(), v.segment(from, count)}; }
  Sample sample() const {
    Sample out{X, u, Vector::Ones(size())};
    out.told.others = v;
    return out;
  }
  // Of the rows that have it.
  Sample alone(Index k) const { return of_output(sample(), k); }
};

Trend sloping(double constant, double slope) {
  Trend out;
  out.columns = {0};
  out.centre = Vector::Constant(1, 5.0);
  out.scale = Vector::Constant(1, 3.0);
  out.ratio.resize(2);
  out.ratio << constant, slope;
  return out;
}

Settings settings_for_two(const SelectorSpec& select, Index lookback) {
  Settings out;
  out.kernel = make_kernel(simple("se", 1.4, 1.3));
  out.selector = make_selector(select);
  out.noise = 0.02;
  out.mean = 0.1;
  out.lookback = lookback;
  out.trend = sloping(30.0, 2.0);
  out.likelihood = outputs_of(2);
  out.others = {{20.0, 49.0, 2.5, (Vector(2) << 5.0, 0.3).finished()}};
  return out;
}
// The second output alone.
Settings second_of(Settings settings) {
  const LatentScale one = settings.others[0];
  settings.kernel = make_kernel(with_variance(settings.kernel->spec(), one.variance));
  settings.mean = one.mean;
  settings.noise = *one.noise;
  settings.trend.ratio = *one.trend;
  settings.likelihood = make_likelihood("gaussian");
  settings.others.clear();
  return settings;
}
Settings first_of(Settings settings) {
  settings.likelihood = make_likelihood("gaussian");
  settings.others.clear();
  return settings;
}

StreamingGP fed(const Settings& settings, const Pair& rows, Index by, Index from = 0, Index until = 1000000) {
  StreamingGP out(settings, 1);
  until = std::min(until, rows.size());
  for (Index at = from; at < until; at += by) {
    const Index count = std::min(by, until - at);
    out.update(rows.X.middleRows(at, count), rows.u.segment(at, count), nothing, false, Vector(), Vector(),
               rows.told(at, count));
  }
  return out;
}
StreamingGP fed(const Settings& settings, const Sample& rows, Index by) {
  StreamingGP out(settings, 1);
  stream(out, rows.X, rows.y, by);
  return out;
}

Matrix some() { return Vector::LinSpaced(13, -1.0, 11.0); }

void check_same(const StreamingGP& a, const StreamingGP& b, double tolerance) {
  const Prediction p = predict(a, some(), true, nothing), q = predict(b, some(), true, nothing);
  CHECK_CLOSE(p.mean, q.mean, tolerance);
  CHECK_CLOSE(p.variance, q.variance, tolerance);
  const Coefficients f = coefficients(a), g = coefficients(b);
  CHECK_CLOSE(f.mean, g.mean, tolerance);
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

TEST("[derivation 21] outputs of which some were not observed are those of the reference") {
  const auto matrix_of = [](const std::vector<double>& all, Index columns) -> Matrix {
    return Eigen::Map<const Matrix>(all.data(), static_cast<Index>(all.size()) / columns, columns);
  };
  const GoldenOutputs data;
  const Matrix X = matrix_of(data.X(), 2), Y = matrix_of(data.Y(), 2), Z = matrix_of(data.Z(), 2);
  Settings settings;
  KernelSpec kernel;
  kernel.name = "se";
  kernel.lengthscale = Vector(2);
  kernel.lengthscale << data.lengthscale[0], data.lengthscale[1];
  settings.kernel = make_kernel(kernel);
  settings.selector = make_selector(fixed(Z));
  settings.likelihood = outputs_of(2);
  settings.others = {{1.0, 0.0, 1.0}};
  StreamingGP gp(settings, 2);
  for (Index from = 0; from < X.rows(); from += 7) {
    const Index count = std::min<Index>(7, X.rows() - from);
    gp.update(X.middleRows(from, count), Y.col(0).segment(from, count), nothing, false, Vector(), Vector(),
              {Vector(), Vector(), Y.col(1).segment(from, count)});
  }
  const std::vector<GoldenOutput> all = golden_outputs();
  // the reference integrates a constant of which nothing is known; here its prior is that wide
  const double wide = 1e7;
  double objective = 0.0;
  gp.each_output([&](StreamingGP& one, Index k) {
    const GoldenOutput& golden = all[static_cast<std::size_t>(k)];
    const auto value = [&](double v, double s2) {
      one.set_scale(v, s2, 0.0);
      one.set_trend(Vector::Constant(1, wide / v));
      const double others = one.latents() > 1 ? one.latent(1).objective() : 0.0;
      return one.objective() - others + 0.5 * std::log(6.283185307179586 * wide);
    };
    for (const auto& [dv, ds] : {std::pair(1e-3, 0.0), std::pair(0.0, 1e-3)}) {  // the best scale
      const double slope = value(golden.v * std::exp(dv), golden.s2 * std::exp(ds)) -
                           value(golden.v * std::exp(-dv), golden.s2 * std::exp(-ds));
      CHECK(std::abs(slope) < 2e-3 * 1e-4);
    }
    CHECK(near(value(golden.v, golden.s2), golden.F, 1e-8));
    CHECK(near(coefficients(one).mean(0), golden.beta, 1e-8));
    const Prediction p = predict(one, X.topRows(3), true, nothing);
    CHECK_CLOSE(p.mean, vector_of(golden.mean), 1e-8);
    CHECK_CLOSE(p.variance, vector_of(golden.variance), 1e-8);
    objective += golden.F - 0.5 * std::log(6.283185307179586 * wide);
  });
  CHECK(near(gp.objective(), objective, 1e-8));
}

TEST(
    "[derivation 21] an output that was not observed says nothing: each is a model of the rows that have "
    "it") {
  const Pair rows(240);
  for (const Index lookback : {Index(0), Index(30), unlimited}) {
    const Settings settings = settings_for_two(fixed(Vector::LinSpaced(12, 0.0, 10.0)), lookback);
    const StreamingGP two = fed(settings, rows, 9), first = fed(first_of(settings), rows.alone(0), 11),
                      second = fed(second_of(settings), rows.alone(1), 5);
    check_same(two.latent(0), first, 1e-10);
    check_same(two.latent(1), second, 1e-10);
    CHECK(near(two.objective(), first.objective() + second.objective(), 1e-10));
    CHECK(two.latent(1).totals().n == second.totals().n);
  }
  // all observed: the same with points that are chosen, for these depend on the inputs alone
  const Pair whole(240, 0.0);
  const Settings settings = settings_for_two(oips(0.9), 30);
  const StreamingGP two = fed(settings, whole, 9);
  CHECK(two.size() > 5);
  check_same(two.latent(0), fed(first_of(settings), whole.alone(0), 9), 1e-10);
  check_same(two.latent(1), fed(second_of(settings), whole.alone(1), 9), 1e-10);
  CHECK((two.state().settled.P.view() - two.state().sisters[0].settled.P.view()).norm() == 0.0);
}

TEST("several outputs do not depend on how the stream is cut, and are saved as they are") {
  const Pair rows(300);
  Settings by_noise = settings_for_two({"noise", {{"tol", 0.01}, {"max_points", 1000.0}}, Matrix()}, 40);
  Settings leaving = settings_for_two(
      {"oips", {{"rho", 0.97}, {"max_points", 9.0}}, Matrix(), {{"when_full", "replace"}}}, 40);
  Settings fades = settings_for_two(fixed(Vector::LinSpaced(12, 0.0, 10.0)), 40);
  fades.fading = {80.0, Fading::by_rows};
  for (const Settings& settings : {by_noise, leaving, fades}) {
    const StreamingGP whole = fed(settings, rows, 300), one = fed(settings, rows, 1),
                      some = fed(settings, rows, 23);
    CHECK(whole.size() == one.size() && whole.points() == one.points() && whole.points() == some.points());
    for (Index k = 0; k < 2; ++k) {
      check_same(whole.latent(k), one.latent(k), 1e-8);
      check_same(whole.latent(k), some.latent(k), 1e-8);
    }
    const State again = restored(record(some.state()));
    CHECK(again == some.state());
    StreamingGP on(some), from_file{State(again)};
    for (StreamingGP* gp : {&on, &from_file})
      gp->update(rows.X.topRows(50), rows.u.head(50), nothing, false, Vector(), Vector(), rows.told(0, 50));
    CHECK(on.state() == from_file.state());
    on.update(rows.X.topRows(0), rows.u.head(0), nothing, false, Vector(), Vector(), rows.told(0, 0));
    CHECK(on.state() == from_file.state());
  }
  CHECK(fed(leaving, rows, 50).state().counters.removed > 0);
  // points are as dense as the output of least noise asks for
  Settings quiet = by_noise;
  quiet.others[0].noise = 1e-3;
  CHECK(fed(quiet, rows, 50).size() > fed(by_noise, rows, 50).size());
}

TEST("several outputs: shards add up, rows are unlearned, half-lives compete, what fails changes nothing") {
  const Pair rows(200);
  const Settings settings = settings_for_two(fixed(Vector::LinSpaced(12, 0.0, 10.0)), 30);
  const StreamingGP whole = fed(settings, rows, 10);
  StreamingGP twin = shard_of(fed(settings, rows, 10, 0, 120));
  for (Index at = 120; at < 200; at += 16)
    twin.update(rows.X.middleRows(at, 16), rows.u.segment(at, 16), nothing, false, Vector(), Vector(),
                rows.told(at, 16));
  const StreamingGP both = merged(fed(settings, rows, 10, 0, 120), twin).model;
  for (Index k = 0; k < 2; ++k) check_same(both.latent(k), whole.latent(k), 1e-10);
  CHECK(near(both.objective(), whole.objective(), 1e-10));

  // row 10 has left when 41 rows had come; row 190 is in the look-back
  Index open = 185;
  while (!std::isnan(rows.v(open))) ++open;
  for (const Index out : {Index(10), open}) {
    Sample one = piece_of(rows.sample(), out, 1);
    const Vector at = Vector::Constant(1, out == 10 ? 41.0 : missing);
    const StreamingGP less = unlearned(whole, one, at);
    Pair others(199);
    Index j = 0;
    for (Index i = 0; i < 200; ++i)
      if (i != out) others.X(j, 0) = rows.X(i, 0), others.u(j) = rows.u(i), others.v(j++) = rows.v(i);
    const StreamingGP never = fed(settings, others, 10);
    for (Index k = 0; k < 2; ++k) check_same(less.latent(k), never.latent(k), 1e-8);
  }
  Sample wrong = piece_of(rows.sample(), open, 1);
  wrong.told.others(0, 0) = 1.0;
  CHECK_THROWS(unlearned(whole, wrong, Vector::Constant(1, missing)), "unlearn");

  StreamingGP gp = whole;
  const Vector three = Vector::Ones(3);
  CHECK_THROWS(gp.update(rows.X.topRows(3), three, nothing), "dimension");
  CHECK_THROWS(gp.update(rows.X.topRows(3), three, nothing, false, Vector(), Vector(),
                         {Vector(), Vector(), Matrix::Ones(3, 2)}),
               "dimension");
  CHECK_THROWS(gp.update(rows.X.topRows(3), Vector::Constant(3, missing), nothing, false, Vector(), Vector(),
                         {Vector(), Vector(), Matrix::Constant(3, 1, missing)}),
               "nonfinite");
  CHECK_THROWS(gp.update(rows.X.topRows(3), three, nothing, false, Vector(), Vector(),
                         {Vector(), Vector(), Matrix::Constant(3, 1, 1e200)}),
               "nonfinite");
  CHECK(gp.state() == whole.state());
  CHECK_THROWS(StreamingGP(settings_for_two({"greedy", {{"m", 5.0}}, Matrix()}, 30), 1), "parameter");
}

TEST("a kernel is learned from the sum of the evidences of several outputs, each in its own units") {
  const Pair rows(60, 0.2);
  const Columns columns{Vector::Constant(1, 5.0), Vector::Constant(1, 3.0)};
  for (const bool trend : {false, true})
    for (const Family& family : default_families()) {
      const Sample all = rows.sample();
      LearnGiven given;
      given.trend = trend;
      std::vector<OutputUnits> units;
      for (Index k = 0; k < 2; ++k) units.push_back(output_units(of_output(all, k), std::nullopt));
      Evidences evidence = evidences(all, {0, 1}, columns, units, given);
      const OutputUnknowns unknowns(family, columns, units, {std::nullopt, std::nullopt}, trend);
      const auto value = [&](const Vector& theta, Vector& slope) {
        const std::vector<Chosen> at = unknowns.at(theta);
        std::vector<ExactSlope> out;
        for (std::size_t k = 0; k < 2; ++k)
          out.push_back(evidence.each[k](*make_kernel(at[k].kernel), at[k].noise, at[k].trend));
        slope = unknowns.slope(out);
        return out[0].value + out[1].value + unknowns.add_prior(theta, slope);
      };
      Random r(7);
      Vector theta(unknowns.size()), slope, unused, differences(unknowns.size());
      for (Index i = 0; i < theta.size(); ++i)
        theta(i) = unknowns.all()[static_cast<std::size_t>(i)].start + r.uniform(-0.4, 0.4);
      value(theta, slope);
      for (Index i = 0; i < theta.size(); ++i) {
        const auto difference = [&](double h) {
          Vector up = theta, down = theta;
          up(i) += h;
          down(i) -= h;
          return (value(up, unused) - value(down, unused)) / (2 * h);
        };
        differences(i) = (4 * difference(1e-3) - difference(2e-3)) / 3;
      }
      CHECK_CLOSE(slope, differences, 1e-6);
    }
  // two outputs that are the same are learned as one, each with the noise that it has
  Pair twice(150, 0.0);
  twice.v = 100.0 + 30.0 * twice.u.array();
  const std::vector<Family> one{{"given", example::leaf("se")}};
  const LearnedKernel found =
      learn_exactly(one, twice.sample(), twice.sample(), columns, {}, {}, {60, 0, 1}, nothing);
  CHECK(near(found.others[0].variance, 900.0 * found.kernel.variance, 1e-5));
  CHECK(near(found.others[0].noise, 900.0 * found.noise, 1e-5));
}

TEST("a stream of several outputs is followed, whatever its cuts; noise and intervals are honest for each") {
  Wishes wishes;
  wishes.any_kernel = wishes.any_rho = true;
  wishes.kernel = example::leaf("se");
  wishes.kernel.ard = true;
  wishes.select = {"oips", {{"max_points", 200.0}}, Matrix()};
  wishes.learns = Wishes::always;
  wishes.slopes = Wishes::learned;
  wishes.likelihood = outputs_of(2);
  const Pair rows(450);
  const auto followed = [&](Index by, const Wishes& w) {
    const Sample all = rows.sample();
    const Sample first = piece_of(all, 0, std::min(by, all.size()));
    StreamingGP model = started(w, first.X, first.y, first.told);
    for (Index from = 0; from < all.size(); from += by)
      CHECK(learn(model, piece_of(all, from, std::min(by, all.size() - from)), w, false, nothing));
    return model;
  };
  const StreamingGP gp = followed(450, wishes), other = followed(61, wishes);
  CHECK(gp.points() == other.points() && gp.kernel().spec().lengthscale == other.kernel().spec().lengthscale);
  for (Index k = 0; k < 2; ++k) check_same(gp.latent(k), other.latent(k), 1e-8);
  CHECK(near(std::sqrt(gp.s2()), 0.1, 0.012) && near(std::sqrt(gp.latent(1).s2()), 1.5, 0.15));
  CHECK(restored(record(gp.state())) == gp.state());
  CHECK(gp.state().learner.memory.rows().told.others.rows() == 450);
  CHECK(gp.state().learner.calibrations.size() == 1 && gp.state().learner.calibration_of(1).rows > 50);
  const Pair fresh(500, 0.0, 99);
  for (Index k = 0; k < 2; ++k) {
    const Prediction p = predict(gp.latent(k), fresh.X, true, nothing);
    const Vector sd = (p.variance.array() + gp.latent(k).s2()).sqrt();
    const Vector e = (k == 0 ? fresh.u : fresh.v) - p.mean;
    const double covered = (e.array().abs() < 1.96 * sd.array()).cast<double>().mean();
    CHECK(covered > 0.92 && covered < 0.98);
  }
  wishes.any_half_life = true;
  const StreamingGP fading = followed(450, wishes), cut = followed(130, wishes);
  CHECK(fading.state().fading().half_life == cut.state().fading().half_life);
  for (Index k = 0; k < 2; ++k) check_same(fading.latent(k), cut.latent(k), 1e-8);
  CHECK(restored(record(fading.state())) == fading.state());
}
