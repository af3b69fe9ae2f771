// A stream followed: scores, rivals, kernels learned anew.
#include "../../src/core/learn/settings.h"
#include "given_example.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

Sample piece(const Sample& all, Index from, Index count) { return piece_of(all, from, count); }

Sample waves(Index n, double noise = 0.1, double from = 0.0) {
  Random r(3);
  Sample out{Matrix(n, 1), Vector(n), Vector::Ones(n)};
  for (Index i = 0; i < n; ++i) {
    out.X(i, 0) = from + 10.0 * r.uniform();
    out.y(i) = std::sin(out.X(i, 0)) + noise * r.normal();
  }
  return out;
}

Wishes follows() {
  Wishes out;
  out.any_kernel = out.any_rho = true;
  out.kernel = example::leaf("se");
  out.kernel.ard = true;
  out.select = {"oips", {{"max_points", 200.0}}, Matrix()};
  out.learns = Wishes::always;
  return out;
}

StreamingGP fed(const Sample& rows, Index by, const Wishes& wishes = follows()) {
  StreamingGP model =
      started(wishes, rows.X.topRows(std::min(by, rows.size())), rows.y.head(std::min(by, rows.size())));
  for (Index from = 0; from < rows.size(); from += by)
    CHECK(learn(model, piece(rows, from, std::min(by, rows.size() - from)), wishes, false, nothing));
  return model;
}

struct Stop {};
int calls = 0, stop_at = 0;
void stopping() {
  if (++calls == stop_at) throw Stop();
}

}  // namespace

TEST(
    "[derivation 15] rows foretold without themselves are as a model foretells them that has not seen them") {
  const Sample rows = waves(80);
  Settings settings;
  settings.kernel = make_kernel({"se", 1.3, Vector::Constant(1, 1.5), {}, {}});
  settings.selector = make_selector({"fixed", {}, rows.X.topRows(25)});
  settings.noise = 0.02;
  settings.mean = 0.4;
  Trend sloping;
  sloping.columns = {0};
  sloping.centre = Vector::Constant(1, 5.0);
  sloping.scale = Vector::Constant(1, 3.0);
  sloping.ratio = Vector::Constant(2, 40.0);
  for (const Trend& trend : {Trend(), sloping})
    for (const Index count : {1, 7, 50}) {
      settings.trend = trend;
      StreamingGP before(settings, 1), after(settings, 1);
      Vector weights = Vector::Ones(80);
      weights.tail(5).setConstant(3.0);
      before.update(rows.X.topRows(80 - count), rows.y.head(80 - count), nothing, false,
                    weights.head(80 - count));
      after.update(rows.X, rows.y, nothing, false, weights);
      const Prediction p = predict(before, rows.X.bottomRows(count), true, nothing);
      const Foretold f = foretell(after, count);
      CHECK_CLOSE(f.error, Vector(rows.y.tail(count) - p.mean), 1e-8);
      const Vector sd = (p.variance.array() + 0.02 / weights.tail(count).array()).sqrt();
      CHECK_CLOSE(f.sd, sd, 1e-8);
      double density = 0;
      for (Index i = 0; i < count; ++i)
        density -= 0.5 * std::log(2 * 3.141592653589793 * 4 * sd(i) * sd(i)) +
                   0.5 * std::pow(f.error(i) / (2 * sd(i)), 2);
      CHECK(std::abs(f.log_score(2.0) - density) < 1e-7);
    }
}

TEST(
    "[derivation 15] a glance has the errors of the model that stood then, and the variance without its "
    "own") {
  const Sample rows = waves(130);
  Settings settings;
  settings.kernel = make_kernel({"se", 1.3, Vector::Constant(1, 1.5), {}, {}});
  settings.selector = make_selector({"variance", {{"tol", 0.01}, {"max_points", 99.0}}, Matrix()});
  settings.noise = 0.02;
  settings.mean = 0.4;
  settings.trend.columns = {0};
  settings.trend.centre = Vector::Constant(1, 5.0);
  settings.trend.scale = Vector::Constant(1, 3.0);
  settings.trend.ratio = Vector::Constant(2, 40.0);
  StreamingGP model(settings, 1);
  model.update(rows.X.topRows(8), rows.y.head(8), nothing);
  const StreamingGP before = model;
  const Vector then = posterior_mean(before);
  model.update(rows.X.bottomRows(122), rows.y.tail(122), nothing);
  CHECK(model.size() > before.size());
  const Matrix X = rows.X.bottomRows(50);
  Seen seen;
  see(before.state().basis, before.kernel(), X, nothing, seen);
  const Vector e = rows.y.tail(50) - predict(before, X, false, nothing).mean;
  const double odd = (e.array().square() / (0.02 + 1.3 * seen.r.array())).mean();
  CHECK(std::abs(at_a_glance(model.state(), then, 50) / odd - 1) < 1e-8);
}

