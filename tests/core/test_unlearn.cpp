// Rows are taken out again, as if they had never come.
#include "../../src/core/learn/spread.h"
#include "../../src/core/likelihoods/gaussian.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Data {
  Matrix X;
  Vector y, weights;
};
Data data(unsigned seed, Index n) {
  Random r(seed);
  Data out{r.matrix(n, 2) * 2, Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    out.y(i) = 3 + std::sin(3 * out.X(i, 0)) + 0.1 * r.normal();
    out.weights(i) = r.uniform(0.5, 2);
  }
  return out;
}

KernelSpec kernel() { return composite("sum", simple("se", 0.8, 0.7), simple("rq", 1.1, 0.4)); }

Sample pick(const Data& d, const std::vector<Index>& rows, bool weighted = false) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {rows_of(d.X, rows), entries_of(d.y, rows),
          weighted ? entries_of(d.weights, rows) : Vector::Constant(static_cast<Index>(rows.size()), nan)};
}

// When the rows left, by their numbers; NaN for those that are open.
Vector left_at(const std::vector<Index>& rows, Index lookback, Index n) {
  Vector out(static_cast<Index>(rows.size()));
  for (Index i = 0; i < out.size(); ++i) {
    const Index at = rows[static_cast<std::size_t>(i)] + 1 + lookback;
    out(i) = at <= n ? static_cast<double>(at) : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

void check_as_never_seen(const StreamingGP& gp, const StreamingGP& never, double tolerance) {
  const Totals x = gp.totals(), y = never.totals();
  Vector sums(4), others(4);
  sums << x.n, x.con, x.yy, x.tau;
  others << y.n, y.con, y.yy, y.tau;
  CHECK_CLOSE(sums, others, tolerance);
  CHECK_CLOSE(x.b, y.b, tolerance);
  CHECK_CLOSE(x.Phi, y.Phi, tolerance);
  CHECK_CLOSE(symmetric(total_P(gp.state().settled, gp.state().open)),
              symmetric(total_P(never.state().settled, never.state().open)), tolerance);
  const Matrix at = Random(5).matrix(30, 2) * 2;
  const Prediction a = predict(gp, at, true, nothing), b = predict(never, at, true, nothing);
  CHECK_CLOSE(a.mean, b.mean, tolerance);
  CHECK_CLOSE(a.variance, b.variance, tolerance);
  CHECK(std::abs(gp.objective() - never.objective()) <= tolerance * std::abs(never.objective()));
}

std::vector<Index> every(Index step, Index n) {
  std::vector<Index> out;
  for (Index i = 3; i < n; i += step) out.push_back(i);
  return out;
}
std::vector<Index> all_but(const std::vector<Index>& rows, Index n) {
  std::vector<Index> out;
  for (Index i = 0; i < n; ++i)
    if (std::find(rows.begin(), rows.end(), i) == rows.end()) out.push_back(i);
  return out;
}

}  // namespace

TEST("[unlearn] 100 of 1000 rows, open and settled, as never seen") {
  const Data d = data(1, 1000);
  const Matrix Z = Random(2).matrix(12, 2) * 2;
  const auto fresh = [&](bool trend) {
    Settings settings{make_kernel(kernel()), make_selector(fixed(Z)), 0.05, 2.5, 100};
    if (trend) {
      settings.trend.columns = {1};
      settings.trend.centre = settings.trend.scale = Vector::Ones(1);
      settings.trend.ratio = Vector::Ones(2);
    }
    return StreamingGP(settings, 2);
  };
  const std::vector<Index> gone = every(10, 1000), rest = all_but(gone, 1000);
  for (const bool trend : {false, true}) {
    StreamingGP gp = fresh(trend), never = fresh(trend);
    stream(gp, d.X, d.y, 70);
    stream(never, rows_of(d.X, rest), entries_of(d.y, rest), 70);
    const StreamingGP after = unlearned(gp, pick(d, gone), left_at(gone, 100, 1000));
    check_as_never_seen(after, never, 1e-8);
    CHECK(after.state().counters.held() == 900 && after.state().counters.seen == 1000);
    CHECK(after.state().history.now.unlearned == 100 && after.state().history.now.nobs == 900);
    CHECK(after.state().history.sound() && after.state().open.size() == 90);
  }
}

TEST("[unlearn] rows that left before points joined, with weights, whatever the batches") {
  const Data d = data(3, 300);
  const std::vector<Index> gone = {0, 7, 40, 41, 120, 290, 299}, rest = all_but(gone, 300);
  for (const Index by : {1, 7, 64, 300}) {
    StreamingGP gp = model(kernel(), oips(0.8), 0.05, 10, 2, 2.5);
    for (Index from = 0; from < 300; from += by) {
      const Index count = std::min(by, 300 - from);
      gp.update(d.X.middleRows(from, count), d.y.segment(from, count), nothing, false,
                d.weights.segment(from, count));
    }
    // the oracle: each row with as many points as there were when it left
    const StreamingGP after = unlearned(gp, pick(d, gone, true), left_at(gone, 10, 300));
    Evidence sum(gp.size(), 1);
    const Vector y = d.y.array() - 2.5;
    const Sites sites = gaussian_sites(y, d.weights);
    for (const Index i : rest) {
      if (i >= 290) continue;
      const Index end = std::min<Index>(300, (i + 10) / by * by + by), before = (i + 10) / by * by;
      Index m = 0;
      for (const double since : gp.state().traces.joined) m += since <= static_cast<double>(before);
      CHECK(end > i + 10);
      Matrix A;
      gp.state().basis.features(gp.kernel(), d.X.middleRows(i, 1), A);
      A.bottomRows(gp.size() - m).setZero();
      const Vector r = Vector::Constant(1, 1 - A.squaredNorm());
      Evidence one(gp.size(), 1);
      settle(A, r, sites.middleRows(i, 1), Matrix::Ones(1, 1), one);
      one.tau.view()(gp.size()) = 0;
      one.tau.view()(m) = sites(i, site::om) * r(0);
      merge(one, sum);
    }
    const Evidence& settled = after.state().settled;
    CHECK_CLOSE(symmetric(settled.P.view()), symmetric(sum.P.view()), 1e-9);
    CHECK_CLOSE(settled.b.view(), sum.b.view(), 1e-9);
    CHECK_CLOSE(settled.H.view(), sum.H.view(), 1e-9);
    CHECK_CLOSE(settled.tau.view(), sum.tau.view(), 1e-7);
    CHECK(std::abs(settled.yy - sum.yy) <= 1e-11 * sum.yy && std::abs(settled.n - sum.n) < 1e-9);
  }
}

TEST("[unlearn] what is refused leaves no trace") {
  const Data d = data(4, 200);
  StreamingGP gp = model(kernel(), oips(0.8), 0.05, 10, 2, 2.5);
  stream(gp, d.X, d.y, 20);
  const State before = gp.state();
  const auto refused = [&](const std::vector<Index>& rows, const Vector& at) {
    CHECK_THROWS(unlearned(gp, pick(d, rows), at), "unlearn");
    CHECK(gp.state() == before);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused({3}, Vector::Constant(1, nan));       // not in the look-back
  refused({195, 3}, Vector::Constant(2, nan));  // all or nothing
  refused({3, 3}, Vector::Constant(2, 14));     // twice in one call
  CHECK_THROWS(unlearned(gp, pick(d, {3}), Vector::Constant(1, 201)), "input");
  CHECK_THROWS(unlearned(gp, pick(d, {3}), Vector::Constant(1, 10)), "input");
  // a row that was never learned: more than there is
  Data odd = d;
  odd.y(3) = 500;
  CHECK_THROWS(unlearned(gp, pick(odd, {3}), Vector::Constant(1, 14)), "unlearn");
  // all rows but one, and one of them once more: the check sees what is negative
  const StreamingGP once = unlearned(gp, pick(d, {3}), Vector::Constant(1, 14));
  CHECK_THROWS(unlearned(once, pick(d, {3}), Vector::Constant(1, 14)), "unlearn");
  // moved points, another kernel
  StreamingGP moved = gp;
  moved.rebase(make_kernel(kernel()), gp.points().topRows(gp.size() - 1));
  CHECK_THROWS(unlearned(moved, pick(d, {3}), Vector::Constant(1, 14)), "unlearn");
  StreamingGP other = gp;
  other.rebase(make_kernel(simple("se", 0.5)), gp.points());
  CHECK_THROWS(unlearned(other, pick(d, {3}), Vector::Constant(1, 14)), "unlearn");
  // but rows that leave later can be found, and points that are only put in do no harm
  stream(other, d.X.topRows(40), d.y.head(40), 8);
  CHECK(unlearned(other, pick(d, {3}), Vector::Constant(1, 214)).state().counters.unlearned == 1);
  StreamingGP more = gp;
  Matrix Z(gp.size() + 1, 2);
  Z << gp.points(), RowVector::Constant(2, 3.0);
  more.rebase(make_kernel(kernel()), Z);
  CHECK(more.size() == gp.size() + 1);
  CHECK(unlearned(more, pick(d, {3}), Vector::Constant(1, 14)).state().counters.unlearned == 1);
}

TEST("[unlearn] everything that was learned can be unlearned") {
  const Data d = data(5, 80);
  StreamingGP gp = model(kernel(), fixed(Random(2).matrix(6, 2) * 2), 0.05, 10, 2, 2.5);
  stream(gp, d.X, d.y, 9);
  std::vector<Index> all;
  for (Index i = 0; i < 80; ++i) all.push_back(i);
  const StreamingGP after = unlearned(gp, pick(d, all), left_at(all, 10, 80));
  CHECK(after.state().settled.n < 1e-9 && after.state().open.size() == 0 &&
        after.state().counters.held() == 0);
  CHECK(after.state().settled.b.view().cwiseAbs().maxCoeff() < 1e-11);
  CHECK(std::isfinite(after.objective()));
}

TEST("[unlearn] rows of merged models are numbered on") {
  const Data d = data(6, 200);
  const StreamingGP first = model(kernel(), fixed(Random(2).matrix(8, 2) * 2), 0.05, 15, 2, 2.5);
  StreamingGP a = shard_of(first), b = shard_of(first), never = first;
  stream(a, d.X.topRows(90), d.y.head(90), 20);
  stream(b, d.X.bottomRows(110), d.y.tail(110), 20);
  const std::vector<Index> gone = {0, 70, 80, 89, 90, 150, 199};  // 80 and 89 were open in the first
  const std::vector<Index> rest = all_but(gone, 200);
  stream(never, rows_of(d.X, rest), entries_of(d.y, rest), 20);
  const StreamingGP both = merged(a, b).model;
  check_as_never_seen(unlearned(both, pick(d, gone), left_at(gone, 15, 200)), never, 1e-8);
  // where points joined apart, those of the first can still be found
  const auto grown = [&](Index from, Index count) {
    StreamingGP out = model(kernel(), oips(0.7), 0.05, 15, 2, 2.5);
    stream(out, d.X.middleRows(from, count), d.y.segment(from, count), 20);
    return out;
  };
  const StreamingGP apart = merged(grown(0, 90), grown(90, 110)).model;
  CHECK(unlearned(apart, pick(d, {70}), Vector::Constant(1, 86)).state().counters.unlearned == 1);
  CHECK_THROWS(unlearned(apart, pick(d, {100}), Vector::Constant(1, 116)), "unlearn");
}
