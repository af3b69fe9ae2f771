// What rounding may not spoil, and what must hold to the last bit.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct TwoThreads {
  TwoThreads() : before(preferences) {
    preferences = [] {
      Preferences out;
      out.threads = 2;
      return out;
    };
  }
  ~TwoThreads() { preferences = before; }
  Preferences (*before)();
};

}  // namespace

TEST(
    "hardly any noise, many rows, points without rows: I + xi P is not positive definite, and yet it is "
    "read") {
  Random r(1);
  const Matrix places = r.matrix(6, 2), Z = r.matrix(30, 2);
  for (const double noise : {1e-16, 1e-18, 1e-20})
    for (const Index lookback : {Index(0), Index(50), unlimited}) {
      StreamingGP gp = model(simple("matern32", 0.5), fixed(Z), noise, lookback, 2);
      Matrix X(600, 2);
      Vector y(600);
      for (Index i = 0; i < 600; ++i) {
        X.row(i) = places.row(i % 6);
        y(i) = std::sin(4 * X(i, 0)) + X(i, 1);
      }
      stream(gp, X, y, 60);
      Matrix G = gp.xi() * total_P(gp.state().settled, gp.state().open);
      G.diagonal().array() += 1;
      CHECK(!cholesky(G));
      CHECK((gp.factor().diagonal().array() > 0).all() && gp.factor().allFinite());
      const Prediction p = predict(gp, places, true, nothing);
      // all that is not known there is what the points do not see
      const Vector left = gp.state().basis.features(gp.kernel(), places, G);
      CHECK_CLOSE(p.mean, y.head(6), 1e-6);
      CHECK_CLOSE(p.variance, left, 1e-6);
      CHECK(p.variance.minCoeff() >= 0);
      CHECK(std::isfinite(gp.objective()));
    }
}

TEST("a large batch by two threads is that by one: all sums, and predictions with a mean, also another one") {
  Random r(2);
  const Index n = 1700, M = 200;
  const Matrix X = r.matrix(n, 2), at = r.matrix(50, 2), Z = r.matrix(M, 2);
  Vector y(n), weights(n);
  for (Index i = 0; i < n; ++i) {
    y(i) = 7 + std::sin(5 * X(i, 0)) + 0.1 * r.normal();
    weights(i) = r.uniform(0.5, 2);
  }
  for (const Index lookback : {Index(0), Index(100)})
    for (const bool weighted : {false, true}) {
      const auto learned = [&] {
        StreamingGP gp = model(simple("matern32", 0.2), fixed(Z), 0.02, lookback, 2, 3);
        gp.update(X, y, nothing, false, weighted ? weights : Vector());
        return gp;
      };
      StreamingGP one = learned();
      const TwoThreads hired;
      CHECK(threads_for(static_cast<double>(M * M * (n - lookback))) == 2);
      StreamingGP two = learned();
      const Evidence &a = one.state().settled, &b = two.state().settled;
      CHECK_CLOSE(lower(a.P.view()), lower(b.P.view()), 1e-12);
      CHECK_CLOSE(a.H.view(), b.H.view(), 1e-12);
      CHECK_CLOSE(a.b.view(), b.b.view(), 1e-12);
      CHECK_CLOSE(a.Phi, b.Phi, 1e-12);
      CHECK_CLOSE(a.s, b.s, 1e-12);
      CHECK(std::abs(a.yy - b.yy) < 1e-12 * a.yy && a.n == b.n && std::abs(a.con - b.con) < 1e-12 * -a.con);
      CHECK(std::abs(a.residual() - b.residual()) < 1e-12 * a.residual());
      CHECK(Matrix(one.state().open.features()) == Matrix(two.state().open.features()));
      for (const double mean : {3.0, 6.5}) {
        one.set_scale(1, 0.02, mean);
        two.set_scale(1, 0.02, mean);
        const Prediction p = predict(one, at, true, nothing), q = predict(two, at, true, nothing);
        CHECK_CLOSE(p.mean, q.mean, 1e-12);
        CHECK_CLOSE(p.variance, q.variance, 1e-12);
      }
      // and it is what was asked for
      const Vector from_mean = y.array() - 6.5;
      if (lookback == 0 && weighted) {
        const Matrix few = at.topRows(3);
        const Answer truth = batch(simple("matern32", 0.2), Z, X, from_mean, 0.02, few, weights);
        CHECK_CLOSE(Vector(predict(two, few, false, nothing).mean.array() - 6.5), truth.mean, 1e-9);
      }
    }
}

TEST("points that stay keep every bit while others join; while others leave, nothing of theirs is mixed in") {
  Random r(3);
  const Matrix X = r.matrix(150, 2) * 3;
  Vector y(150);
  for (Index i = 0; i < 150; ++i) y(i) = std::sin(2 * X(i, 0)) + 0.1 * r.normal();
  for (const Index lookback : {Index(0), Index(20)}) {
    StreamingGP gp = model(simple("se", 0.9), oips(0.6), 0.02, lookback, 2, 0.3);
    stream(gp, X, y, 10);
    const Index M = gp.size();
    const Matrix Z = gp.points();
    CHECK(M > 8);
    // others join
    Matrix more(M + 2, 2);
    more << X.row(7).array() + 0.1, Z, X.row(9).array() + 0.1;
    StreamingGP grown = gp;
    grown.rebase(gp.state().kernel, more);
    const State &before = gp.state(), &after = grown.state();
    CHECK(grown.size() > M && Matrix(grown.points().topRows(M)) == Z);
    CHECK(lower(after.basis.L.view().topLeftCorner(M, M)) == lower(before.basis.L.view()));
    CHECK(lower(after.settled.P.view().topLeftCorner(M, M)) == lower(before.settled.P.view()));
    CHECK(after.settled.b.view().head(M) == before.settled.b.view());
    CHECK(after.settled.H.view().topRows(M) == before.settled.H.view());
    CHECK(Matrix(after.open.features().topRows(M)) == Matrix(before.open.features()));
    // the last leave, by projection: a point that stays is its own row of the factor, to the last bit, and
    // that has zeros where they were
    const Projection fewer = projection(before.basis, gp.kernel(), gp.kernel(), Z.topRows(M - 3));
    const Matrix stays = lower(before.basis.L.view()).topRows(M - 3);
    const Matrix S = lower(fewer.basis.L.view()).triangularView<Eigen::Lower>() * fewer.S;
    CHECK((fewer.S.rightCols(3).array() == 0).all());
    CHECK_CLOSE(S, stays, 1e-15);
    CHECK_CLOSE(fewer.S.leftCols(M - 3), Matrix::Identity(M - 3, M - 3), 1e-12);
  }
}
