// Points that need support: which rows become points, and what becomes of those that lie apart.
#include "../../src/core/learn/spread.h"
#include "../../src/core/select/correlation.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

SelectorSpec supported(const std::string& name, double level, double support, double max_points = 1000,
                       const char* when_full = "replace") {
  return {name,
          {{name == "oips" ? "rho" : "tol", level}, {"support", support}, {"max_points", max_points}},
          Matrix(),
          {{"when_full", when_full}}};
}

// Rows on a square, every 13th of them far away, none near another.
struct Stray {
  Matrix X;
  Vector y;
  std::vector<Index> near, far;
  explicit Stray(Index n, unsigned seed = 3) : X(n, 2), y(n) {
    Random r(seed);
    for (Index i = 0; i < n; ++i) {
      const bool away = i % 13 == 5;
      (away ? far : near).push_back(i);
      X.row(i) << 3 * r.uniform() + (away ? 100.0 * static_cast<double>(i + 1) : 0.0), 3 * r.uniform();
      y(i) = std::sin(2 * X(i, 0)) + X(i, 1) + 0.2 * r.normal() + (away ? 30.0 : 0.0);
    }
  }
};

StreamingGP fed(const Stray& rows, Index by, const SelectorSpec& select, Index lookback = 60) {
  StreamingGP out = model(simple("se", 1.2, 1.5), select, 0.04, lookback, 2, 1.0);
  stream(out, rows.X, rows.y, by);
  return out;
}

bool is_far(const ConstMatrixView& Z) { return Z.rows() > 0 && Z.col(0).maxCoeff() > 10; }

// Of the look-back of row i, itself included, so many rows correlate with it at rho or more.
bool has_support(const Matrix& C, Index i, Index lookback, double rho, double least) {
  double count = 0;
  for (Index j = std::max<Index>(0, i - lookback + 1); j <= i; ++j) count += C(j, i) >= rho;
  return count >= least;
}

struct Stop {};
int calls = 0, stop_at = 0;
void stopping() {
  if (++calls == stop_at) throw Stop();
}

}  // namespace

TEST("with support a row joins when so many of the look-back lie in its ball, in any cut of the stream") {
  Random r(21);
  const WithLinearBrownian registered;
  const std::vector<std::string> names = kernel_names();
  int chosen = 0;
  for (int one = 0; one < 200; ++one) {
    const Index D = 1 + one % 3, n = 90, lookback = 10 + one % 60;
    const double rho = r.uniform(0.3, 0.95), least = 2 + one % 3;
    const KernelSpec k = random_kernel(names[static_cast<std::size_t>(one) % names.size()], D, r);
    const Matrix X = r.matrix(n, D) * 2;
    const Matrix C = correlations(k, X, X);
    std::vector<Index> expected;
    for (Index i = 0; i < n; ++i) {
      bool covered = false;
      for (const Index j : expected) covered = covered || C(j, i) >= rho;
      if (!covered && has_support(C, i, lookback, rho, least)) expected.push_back(i);
    }
    chosen += static_cast<int>(expected.size());
    for (const Index cut : {Index(1), Index(7), n}) {
      StreamingGP gp = model(k, supported("oips", rho, least), 0.1, lookback, D);
      stream(gp, X, X.col(0), cut);
      const Matrix wanted = rows_of(X, expected);
      const bool same = gp.size() == wanted.rows() && Matrix(gp.points()) == wanted;
      if (!same && gp.state().counters.refused == 0) CHECK(!"other points than by definition");
    }
  }
  CHECK(chosen > 1000);
}