TEST("a model that nobody competes with scores some blocks, and each that looks odd") {
  const Sample rows = waves(4600);
  const StreamingGP before = fed(piece(rows, 0, 4500), 100);  // learned at 3100, and next at 4650
  const Learner& quiet = before.state().learner;
  CHECK(quiet.rivals.empty() && quiet.learned == 3100);
  CHECK(quiet.calibration.rows < 4450 && quiet.calibration.rows > 4100);
  StreamingGP still = before, moved = before;
  Sample next = piece(rows, 4500, 100);
  learn(still, next, follows(), false, nothing);
  CHECK(still.state().learner.calibration.rows < quiet.calibration.rows + 100);
  next.y.array() += 5.0;
  learn(moved, next, follows(), false, nothing);
  CHECK(moved.state().learner.calibration.rows == quiet.calibration.rows + 100);
  CHECK(moved.state().learner.learned > 4500);
}

TEST("rows that a selector has seen are absorbed as it saw them, to the last bit") {
  const Sample rows = waves(60);
  Settings settings;
  settings.kernel = make_kernel({"se", 1.3, Vector::Constant(1, 1.5), {}, {}});
  settings.selector = make_selector({"variance", {{"tol", 0.01}, {"max_points", 99.0}}, Matrix()});
  settings.noise = 0.02;
  StreamingGP one(settings, 1);
  one.update(rows.X.topRows(40), rows.y.head(40), nothing);
  StreamingGP two = one;
  const Index M = one.size();
  one.update(rows.X.bottomRows(20), rows.y.tail(20), nothing);
  CHECK(one.size() == M);
  two.absorb(rows.X.bottomRows(20), rows.y.tail(20), nothing);
  CHECK(one.state() == two.state());
}

TEST("older scores count less, and only those with a later origin are held against the others") {
  const Foretold rows{Vector::Constant(50, 0.1), Vector::Ones(50)};
  Standing one;
  for (const double score : {-100.0, 30.0, 20.0}) note_score(rows, score, 5.0, false, one);
  const double keep = std::sqrt(0.9);
  CHECK(std::abs(one.score - 0.2 * ((-100.0 * keep + 30.0) * keep + 20.0)) < 1e-12);
  CHECK(one.since == 150 && one.ahead == 0);
  CHECK(std::abs(one.width + 150 * 0.02 * 0.05) < 1e-12);
  note_score(rows, 20.0, 5.0, true, one);
  CHECK(one.ahead == 15);
}

TEST("a followed stream gives the same model however it is cut") {
  const Sample rows = waves(330), there = waves(50, 0.1, 0.5);
  const StreamingGP one = fed(rows, 1), all = fed(rows, 330), some = fed(rows, 47);
  const Prediction p = predict(one, there.X, true, nothing);
  for (const StreamingGP* other : {&all, &some}) {
    const Prediction q = predict(*other, there.X, true, nothing);
    CHECK_CLOSE(p.mean, q.mean, 1e-8);
    CHECK_CLOSE(p.variance, q.variance, 1e-8);
    const Learner &a = one.state().learner, &b = other->state().learner;
    CHECK(a.learned == b.learned && a.next == b.next && a.rivals.size() == b.rivals.size());
    CHECK(a.changes == b.changes && a.calibration.debt == b.calibration.debt);
    CHECK(a.calibration.rows == 250);
    CHECK(Matrix(a.memory.stored()) == Matrix(b.memory.stored()));
    CHECK(other->state().counters.seen == 330);
  }
  CHECK(one.state().history.now.batch == 330 && all.state().history.now.batch == 1);
}

