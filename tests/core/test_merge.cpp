// Models of different rows become one.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Data {
  Matrix X;
  Vector y;
};
Data data(unsigned seed, Index n) {
  Random r(seed);
  Data out{r.matrix(n, 2) * 2, Vector(n)};
  for (Index i = 0; i < n; ++i)
    out.y(i) = 3 + std::sin(3 * out.X(i, 0)) + 0.5 * out.X(i, 1) + 0.1 * r.normal();
  return out;
}

KernelSpec kernel() { return composite("sum", simple("se", 0.8, 0.7), simple("rq", 1.1, 0.4)); }
Matrix points() { return Random(7).matrix(9, 2) * 2; }

StreamingGP fed(StreamingGP gp, const Data& d, Index from, Index count, Index by = 13) {
  stream(gp, d.X.middleRows(from, count), d.y.segment(from, count), by);
  return gp;
}
StreamingGP fixed_model(Index lookback = 20) {
  return model(kernel(), fixed(points()), 0.05, lookback, 2, 2.5);
}

// What merges must agree in, whichever rows are open.
void check_same(const StreamingGP& a, const StreamingGP& b, double tolerance) {
  const Totals x = a.totals(), y = b.totals();
  Vector sums(4), others(4);
  sums << x.n, x.con, x.yy, x.tau;
  others << y.n, y.con, y.yy, y.tau;
  CHECK_CLOSE(sums, others, tolerance);
  CHECK_CLOSE(x.b, y.b, tolerance);
  CHECK_CLOSE(x.H, y.H, tolerance);
  CHECK_CLOSE(x.Phi, y.Phi, tolerance);
  CHECK_CLOSE(x.s, y.s, tolerance);
  CHECK_CLOSE(symmetric(total_P(a.state().settled, a.state().open)),
              symmetric(total_P(b.state().settled, b.state().open)), tolerance);
}
void check_predicts(const StreamingGP& a, const StreamingGP& b, double tolerance) {
  const Matrix at = Random(11).matrix(20, 2) * 2;
  const Prediction x = predict(a, at, true, nothing), y = predict(b, at, true, nothing);
  CHECK_CLOSE(x.mean, y.mean, tolerance);
  CHECK_CLOSE(x.variance, y.variance, tolerance);
  CHECK(std::abs(a.objective() - b.objective()) <= tolerance * std::abs(b.objective()));
}

}  // namespace

TEST("[merge] commutative, associative, with an identity") {
  const Data d = data(1, 150);
  const StreamingGP a = fed(fixed_model(), d, 0, 60), b = fed(fixed_model(), d, 60, 50),
                    c = fed(fixed_model(), d, 110, 40);
  check_same(merged(a, b).model, merged(b, a).model, 1e-12);
  check_same(merged(merged(a, b).model, c).model, merged(a, merged(b, c).model).model, 1e-12);
  CHECK(merged(a, shard_of(a)).model.state() == a.state());
  check_same(merged(shard_of(a), a).model, a, 1e-15);
  CHECK(merged(a, b).model.state().counters.seen == 110);
}

TEST("[merge] any tree of 8 shards is one stream") {
  const Data d = data(2, 400);
  const StreamingGP first = fixed_model();
  const StreamingGP whole = fed(first, d, 0, 400);
  for (unsigned tree = 0; tree < 5; ++tree) {
    Random r(tree);
    std::vector<StreamingGP> parts;
    for (Index i = 0; i < 8; ++i) parts.push_back(fed(shard_of(first), d, 50 * i, 50));
    while (parts.size() > 1) {  // neighbours, so that the order of the stream stays
      const auto i = static_cast<std::ptrdiff_t>(r.uniform() * static_cast<double>(parts.size() - 1));
      parts[static_cast<std::size_t>(i)] =
          merged(parts[static_cast<std::size_t>(i)], parts[static_cast<std::size_t>(i) + 1]).model;
      parts.erase(parts.begin() + i + 1);
    }
    const StreamingGP all = merged(first, parts[0]).model;
    check_same(all, whole, 1e-10);
    check_predicts(all, whole, 1e-10);
    // the look-back is that of the one stream, too: the latest rows
    CHECK(all.state().open.inputs() == whole.state().open.inputs());
    CHECK_CLOSE(all.state().settled.b.view(), whole.state().settled.b.view(), 1e-10);
    CHECK(all.state().counters.seen == 400 && all.state().counters.moves == 0 && !all.state().shard);
  }
}

TEST("[merge] points that joined apart are united, and the evidence is that of each with its own") {
  const Data d = data(3, 160);
  const auto own = [] { return model(kernel(), oips(0.75), 0.05, 10, 2, 2.5); };
  const StreamingGP a = fed(own(), d, 0, 80), b = fed(own(), d, 80, 80);
  const Merged ab = merged(a, b), ba = merged(b, a);
  CHECK(ab.added > 0 && ab.refused == 0 && ab.model.size() == a.size() + static_cast<Index>(ab.added));
  CHECK(ab.lost < 1e-8);
  check_predicts(ab.model, ba.model, 1e-8);
  // the oracle: sums in units of f at all points, where the order does not matter
  const auto about = [](const StreamingGP& gp, const Matrix& Z) {
    Projection onto = projection(gp.state().basis, gp.kernel(), gp.kernel(), Z);
    return project(gp.state().settled, onto, gp.state().basis, gp.kernel());
  };
  const Matrix Z = ab.model.points();
  Evidence sum = about(a, Z);
  merge(about(b, Z), sum);
  const StreamingGP again = merged(a, b).model;
  // but for the rows that were open in the first and settled in the merge
  const Window& left = a.state().open;
  Seen seen;
  see(again.state().basis, again.kernel(), left.inputs(), nothing, seen);
  settle(seen.A, seen.r, left.sites(), again.state().trend.at(left.inputs()), sum);
  CHECK_CLOSE(symmetric(again.state().settled.P.view()), symmetric(sum.P.view()), 1e-8);
  CHECK_CLOSE(again.state().settled.b.view(), sum.b.view(), 1e-8);
  CHECK(std::abs(again.state().settled.residual() - sum.residual()) < 1e-8);
}