TEST("with support the rules on the residual look for rows of correlation 0.8") {
  Random r(22);
  const Matrix X = r.matrix(150, 2) * 2;
  const KernelSpec k = simple("matern32", 0.8);
  const Matrix C = correlations(k, X, X);
  for (const char* name : {"variance", "noise"}) {
    const double tol = 0.1, share = name == std::string("noise") ? tol * 0.5 : tol;  // the noise is 0.5
    std::vector<Index> expected;
    for (Index i = 0; i < 150; ++i) {
      const Matrix Z = rows_of(X, expected);
      const LMatrix W =
          Eigen::LLT<LMatrix>(matrix(k, Z, Z)).matrixL().solve(matrix(k, Z, X.middleRows(i, 1)));
      if (1 - static_cast<double>(W.squaredNorm()) > share && has_support(C, i, 50, 0.8, 3))
        expected.push_back(i);
    }
    CHECK(expected.size() > 8);
    for (const Index cut : {Index(1), Index(11), Index(150)}) {
      StreamingGP gp = model(k, supported(name, tol, 3), 0.5, 50, 2);
      stream(gp, X, X.col(0), cut);
      CHECK(gp.state().counters.refused == 0 && Matrix(gp.points()) == rows_of(X, expected));
    }
  }
}

TEST("support of 1 is none, to the last bit") {
  const Stray rows(300);
  SelectorSpec without = supported("oips", 0.8, 1);
  without.numbers.erase("support");
  const Record one = record(fed(rows, 17, supported("oips", 0.8, 1)).state()),
               other = record(fed(rows, 17, without).state());
  CHECK(one.fields().size() == other.fields().size() && !one.has("window_apart"));
  for (const char* name : {"Z", "L", "P", "window_w"})
    CHECK(one.get<Matrix>(name) == other.get<Matrix>(name));
  CHECK(fed(rows, 17, without).state().counters.set_aside == 0);
}

TEST(
    "[derivation 16] rows that lie apart say nothing: as if they had not come, and set aside when they "
    "leave") {
  const Stray rows(400);
  const Matrix near = rows_of(rows.X, rows.near);
  const Vector known = entries_of(rows.y, rows.near);
  for (const char* name : {"oips", "variance", "noise"}) {
    const SelectorSpec select = supported(name, name == std::string("oips") ? 0.8 : 0.05, 2);
    // where every row is held, the look-back of the others is the same without them
    StreamingGP gp = fed(rows, 31, select, unlimited);
    StreamingGP without = model(simple("se", 1.2, 1.5), select, 0.04, unlimited, 2, 1.0);
    stream(without, near, known, 31);
    CHECK(!is_far(gp.points()) && gp.size() > 10 && Matrix(gp.points()) == Matrix(without.points()));
    CHECK(gp.totals().n == without.totals().n && gp.state().counters.set_aside == 0);
    CHECK(gp.state().open.count_apart() >= static_cast<Index>(rows.far.size()));
    CHECK(std::abs(gp.objective() - without.objective()) < 1e-9 * std::abs(without.objective()));
    const Prediction p = predict(gp, near, true, nothing), q = predict(without, near, true, nothing);
    CHECK_CLOSE(p.mean, q.mean, 1e-8);
    CHECK_CLOSE(p.variance, q.variance, 1e-8);

    // where they leave: the same in any cut
    const StreamingGP one = fed(rows, 1, select);
    CHECK(!is_far(one.points()) && one.state().counters.set_aside >= 20);
    const double held = static_cast<double>(one.state().open.count_apart());
    CHECK(one.totals().n == 400 - one.state().counters.set_aside - held);
    const Prediction r = predict(one, near, true, nothing);
    for (const Index cut : {Index(7), Index(100), Index(400)}) {
      const StreamingGP other = fed(rows, cut, select);
      CHECK(Matrix(other.points()) == Matrix(one.points()));
      CHECK(other.state().counters.set_aside == one.state().counters.set_aside);
      CHECK(other.state().open.apart() == one.state().open.apart());
      CHECK(other.state().traces.lost_matrix() == one.state().traces.lost_matrix());
      const Prediction s = predict(other, near, true, nothing);
      CHECK_CLOSE(r.mean, s.mean, 1e-8);
      CHECK_CLOSE(r.variance, s.variance, 1e-8);
    }
  }
}

TEST("a batch far longer than the look-back, in blocks: rows apart are set aside on the way") {
  const Stray rows(2000);
  const SelectorSpec select = supported("oips", 0.8, 3);
  const StreamingGP one = fed(rows, 1, select), all = fed(rows, 2000, select);
  CHECK(one.state().counters.set_aside > 140 && Matrix(one.points()) == Matrix(all.points()));
  CHECK(one.state().counters.set_aside == all.state().counters.set_aside && one.totals().n == all.totals().n);
  CHECK_CLOSE(symmetric(one.state().settled.P.view()), symmetric(all.state().settled.P.view()), 1e-10);
}

