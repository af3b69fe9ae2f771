// Learning: what the search is told, and what a model makes of it.
#include "../../src/core/select/correlation.h"
#include "given_example.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

Wishes open_wishes(double rho) {
  Wishes out;
  out.kernel = example::leaf("se");
  out.select = oips(rho);
  out.learns = Wishes::at_first;
  return out;
}

Sample sample(const Matrix& X, const Vector& y) { return {X, y, Vector::Ones(y.size())}; }

}  // namespace

TEST("the search adds the prior to the bound, and what it finds is the best of both") {
  Random r(1);
  const Matrix X = r.matrix(12, 1) * 3;
  const Vector y = (2 * X.col(0)).array().sin();
  const Wishes wishes = open_wishes(0.8);
  const StreamingGP empty(settings_for(wishes, X, y), 1);
  const KernelSpec start = empty.kernel().spec();
  const OpenToLearn open = open_to_learn(wishes.kernel, true, start);
  const SearchPrior prior = search_prior(start, empty.s2(), open);
  const Objective F(empty, X, y);
  const auto search = [&](const SearchPrior* with) {
    return search_kernel(std::cref(F), X, {start, empty.s2(), y.mean()}, open, search_range(start, X), 100,
                         with, nothing);
  };
  const FoundKernel found = search(&prior), alone = search(nullptr);
  const auto bound = [&](const FoundKernel& at) {
    return F(Place{make_kernel(at.kernel), X, at.noise, at.mean}, false, nothing).objective;
  };
  const auto log_prior = [&](const FoundKernel& at) {
    Vector p = open_of(log_parameters(scaled(at.kernel, 1 / at.noise)), open, 0), slope = 0 * p;
    return prior.add(p, slope);
  };
  CHECK(log_prior(found) < -1e-3);
  CHECK(std::abs(found.objective - bound(found) - log_prior(found)) < 1e-6);
  CHECK(std::abs(alone.objective - bound(alone)) < 1e-6);
  CHECK(bound(found) + log_prior(found) > bound(alone) + log_prior(alone));
}

TEST("a warm-up on outputs that say nothing stays near the heuristics: the prior speaks") {
  Matrix X(12, 1);
  Vector y(12);
  for (Index i = 0; i < 12; ++i) {
    X(i, 0) = static_cast<double>(i);
    y(i) = i % 2 ? 1.0 : -1.0;
  }
  const Wishes wishes = open_wishes(0.8);
  const Settings guess = settings_for(wishes, X, y),
                 learned = learned_settings(wishes, sample(X, y), nothing);
  const double share = learned.kernel->variance() / learned.noise, l = learned.kernel->spec().lengthscale(0);
  CHECK(share > 1e-3);
  CHECK(std::abs(std::log(l / guess.kernel->spec().lengthscale(0))) < 4.5);
}

TEST("for a kernel to be learned, rows join as if its lengthscales were half as long") {
  Random r(2);
  const Matrix rows = r.matrix(300, 1) * 10;
  const KernelSpec now = simple("se", 2.0);
  const SelectorPtr rule = make_selector(oips(0.8));
  PointSet set(make_kernel(now), rule, 1);
  set.update(rows, nothing);
  const Matrix points = set.points();
  Wishes wishes = open_wishes(0.8);
  const Matrix near = closer_points(now, *rule, wishes, points, rows, nothing);
  CHECK(near.rows() > points.rows() && near.topRows(points.rows()) == points);
  CHECK(correlations(simple("se", 1.0), near, rows).colwise().maxCoeff().minCoeff() >= 0.8 - 1e-12);
  CHECK(closer_points(now, *make_selector(fixed(points)), wishes, points, rows, nothing) == points);
  wishes.kernel.lengthscale = Vector::Constant(1, 2.0);
  CHECK(closer_points(now, *rule, wishes, points, rows, nothing) == points);
}

TEST("with points too far apart for it, a shorter lengthscale is found all the same") {
  Random r(3);
  const Matrix X = r.matrix(400, 1) * 10;
  Vector y(400);
  for (Index i = 0; i < 400; ++i) y(i) = std::sin(4 * X(i, 0)) + 0.1 * r.normal();
  StreamingGP gp = model(simple("se", 1.0), oips(0.8), 0.1, unlimited, 1);
  gp.update(X.topRows(50), y.head(50), nothing);
  optimize(gp, sample(X.bottomRows(350), y.tail(350)), open_wishes(0.8), {"kernel"}, 100, nothing);
  CHECK(gp.s2() < 0.02);
}

TEST("variance, noise and mean are learned when the rows have doubled, and not before") {
  Random r(4);
  Wishes wishes = open_wishes(0.8);
  wishes.kernel.lengthscale = Vector::Constant(1, 0.5);
  const Matrix X = r.matrix(200, 1) * 3;
  Vector y(200);
  for (Index i = 0; i < 200; ++i) y(i) = 4 + std::sin(2 * X(i, 0)) + 0.1 * r.normal();
  StreamingGP gp = started(wishes, X.topRows(8), y.head(8));
  std::vector<double> changed;
  double noise = gp.s2();
  for (Index start = 0; start < 200; start += 8) {
    CHECK(learn(gp, sample(X.middleRows(start, 8), y.segment(start, 8)), wishes, false, nothing));
    if (gp.s2() != noise) changed.push_back(gp.state().counters.seen);
    noise = gp.s2();
  }
  CHECK(changed == std::vector<double>({16, 32, 64, 128}));
  CHECK(std::abs(std::log(gp.s2() / 0.01)) < 0.5 && std::abs(gp.state().mean - 4) < 1);
}