TEST("a followed model knows the noise, and its state survives being written down, rivals and all") {
  const Sample rows = waves(620);
  StreamingGP model = fed(rows, 100);
  CHECK(model.s2() > 0.005 && model.s2() < 0.02);
  CHECK(!model.state().learner.rivals.empty());
  StreamingGP twin(restored(record(model.state())));
  CHECK(twin.state() == model.state());
  const Sample more = waves(700);
  learn(model, piece(more, 620, 80), follows(), false, nothing);
  learn(twin, piece(more, 620, 80), follows(), false, nothing);
  CHECK(twin.state() == model.state());
}

TEST("[derivation 3] the noise of all rows: the best for the evidence, where few rows are not far from it") {
  const Sample rows = waves(1500);
  Settings settings;
  settings.kernel = make_kernel({"se", 1.3, Vector::Constant(1, 1.5), {}, {}});
  settings.selector = make_selector({"noise", {{"tol", 0.01}, {"max_points", 99.0}}, Matrix()});
  settings.noise = 0.0115;
  settings.trend.ratio(0) = 40.0;
  StreamingGP model(settings, 1);
  model.update(rows.X, rows.y, nothing);
  const StreamingGP before = model;
  const double best = best_scale(scale_sums(model), {1.3, 0.0115, 0.0}, {false, true, false}).scale.noise;
  take_own_noise(model, 0.0115, 500);
  CHECK(std::abs(std::log(model.s2() / best)) < 0.001 && std::abs(model.s2() / 0.01 - 1) < 0.1);
  CHECK(model.v() == before.v());
  for (const double far : {0.4 * best, 2.5 * best}) {
    StreamingGP other = before;
    take_own_noise(other, far, 500);
    CHECK(other.s2() == 0.0115);
  }
  StreamingGP few = before;
  take_own_noise(few, 0.0115, 1500);
  CHECK(few.s2() == 0.0115);
}

TEST("a model started anew with too few points for its noise foretells rows as well as it can") {
  Wishes wishes = follows();
  wishes.noise = 1e-6;  // of data that have a hundredth
  wishes.select.numbers["max_points"] = 80.0;
  const Sample rows = waves(500);
  const StreamingGP model = fed(piece(rows, 0, 400), 100, wishes);
  const Learner& learner = model.state().learner;
  const Sample some = learner.memory.rows();
  const LearnedKernel found =
      learned_kernel(wishes, learner.columns, part_of(some, 100), some, {}, false, nothing);
  StreamingGP anew(restarted(found, wishes, model.state(), some, nothing));
  CHECK(anew.state().selector->leaves_noise() && anew.size() <= 41);
  anew.update(rows.X.bottomRows(100), rows.y.tail(100), nothing);
  const Vector z = foretell(anew, 50).z();
  CHECK(z.squaredNorm() / 50 < 4);
}

TEST("a stream that becomes another is learned anew, and what came before is forgotten") {
  Sample rows = waves(900);
  for (Index i = 0; i < 200; ++i) rows.y(i) += 100.0;
  const StreamingGP model = fed(rows, 100);
  CHECK(model.state().learner.moves == 1);
  CHECK(model.state().learner.memory.rows().X.rows() > 0 && model.state().learner.memory.origin() > 0);
  const Sample there = waves(50, 0.0, 0.0);
  CHECK((predict(model, there.X, false, nothing).mean - there.y).cwiseAbs().maxCoeff() < 0.3);
  const StreamingGP still = fed(waves(900), 100);
  CHECK(still.state().learner.moves == 0);
}

TEST("an update that is stopped leaves a followed model as it was") {
  const Sample rows = waves(260);
  StreamingGP model = fed(piece(rows, 0, 140), 140);
  const State before = model.state();
  for (const int at : {1, 3, 40, 400}) {
    calls = 0;
    stop_at = at;
    try {
      learn(model, piece(rows, 140, 120), follows(), false, stopping);
      CHECK(false);
    } catch (const Stop&) {
    }
    CHECK(model.state() == before);
  }
}