TEST("rows count as soon as a point explains them") {
  Matrix X(4, 1);
  X << 0.0, 0.1, 5.0, 0.2;
  const Vector y = Vector::Ones(4);
  StreamingGP gp = model(simple("se", 1.0), supported("oips", 0.8, 3), 0.1, 10, 1);
  gp.update(X.topRows(3), y.head(3), nothing);
  CHECK(gp.size() == 0 && gp.totals().n == 0 && gp.state().open.count_apart() == 3);
  CHECK(predict(gp, X, true, nothing).mean.isZero());
  gp.update(X.bottomRows(1), y.tail(1), nothing);
  CHECK(gp.size() == 1 && gp.points()(0, 0) == 0.2 && gp.totals().n == 3);
  CHECK(gp.state().open.apart() == (Vector(4) << 0, 0, 1, 0).finished());
  gp.rebase(gp.state().kernel, (Matrix(2, 1) << 0.2, 5.0).finished());
  CHECK(gp.totals().n == 4 && gp.state().open.count_apart() == 0);
  CHECK_THROWS(model(simple("se", 1.0), supported("oips", 0.8, 3), 0.1, 2, 1), "parameter");
  CHECK_THROWS(make_selector(supported("oips", 0.8, 0)), "parameter");
  CHECK_THROWS(make_selector(supported("oips", 0.8, 1.5)), "parameter");
}

TEST("with a limit of points: only rows with support have others leave, or are turned away") {
  const Stray rows(600);
  for (const char* when_full : {"replace", "stop"}) {
    const SelectorSpec select = supported("oips", 0.8, 2, 10, when_full);
    const StreamingGP one = fed(rows, 1, select);
    CHECK(one.size() <= 10 && !is_far(one.points()));
    const bool leave = one.state().counters.removed > 0, turned = one.state().counters.turned_away > 0;
    CHECK(leave == (when_full == std::string("replace")) && turned != leave);
    for (const Index cut : {Index(9), Index(600)}) {
      const StreamingGP other = fed(rows, cut, select);
      CHECK(Matrix(other.points()) == Matrix(one.points()));
      CHECK(other.state().counters.set_aside == one.state().counters.set_aside);
      CHECK(other.state().counters.removed == one.state().counters.removed);
      CHECK(other.state().counters.turned_away == one.state().counters.turned_away);
    }
  }
}

TEST("an update that is stopped leaves rows that lie apart as they were") {
  const Stray rows(700);
  StreamingGP gp = model(simple("se", 1.2, 1.5), supported("oips", 0.9, 3), 0.04, 60, 2, 1.0);
  gp.update(rows.X.topRows(90), rows.y.head(90), nothing);
  predict(gp, rows.X, true, nothing);
  CHECK(gp.state().open.count_apart() > 5);
  const State before = gp.state();
  bool ended = false;
  for (int at = 1; !ended; at += 3) {
    calls = 0;
    stop_at = at;
    StreamingGP next = gp;
    try {
      next.update(rows.X.bottomRows(610), rows.y.tail(610), stopping);
      ended = true;
    } catch (const Stop&) {
      CHECK(next.state() == before);
    }
  }
  CHECK(calls > 10);
}

TEST("rows that lie apart survive being written down") {
  const Stray rows(300);
  for (const char* name : {"oips", "noise"}) {
    StreamingGP gp = fed(rows, 23, supported(name, 0.5, 3));
    StreamingGP twin(restored(record(gp.state())));
    CHECK(gp.state().open.count_apart() > 0 && twin.state() == gp.state());
    const Stray more(360);
    gp.update(more.X.bottomRows(60), more.y.tail(60), nothing);
    twin.update(more.X.bottomRows(60), more.y.tail(60), nothing);
    CHECK(twin.state() == gp.state());
    Record broken;  // of two fields of one name the first is read
    broken.put("window_apart", Vector(Vector::Constant(gp.state().open.size(), 2.0)));
    broken.put("", record(gp.state()));
    CHECK_THROWS(restored(broken), "corrupt");
  }
}