TEST("[merge] a shard whose points grew on is merged with its levels as they are") {
  const Data d = data(4, 120);
  StreamingGP a = fed(model(kernel(), oips(0.7), 0.05, 10, 2, 2.5), d, 0, 40);
  const StreamingGP b = fed(shard_of(a), d, 40, 80);
  CHECK(b.size() > a.size() && b.state().counters.moves == 1);
  const Merged out = merged(a, b);
  CHECK(out.model.size() == b.size() && out.lost == 0 && out.model.state().settled.carried.tau == 0);
  CHECK(out.model.state().counters.moves == 0);
  check_predicts(out.model, merged(b, a).model, 1e-9);
}

TEST("[merge] offsets and trends that are measured from elsewhere agree exactly") {
  const Data d = data(5, 90);
  const auto with = [&](double mean, double centre, double scale) {
    Settings settings{make_kernel(kernel()), make_selector(fixed(points())), 0.05, mean, 15};
    settings.trend.columns = {0, 1};
    settings.trend.centre = Vector::Constant(2, centre);
    settings.trend.scale = Vector::Constant(2, scale);
    settings.trend.ratio = Vector::Constant(3, 0.7);
    settings.trend.ratio(0) = 2.0;
    return StreamingGP(settings, 2);
  };
  const StreamingGP a = fed(with(2.5, 1, 0.6), d, 0, 50), b = fed(with(2.5, 1, 0.6), d, 50, 40);
  StreamingGP other = fed(with(-40, 3, 0.1), d, 50, 40);  // the same rows, told otherwise
  const StreamingGP all = merged(a, b).model, from_afar = merged(a, other).model;
  check_same(from_afar, all, 1e-11);
  check_predicts(from_afar, all, 1e-9);
  check_predicts(all, fed(with(2.5, 1, 0.6), d, 0, 90), 1e-10);
}

TEST("[merge] another kernel: what is carried over is told, and rows are foreign") {
  const Data d = data(6, 100);
  const StreamingGP a = fed(fixed_model(0), d, 0, 50);
  const StreamingGP b = fed(model(simple("se", 0.5), fixed(points()), 0.05, 0, 2, 2.5), d, 50, 50);
  CHECK(differences(a.state(), b.state()) == std::vector<std::string>({"kernel", "variance"}));
  CHECK(differences(a.state(), a.state()).empty());
  const Merged out = merged(a, b);
  CHECK(out.foreign == 50 && out.model.state().settled.carried.foreign == 50);
  CHECK(out.lost < 1e-9);  // the points are the same, and can express it all
  CHECK(out.model.state().counters.moves == 1);
  StreamingGP moved = b;
  moved.rebase(make_kernel(kernel()), points());
  CHECK_CLOSE(out.model.state().settled.b.view(),
              (a.state().settled.b.view() + moved.state().settled.b.view()).eval(), 1e-8);
}

TEST("[merge] points that are refused lose what only they could hold, and that is told") {
  const Data d = data(8, 100);
  const StreamingGP a = fed(fixed_model(0), d, 0, 50);
  const Matrix near = points().array() + 1e-5;
  const StreamingGP b = fed(model(kernel(), fixed(near), 0.05, 0, 2, 2.5), d, 50, 50);
  const Merged out = merged(a, b);
  CHECK(out.refused == 9 && out.added == 0 && out.model.size() == 9 && out.lost > 0);
  CHECK(out.model.state().settled.carried.lost == out.lost && out.model.state().counters.moves == 1);
  StreamingGP moved = b;
  moved.rebase(make_kernel(kernel()), points());
  CHECK(std::abs(out.lost - moved.state().settled.carried.lost) < 1e-12);
}

TEST("[merge] histories go on from one another, counters add up, memories keep the smallest hashes") {
  const Data d = data(7, 300);
  StreamingGP a = fed(model(kernel(), oips(0.7), 0.05, 10, 2, 2.5), d, 0, 100, 10);
  StreamingGP b = fed(model(kernel(), oips(0.7), 0.05, 10, 2, 2.5), d, 100, 200, 10);
  a.note(Scores{10, 2, -3, 9, 0.5, -7}, std::vector<double>{0.1, 0.9});
  b.note(Scores{10, 1, -1, 8, 0.25, -9}, std::vector<double>{0.1});
  const StreamingGP out = merged(a, b).model;
  const History& history = out.state().history;
  CHECK(history.sound() && history.now.batch == 30 && history.now.nobs == 300 && history.now.scored == 20);
  CHECK(history.now.squared == 3 && history.now.covered == 17 && history.now.seconds == 0.75);
  CHECK(history.now.points == static_cast<double>(out.size()) && history.pit[2] == 2 && history.pit[18] == 1);
  CHECK(history.kept.size() == 30 && history.kept[10].nobs == 110 && std::isnan(history.now.bound));
  for (std::size_t i = 1; i < 30; ++i) CHECK(history.kept[i].points >= history.kept[i - 1].points);

  History many, more;
  for (int i = 1; i <= 900; ++i) many.add(i, 1), more.add(i, 1);
  many.append(more, [](double) { return 1.0; });
  CHECK(many.sound() && many.kept.size() <= History::limit && many.now.batch == 1800);
}
