// What the model promises beside its numbers: nothing lost, nothing changed, nothing negative.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

bool same_state(const StreamingGP& a, const StreamingGP& b) { return a.state() == b.state(); }

int calls_left = 0;
void stop_later() {
  if (--calls_left < 0) throw Error("interrupt", "stopped");
}

StreamingGP track(Index lookback) {
  Random r(1);
  StreamingGP gp = model(simple("se", 0.5), oips(0.8), 0.01, lookback, 1);
  Matrix X = r.matrix(60, 1) * 4;
  stream(gp, X, X.col(0).array().sin().matrix(), 6);
  return gp;
}

}  // namespace

TEST("an update with no rows changes nothing, a thousand times") {
  StreamingGP gp = track(20);
  const StreamingGP before = gp;
  for (int i = 0; i < 1000; ++i) gp.update(Matrix(0, 1), Vector(0), nothing);
  CHECK(same_state(gp, before));
}

TEST("an update stopped at any moment leaves the model as it was, and the next one works") {
  Random r(2);
  const Matrix X = r.matrix(1500, 1) * 20;  // new ground: many points join before it stops
  const Vector y = X.col(0).array().cos();
  for (Index lookback : {Index(0), Index(20), unlimited})
    for (int rows : {-1, 0, 1}) {  // never factored; factored; factored, and a row since
      StreamingGP gp = track(lookback);
      if (rows >= 0) gp.factor();
      if (rows > 0) gp.update(gp.points().topRows(1), Vector::Ones(1), nothing);
      CHECK(gp.state().factor.waiting() == (rows > 0 ? 1 : 0) && gp.state().factor.made() == (rows >= 0));
      const StreamingGP before = gp;
      StreamingGP straight = gp;
      straight.update(X, y, nothing);
      int moments = 0;
      for (int after = 0;; ++after, ++moments) {
        calls_left = after;
        try {
          gp.update(X, y, stop_later);
          break;
        } catch (const Error&) {
          if (!same_state(gp, before)) {
            CHECK(!"state changed");
            return;
          }
        }
      }
      CHECK(moments >= 8);
      CHECK(same_state(gp, straight));
    }
}

TEST("bad batches are refused before anything changes") {
  StreamingGP gp = track(20);
  const StreamingGP before = gp;
  const double nan = std::nan("");
  CHECK_THROWS(gp.update(Matrix::Constant(2, 1, nan), Vector::Zero(2), nothing), "nonfinite");
  CHECK_THROWS(gp.update(Matrix::Zero(2, 1), Vector::Constant(2, nan), nothing), "nonfinite");
  CHECK_THROWS(gp.update(Matrix::Zero(2, 1), Vector::Constant(2, 1e200), nothing), "nonfinite");
  CHECK_THROWS(gp.update(Matrix::Zero(2, 2), Vector::Zero(2), nothing), "dimension");
  CHECK_THROWS(gp.update(Matrix::Zero(2, 1), Vector::Zero(3), nothing), "dimension");
  CHECK(same_state(gp, before));
}

TEST("the limit on points: the first batch that exceeds it can be held back, then goes through") {
  Random r(3);
  StreamingGP gp = model(simple("se", 0.1), oips(0.8, 5), 0.01, 10, 1);
  const Matrix X = r.matrix(50, 1);
  const StreamingGP before = gp;
  CHECK(!gp.update(X, X.col(0), nothing, true));
  CHECK(same_state(gp, before));
  CHECK(gp.update(X, X.col(0), nothing, false));
  CHECK(gp.size() == 5 && gp.state().counters.turned_away > 0 && gp.state().counters.seen == 50);
  CHECK(gp.update(X, X.col(0), nothing, true));
}

TEST("a saved model continues bitwise, whatever its storage has grown to") {
  Random r(4);
  for (Index rows : {0, 1, 7, 8, 9, 50, 130})
    for (Index lookback : {Index(0), Index(6), unlimited}) {
      StreamingGP gp = model(simple("matern32", 0.02), oips(0.7), 0.01, lookback, 1);
      const Matrix X = r.matrix(rows + 40, 1);
      const Vector y = (9 * X.col(0)).array().sin();
      stream(gp, X.topRows(rows), y.head(rows), 3);
      StreamingGP twin(restored(record(gp.state())));
      for (Index i = rows; i < rows + 40; ++i) {
        gp.update(X.middleRows(i, 1), y.segment(i, 1), nothing);
        twin.update(X.middleRows(i, 1), y.segment(i, 1), nothing);
        if (i % 7 == 0)
          twin = StreamingGP(
              restored(record(twin.state())));  // with rows that are in the evidence and not yet in C
        if (i % 5 == 0) CHECK(gp.factor() == twin.factor());
      }
      CHECK(same_state(gp, twin));
      CHECK(predict(gp, X, true, nothing).variance == predict(twin, X, true, nothing).variance);
    }
}

TEST("variances are never negative, never above the prior, never NaN, on hard streams") {
  Random r(5);
  double below = 0, above = 0;
  bool finite = true;
  for (const char* name : {"se", "matern52", "rq"})
    for (double range : {1e-3, 1e-1, 1.0, 10.0, 1e3})
      for (double rho : {0.5, 0.95, 0.999})
        for (double noise : {1e-10, 1e-2}) {
          Matrix X = r.matrix(200, 2);
          for (Index i = 100; i < 200; ++i) X.row(i) = X.row(i - 100).array() + 1e-12 * r.normal();
          Vector y(200);
          for (Index i = 0; i < 200; ++i) y(i) = std::sin(5 * X(i, 0)) + 0.1 * r.normal();
          StreamingGP gp = model(simple(name, range, 2.0), oips(rho), noise, 50, 2);
          stream(gp, X, y, 37);
          Matrix at(220, 2);
          at << X, r.matrix(20, 2) * 3;
          const Prediction p = predict(gp, at, true, nothing);
          finite = finite && p.mean.allFinite() && p.variance.allFinite() && std::isfinite(gp.objective());
          below = std::min(below, p.variance.minCoeff());
          above = std::max(above, p.variance.maxCoeff() / 2.0 - 1);
        }
  CHECK(finite);
  CHECK(below >= 0);
  CHECK(above <= 1e-12);
}

