// Weights: a row of weight B says what B equal rows say.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

const double s2 = 0.05;

struct Problem {
  Matrix X, at, Z;
  Vector y, weights;
};
Problem problem(unsigned seed, Index n) {
  Random r(seed);
  Problem p{r.matrix(n, 2), r.matrix(12, 2), r.matrix(9, 2), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    p.y(i) = 2 + std::sin(5 * p.X(i, 0)) + p.X(i, 1) + 0.1 * r.normal();
    p.weights(i) = std::exp(r.uniform(-2, 2));
  }
  return p;
}

void stream_weighted(StreamingGP& gp, const Matrix& X, const Vector& y, const Vector& weights, Index cut) {
  for (Index start = 0; start < X.rows(); start += cut) {
    const Index rows = std::min(cut, X.rows() - start);
    gp.update(X.middleRows(start, rows), y.segment(start, rows), nothing, false,
              weights.segment(start, rows));
  }
}

void same_predictions(const StreamingGP& a, const StreamingGP& b, const Matrix& at, double tolerance) {
  CHECK(a.size() == b.size());
  const Prediction p = predict(a, at, true, nothing), q = predict(b, at, true, nothing);
  CHECK_CLOSE(p.mean, q.mean, tolerance);
  CHECK_CLOSE(p.variance, q.variance, tolerance);
}

}  // namespace

TEST("B equal rows are one row of weight B in every prediction, whatever the look-back and the cut") {
  const Problem p = problem(1, 40);
  const KernelSpec k = simple("matern52", 0.6, 1.3);
  const Index B = 3;
  Matrix often(40 * B, 2);
  Vector y(40 * B);
  for (Index i = 0; i < 40 * B; ++i) {
    often.row(i) = p.X.row(i / B);
    y(i) = p.y(i / B);
  }
  for (const SelectorSpec& select : {fixed(p.Z), oips(0.8)})
    for (const Index lookback : {Index(0), Index(10), unlimited})
      for (const Index cut : {Index(1), Index(7), Index(40)}) {
        // as many rows look back
        StreamingGP gp = model(k, select, s2, lookback == 10 ? 10 * B : lookback, 2, 1.5),
                    weighted = model(k, select, s2, lookback, 2, 1.5);
        stream(gp, often, y, cut * B);
        stream_weighted(weighted, p.X, p.y, Vector::Constant(40, static_cast<double>(B)), cut);
        CHECK(weighted.state().counters.seen == 40 && gp.state().counters.seen == 40 * B);
        same_predictions(weighted, gp, p.at, 1e-10);
        weighted.set_scale(0.8, 0.2, 2.2);
        gp.set_scale(0.8, 0.2, 2.2);
        same_predictions(weighted, gp, p.at, 1e-10);
      }
}

TEST("a weighted stream is the dense weighted batch, predictions and objective, for any look-back and cut") {
  const Problem p = problem(2, 70);
  const KernelSpec k = simple("se", 0.5, 1.3);
  const Vector from_mean = p.y.array() - 1.5;
  Answer truth = batch(k, p.Z, p.X, from_mean, s2, p.at, p.weights);
  truth.mean.array() += 1.5;
  for (const Index lookback : {Index(0), Index(10), unlimited})
    for (const Index cut : {Index(1), Index(7), Index(70)})
      for (const bool watched : {false, true}) {
        StreamingGP gp = model(k, fixed(p.Z), s2, lookback, 2, 1.5);
        if (watched) gp.factor();  // rows then wait to be rotated in
        stream_weighted(gp, p.X, p.y, p.weights, cut);
        const Prediction q = predict(gp, p.at, true, nothing);
        CHECK_CLOSE(q.mean, truth.mean, 1e-10);
        CHECK_CLOSE(q.variance, truth.variance, 1e-10);
        CHECK(std::abs(gp.objective() - truth.objective) <= 1e-10 * std::abs(truth.objective));
      }
}

TEST("open rows keep their weights when points join and when the kernel changes") {
  const Problem p = problem(3, 70);
  const KernelSpec k = simple("se", 0.5, 1.3), other = simple("matern52", 0.7, 0.9);
  StreamingGP gp = model(k, oips(0.8), s2, unlimited, 2, 1.5);
  for (Index i = 0; i < 70; ++i) {
    gp.update(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing, false, p.weights.segment(i, 1));
    gp.factor();
  }
  const Vector from_mean = p.y.array() - 1.5;
  const auto same = [&](const KernelSpec& now) {
    const Answer truth = batch(now, gp.points(), p.X, from_mean, s2, p.at, p.weights);
    CHECK_CLOSE(Vector(predict(gp, p.at, false, nothing).mean.array() - 1.5), truth.mean, 1e-9);
    CHECK(std::abs(gp.objective() - truth.objective) <= 1e-9 * std::abs(truth.objective));
  };
  same(k);
  gp.rebase(make_kernel(other), p.Z);
  same(other);
}

TEST("the objective elsewhere counts the weights of the batch and of the open rows") {
  const Problem p = problem(4, 70);
  for (const Index lookback : {Index(0), Index(10), unlimited}) {
    StreamingGP gp = model(simple("se", 0.5, 1.3), oips(0.8), s2, lookback, 2, 1.5);
    stream_weighted(gp, p.X.topRows(50), p.y.head(50), p.weights.head(50), 7);
    const Objective F(gp, p.X.bottomRows(20), p.y.tail(20), p.weights.tail(20));
    const KernelPtr kernel = make_kernel(simple("se", 0.6, 1.1));
    const Slope there = F(Place{kernel, p.Z, 0.08, 1.8}, false, nothing);
    gp.rebase(kernel, p.Z);
    gp.set_scale(1.1, 0.08, 1.8);
    gp.absorb(p.X.bottomRows(20), p.y.tail(20), nothing, p.weights.tail(20));
    CHECK(std::abs(there.objective - gp.objective()) <= 1e-9 * std::abs(gp.objective()));
  }
}

TEST("weights that are not positive and finite, or not one a row, are refused before anything changes") {
  const Problem p = problem(5, 30);
  StreamingGP gp = model(simple("se", 0.5), oips(0.8), s2, 10, 2);
  stream(gp, p.X.topRows(20), p.y.head(20), 7);
  const StreamingGP before = gp;
  const Matrix X = p.X.bottomRows(3);
  const Vector y = p.y.tail(3);
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, std::nan(""), inf}) {
    const Vector weights = (Vector(3) << 1, bad, 1).finished();
    CHECK_THROWS(gp.update(X, y, nothing, false, weights), "input");
    CHECK_THROWS(gp.absorb(X, y, nothing, weights), "input");
  }
  CHECK_THROWS(gp.update(X, y, nothing, false, Vector::Ones(2)), "input");
  CHECK(gp.state() == before.state());
}