TEST("a row that was set aside cannot be unlearned, others can; one that waits can, too") {
  const Stray rows(300);
  const StreamingGP gp = fed(rows, 20, supported("oips", 0.8, 2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto row = [&](Index i) {
    return Sample{rows.X.middleRows(i, 1), rows.y.segment(i, 1), Vector::Constant(1, nan)};
  };
  const Index far = rows.far[5], near = 151, waits = rows.far.back();
  CHECK_THROWS(unlearned(gp, row(far), Vector::Constant(1, static_cast<double>(far + 61))), "unlearn");
  CHECK(!gp.state().traces.is_lost(static_cast<double>(near + 61)));
  CHECK(unlearned(gp, row(near), Vector::Constant(1, static_cast<double>(near + 61))).totals().n ==
        gp.totals().n - 1);
  const StreamingGP less = unlearned(gp, row(waits), Vector::Constant(1, nan));
  CHECK(less.state().open.count_apart() == gp.state().open.count_apart() - 1);
  CHECK(less.totals().n == gp.totals().n);
}

TEST("however many rows are set aside, few stretches of the stream are remembered") {
  Traces traces;
  for (double at = 2; at < 4000; at += 3) traces.lose(at - 1, at);
  CHECK(traces.lost.size() == Traces::most_stretches);
  for (double at = 2; at < 4000; at += 3) CHECK(traces.is_lost(at));
  CHECK(!traces.is_lost(3996) && !traces.is_lost(3997) && traces.is_lost(3));
}

TEST("models that are merged: what lay apart counts where the points of the other explain it") {
  const Stray a(150, 4), b(150, 5);
  StreamingGP one = fed(a, 10, supported("oips", 0.8, 2)), two = fed(b, 10, supported("oips", 0.8, 2));
  Merged both = merged(one, two);
  const State& state = both.model.state();
  CHECK(state.counters.seen == 300 && !is_far(both.model.points()));
  const double apart = static_cast<double>(state.open.count_apart());
  CHECK(apart > 0 && both.model.totals().n == 300 - state.counters.set_aside - apart);
  CHECK(state.counters.set_aside >= static_cast<double>(a.far.size()));
  // with one that has the far rows for points, none of them lies apart
  const StreamingGP all = fed(b, 10, oips(0.8));
  const Merged explained = merged(all, two);
  CHECK(explained.model.state().open.count_apart() == 0);
}

TEST("[derivation 15] a block with rows that lie apart is foretold as by a model that has not seen it") {
  const Stray rows(200);
  const SelectorSpec select = supported("variance", 0.02, 3);
  StreamingGP before = model(simple("se", 1.2, 1.5), select, 0.04, 100, 2, 1.0);
  before.update(rows.X.topRows(170), rows.y.head(170), nothing);
  StreamingGP after = before;
  after.update(rows.X.bottomRows(30), rows.y.tail(30), nothing);
  CHECK(after.size() == before.size() && after.state().open.apart().tail(30).sum() == 2);
  const Prediction p = predict(before, rows.X.bottomRows(30), true, nothing);
  const Foretold f = foretell(after, 30);
  CHECK_CLOSE(f.error, Vector(rows.y.tail(30) - p.mean), 1e-6);
  CHECK_CLOSE(f.sd, Vector((p.variance.array() + 0.04).sqrt()), 1e-6);
}

TEST("a set of points on its own looks back over the rows of the call") {
  const Stray rows(200);
  const Matrix C = correlations(simple("se", 1.2), rows.X, rows.X);
  std::vector<double> expected;
  for (Index i = 0; i < 200; ++i) {
    bool covered = false;
    for (const double j : expected) covered = covered || C(static_cast<Index>(j) - 1, i) >= 0.8;
    if (!covered && has_support(C, i, 200, 0.8, 3)) expected.push_back(static_cast<double>(i) + 1);
  }
  PointSet set(make_kernel(simple("se", 1.2)), make_selector(supported("oips", 0.8, 3)), 2);
  set.update(rows.X, nothing);
  CHECK(set.index() == expected);
}