TEST(
    "the residual trace is that of the final points when every row is in the window, and never smaller "
    "otherwise") {
  Random r(6);
  const Matrix X = r.matrix(200, 1) * 5;
  const Vector y = X.col(0).array().sin();
  double last = 1e300;
  for (Index lookback : {Index(0), Index(10), Index(100), unlimited}) {
    StreamingGP gp = model(simple("se", 0.6), oips(0.6), 0.01, lookback, 1);
    stream(gp, X, y, 1);
    const LMatrix K = reference::matrix(simple("se", 0.6), gp.points(), gp.points());
    const LMatrix W =
        Eigen::LLT<LMatrix>(K).matrixL().solve(reference::matrix(simple("se", 0.6), gp.points(), X));
    const double exact = static_cast<double>(200 - W.squaredNorm());
    CHECK(gp.tau() >= exact * (1 - 1e-10) && gp.tau() <= last);
    if (lookback == unlimited) CHECK(std::abs(gp.tau() - exact) <= 1e-9 * exact);
    last = gp.tau();
  }
}

TEST("the history is thinned, never longer than its limit, and keeps its grid") {
  History h;
  for (int i = 1; i <= 10000; ++i) h.add(i, 1);
  CHECK(h.kept.size() <= History::limit && h.kept.size() >= History::limit / 2);
  CHECK(h.now.batch == 10000 && h.kept.front().batch == 1 && h.sound());
  bool even = true;
  for (std::size_t i = 1; i < h.kept.size(); ++i)
    even = even && h.kept[i].batch - h.kept[i - 1].batch == h.stride;
  CHECK(even);
}

TEST("a note about a batch is exact however the history is thinned, and a wrong one changes nothing") {
  History h;
  double squared = 0.0;
  for (int i = 1; i <= 5000; ++i) {
    h.reserve();
    h.add(i, 1);
    squared += i % 7;
    h.note(Scores{1.0, static_cast<double>(i % 7), 0.0, 0.0}, std::vector<double>{0.05 * (i % 20) + 0.01});
  }
  CHECK(h.now.scored == 5000 && h.now.squared == squared && h.sound());
  CHECK(*std::min_element(h.pit.begin(), h.pit.end()) == 250 &&
        *std::max_element(h.pit.begin(), h.pit.end()) == 250);
  double sum = 0.0;
  std::size_t entry = 0;
  bool exact = true;
  for (int i = 1; i <= 5000 && entry < h.kept.size(); ++i) {
    sum += i % 7;
    if (h.kept[entry].batch == i) exact = exact && h.kept[entry++].squared == sum;
  }
  CHECK(exact && entry == h.kept.size());
  const double before = h.now.squared;
  CHECK_THROWS(h.note(Scores{1.0, std::nan(""), 0.0, 0.0}, std::vector<double>()), "nonfinite");
  CHECK_THROWS(h.note(Scores{1.0, 1.0, 0.0, 0.0}, std::vector<double>{0.5, -0.1}), "input");
  CHECK(h.now.squared == before);
}

TEST("weighted rows one at a time, with a look at the posterior after each, are the weighted rows at once") {
  Random r(8);
  const Matrix X = r.matrix(40, 1) * 3, at = r.matrix(20, 1) * 3;
  const Vector y = X.col(0).array().sin(), weights = r.matrix(40, 1).col(0).array() * 5 + 0.1;
  StreamingGP whole = model(simple("se", 0.5), fixed(r.matrix(6, 1) * 3), 0.01, 5, 1), single = whole;
  whole.update(X, y, nothing, false, weights);
  for (Index i = 0; i < 40; ++i) {
    single.update(X.middleRows(i, 1), y.segment(i, 1), nothing, false, weights.segment(i, 1));
    single.factor();
  }
  CHECK_CLOSE(predict(single, at, true, nothing).mean, predict(whole, at, true, nothing).mean, 1e-9);
  CHECK_CLOSE(predict(single, at, true, nothing).variance, predict(whole, at, true, nothing).variance, 1e-9);
  CHECK(std::abs(single.objective() - whole.objective()) <= 1e-9 * std::abs(whole.objective()));
}

TEST("a large batch is what its parts are: settled and open rows, residuals, constants") {
  Random r(9);
  const Matrix X = r.matrix(1300, 1) * 3, at = r.matrix(20, 1) * 3;
  const Vector y = X.col(0).array().sin();
  StreamingGP whole = model(simple("matern32", 0.5), fixed(r.matrix(6, 1) * 3), 0.01, 30, 1), parts = whole;
  whole.update(X, y, nothing);
  stream(parts, X, y, 100);
  CHECK_CLOSE(predict(parts, at, true, nothing).mean, predict(whole, at, true, nothing).mean, 1e-10);
  CHECK_CLOSE(predict(parts, at, true, nothing).variance, predict(whole, at, true, nothing).variance, 1e-10);
  CHECK_CLOSE(parts.state().open.residuals(), whole.state().open.residuals(), 1e-10);
  CHECK(std::abs(parts.objective() - whole.objective()) <= 1e-10 * std::abs(whole.objective()));
}
