// Settled evidence and open rows: whatever is done to them, there is an independent answer in one batch.
// Evidence can be split, merged, forgotten, turned to fewer points; rows that are open can be unlearned or
// have other sites.
#include "../../src/core/likelihoods/gaussian.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

const double s2 = 0.05;

struct Problem {
  Matrix X, at, Z;
  Vector y;
};
Problem problem(unsigned seed, Index n = 80) {
  Random r(seed);
  Problem p{r.matrix(n, 2), r.matrix(9, 2), Matrix(n / 8, 2), Vector(n)};
  for (Index i = 0; i < n; ++i) p.y(i) = std::sin(5 * p.X(i, 0)) + p.X(i, 1) + 0.1 * r.normal();
  for (Index i = 0; i < p.Z.rows(); ++i) p.Z.row(i) = p.X.row(8 * i).array() + 0.01;
  return p;
}

KernelSpec se() { return simple("se", 0.5, 1.3); }

void same_predictions(const StreamingGP& gp, const Answer& truth, const Matrix& at, double tolerance) {
  const Prediction p = predict(gp, at, true, nothing);
  CHECK_CLOSE(p.mean, truth.mean, tolerance);
  CHECK_CLOSE(p.variance, truth.variance, tolerance);
}
void same_answer(const StreamingGP& gp, const Answer& truth, const Matrix& at, double tolerance) {
  same_predictions(gp, truth, at, tolerance);
  CHECK(std::abs(gp.objective() - truth.objective) <= tolerance * std::abs(truth.objective));
}
Answer answer(const StreamingGP& gp, const Matrix& at) {
  const Prediction p = predict(gp, at, true, nothing);
  return {p.mean, p.variance, gp.objective()};
}

// The model whose state has been changed by hand.
template <class Change>
StreamingGP changed(const StreamingGP& gp, const Change& change) {
  State state = gp.state();
  change(state);
  state.factor.forget();
  return StreamingGP(std::move(state));
}

Evidence all_settled(const StreamingGP& gp) {
  Evidence out = gp.state().settled;
  settle_open(gp.state().open.size(), gp.state().open, gp.state().trend, out);
  return out;
}
StreamingGP with_evidence(const StreamingGP& gp, const Evidence& evidence) {
  return changed(gp, [&](State& state) {
    state.settled = evidence;
    state.open.drop(state.open.size());
  });
}

bool same_evidence(const Evidence& a, const Evidence& b) {
  return lower(a.P.view()) == lower(b.P.view()) && a.H.view() == b.H.view() && a.b.view() == b.b.view() &&
         a.Phi == b.Phi && a.s == b.s && a.n == b.n && a.con == b.con && a.yy == b.yy &&
         a.tau.view() == b.tau.view() && a.carried.tau == b.carried.tau && a.carried.lost == b.carried.lost &&
         a.carried.norm == b.carried.norm && a.carried.foreign == b.carried.foreign;
}

Matrix without(const Matrix& A, Index row) {
  Matrix out(A.rows() - 1, A.cols());
  out << A.topRows(row), A.bottomRows(A.rows() - row - 1);
  return out;
}

}  // namespace

TEST("unlimited look-back: rows one at a time, points that join along the way: the batch with all points") {
  const Problem p = problem(1);
  StreamingGP gp = model(se(), fixed(p.Z.topRows(1)), s2, unlimited, 2);
  for (Index i = 0; i < 80; ++i) {
    if (i % 8 == 0) gp.rebase(gp.state().kernel, p.Z.topRows(i / 8 + 1));
    gp.update(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing);
  }
  CHECK(gp.size() == 10 && gp.state().settled.n == 0 && gp.state().open.size() == 80);
  same_answer(gp, batch(se(), p.Z, p.X, p.y, s2, p.at), p.at, 1e-10);
}

// As it was once: a row is in P from the start, and is extended there while it is in the look-back.
TEST("look-back 20: settled and open rows add up to rows that were in P from the start and extended there") {
  const Problem p = problem(2);
  KernelSpec unit = se();
  unit.variance = 1;
  const auto features = [&](Index points, Index from, Index rows) {
    const LMatrix K = matrix(unit, p.Z.topRows(points), p.Z.topRows(points)),
                  k = matrix(unit, p.Z.topRows(points), p.X.middleRows(from, rows));
    return Matrix(LMatrix(Eigen::LLT<LMatrix>(K).matrixL().solve(k)).cast<double>());
  };
  StreamingGP gp = model(se(), fixed(p.Z.topRows(1)), s2, 20, 2);
  Matrix P = Matrix::Zero(10, 10);
  Vector b = Vector::Zero(10);
  Index M = 1;
  for (Index i = 0; i < 80; ++i) {
    if (i > 0 && i % 8 == 0) {
      gp.rebase(gp.state().kernel, p.Z.topRows(++M));
      const Index back = std::min<Index>(i, 20);
      const Matrix W = features(M, i - back, back);
      const Vector fresh = W.row(M - 1).transpose();
      P.row(M - 1).head(M) = (W * fresh).transpose();
      P.col(M - 1).head(M) = W * fresh;
      b(M - 1) = fresh.dot(p.y.segment(i - back, back));
    }
    const Vector w = features(M, i, 1).col(0);
    P.topLeftCorner(M, M) += w * w.transpose();
    b.head(M) += p.y(i) * w;
    gp.update(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing);
    CHECK(gp.state().open.size() == std::min<Index>(i + 1, 20));
    CHECK_CLOSE(symmetric(total_P(gp.state().settled, gp.state().open)), P.topLeftCorner(M, M), 1e-10);
    CHECK_CLOSE(gp.totals().b, b.head(M), 1e-10);
  }
}

TEST("k(x, x) that is not constant: linear + Brownian is the batch, for any look-back and any cut") {
  const WithLinearBrownian registered;
  const Problem p = problem(3);
  const KernelSpec k = linear_brownian(0.7, 2.0, 1.3);
  for (const Index lookback : {Index(0), Index(10), unlimited})
    for (const Index cut : {Index(1), Index(7), Index(80)}) {
      StreamingGP gp = model(k, fixed(p.Z), s2, lookback, 2);
      stream(gp, p.X, p.y, cut);
      CHECK(gp.size() == 10);
      same_answer(gp, batch(k, gp.points(), p.X, p.y, s2, p.at), p.at, 1e-10);
      if (cut < 80 && lookback != unlimited) continue;
      // points that join later are not too late for these
      StreamingGP grown = model(k, oips(0.9), s2, lookback, 2);
      stream(grown, p.X, p.y, cut);
      CHECK(grown.size() > 5 && grown.size() < 60);
      same_answer(grown, batch(k, grown.points(), p.X, p.y, s2, p.at), p.at, 1e-10);
    }
}

TEST("k(x, x) that is not constant: slopes of the objective are differences, with settled rows and weights") {
  const WithLinearBrownian registered;
  Random r(4);
  for (const Index lookback : {Index(0), Index(15), unlimited}) {
    Problem p = problem(5);
    p.X.array() += 0.2;
    Vector weights(80);
    for (Index i = 0; i < 80; ++i) weights(i) = r.uniform(0.3, 3);
    StreamingGP gp =
        model(linear_brownian(0.7, 2.0, 1.3), fixed(p.Z.topRows(6).array() + 0.2), s2, lookback, 2, 0.3);
    for (Index i = 0; i < 60; i += 10)
      gp.update(p.X.middleRows(i, 10), p.y.segment(i, 10), nothing, false, weights.segment(i, 10));
    const Objective F(gp, p.X.bottomRows(20), p.y.tail(20), weights.tail(20));
    // log variance, log slope, brownian, log noise, and the points, which are elsewhere now
    const Index M = 7;
    Vector here(4 + 2 * M);
    here << std::log(0.9), std::log(1.1), 1.4, std::log(0.08), Vector::Zero(2 * M);
    const Matrix Z = p.Z.topRows(M).array() + 0.2371;
    const auto at = [&](const Vector& q) {
      Matrix moved = Z;
      for (Index i = 0; i < 2 * M; ++i) moved(i % M, i / M) += q(4 + i);
      const KernelPtr kernel = make_kernel(linear_brownian(std::exp(q(1)), q(2), std::exp(q(0))));
      return F(Place{kernel, moved, std::exp(q(3)), 0.5}, true, nothing);
    };
    const Slope exact = at(here);
    Vector slope(here.size()), difference(here.size());
    slope << exact.kernel, exact.log_noise, exact.Z.col(0), exact.Z.col(1);
    for (Index i = 0; i < here.size(); ++i) {
      const auto central = [&](double step) {
        Vector up = here, down = here;
        up(i) += step;
        down(i) -= step;
        return (at(up).objective - at(down).objective) / (2 * step);
      };
      const double h = i < 4 ? 1e-3 : 1e-5;  // min(a, b) has kinks
      difference(i) = (4 * central(h) - central(2 * h)) / 3;
    }
    CHECK_CLOSE(slope, difference, 1e-6);
  }
}

TEST(
    "two outputs are two evidences on one basis: one P, one factor, and each mean is that of its own batch") {
  const Problem p = problem(6);
  const Vector other = p.y.array().square();
  const KernelPtr kernel = make_kernel(se());
  std::vector<Index> kept;
  const Basis basis = make_basis(*kernel, p.Z, kept);
  Seen seen;
  see(basis, *kernel, p.X, nothing, seen);
  Evidence first(10), second(10);
  const Matrix T = Trend().at(p.X);
  settle(seen.A, seen.r, gaussian_sites(p.y, Vector::Ones(80)), T, first);
  settle(seen.A, seen.r, gaussian_sites(other, Vector::Ones(80)), T, second);
  CHECK(lower(first.P.view()) == lower(second.P.view()) && first.H.view() == second.H.view());
  const double xi = 1.3 / s2;
  const Matrix C = factor_of(first.P.view(), xi), K = kernel->value(p.at, basis.Z.view());
  for (const auto& one : {std::make_pair(&first, p.y), std::make_pair(&second, other)}) {
    const Vector mean = K * PosteriorWeights(basis, C, one.first->b.view(), xi).alpha;
    CHECK_CLOSE(mean, batch(se(), p.Z, p.X, one.second, s2, p.at).mean, 1e-10);
  }
}

TEST("two shards, settled and merged, are one stream; in either order; with no evidence nothing is added") {
  const Problem p = problem(7);
  StreamingGP a = model(se(), fixed(p.Z), s2, 5, 2, 0.4), b = model(se(), fixed(p.Z), s2, 7, 2, 0.4),
              whole = model(se(), fixed(p.Z), s2, 0, 2, 0.4);
  stream(a, p.X.topRows(50), p.y.head(50), 6);
  stream(b, p.X.bottomRows(30), p.y.tail(30), 11);
  stream(whole, p.X, p.y, 9);
  const Evidence of_a = all_settled(a), of_b = all_settled(b);
  Evidence ab = of_a, ba = of_b, same = of_a;
  merge(of_b, ab);
  merge(of_a, ba);
  merge(Evidence(10), same);
  CHECK(same_evidence(ab, ba) && same_evidence(same, of_a) && !same_evidence(ab, of_a));
  const StreamingGP both = with_evidence(a, ab);
  same_answer(both, answer(whole, p.at), p.at, 1e-10);
  const Vector from_mean = p.y.array() - 0.4;
  Answer truth = batch(se(), p.Z, p.X, from_mean, s2, p.at);
  truth.mean.array() += 0.4;
  same_answer(both, truth, p.at, 1e-10);
}

TEST("forgetting is weights by age, of settled and of open rows") {
  const Problem p = problem(8);
  for (const Index lookback : {Index(0), Index(12), unlimited}) {
    StreamingGP gp = model(se(), fixed(p.Z), s2, lookback, 2);
    Vector weights = Vector::Ones(80);
    for (Index i = 0; i < 80; i += 20) {
      gp = changed(gp, [](State& state) { forget(0.9, state.settled, state.open); });
      gp.absorb(p.X.middleRows(i, 20), p.y.segment(i, 20), nothing);
      weights.head(i) *= 0.9;
    }
    const Answer truth = batch(se(), p.Z, p.X, p.y, s2, p.at, weights);
    same_predictions(gp, truth, p.at, 1e-10);
    const Totals sums = gp.totals();
    CHECK(std::abs(sums.n - weights.sum()) < 1e-12 * 80);
    CHECK(std::abs(sums.Phi(0, 0) - weights.sum()) < 1e-12 * 80);
    // a forgotten row counts less in all of the objective; a row of less weight counts once
    const double log_two_pi_s2 = std::log(2 * std::acos(-1.0) * s2);
    const double once = 0.5 * (80 * log_two_pi_s2 - weights.array().log().sum()),
                 less = 0.5 * weights.sum() * log_two_pi_s2;
    CHECK(std::abs(gp.objective() - (truth.objective + once - less)) < 1e-10 * std::abs(truth.objective));
  }
}

TEST("two points removed by rotation: trained without them; the levels add up to the residual") {
  const Problem p = problem(9);
  for (const Index lookback : {Index(0), Index(12), unlimited}) {
    StreamingGP gp = model(se(), fixed(p.Z), s2, lookback, 2, 0.4);
    stream(gp, p.X, p.y, 7);
    const StreamingGP less = changed(gp, [](State& state) {
      remove({3}, state.basis, state.settled, state.open);
      remove({0}, state.basis, state.settled, state.open);
    });
    const Matrix Z = without(without(p.Z, 3), 0);
    CHECK(Matrix(less.points()) == Z);
    StreamingGP trained = model(se(), fixed(Z), s2, lookback, 2, 0.4);
    stream(trained, p.X, p.y, 7);
    same_answer(less, answer(trained, p.at), p.at, 1e-9);
    CHECK(std::abs(less.tau() - trained.tau()) < 1e-9 * trained.tau());
    CHECK(std::abs(levels(less).sum() - less.tau()) < 1e-12 * less.tau());
    CHECK_CLOSE(levels(less), levels(trained), 1e-9);
    CHECK(less.state().settled.carried.tau == 0);
    // and it goes on like any other
    StreamingGP on = less;
    stream(on, p.X.topRows(20), p.y.head(20), 3);
    stream(trained, p.X.topRows(20), p.y.head(20), 3);
    same_answer(on, answer(trained, p.at), p.at, 1e-9);
  }
}

TEST("any point can be removed, the last and the only one, too") {
  const Problem p = problem(10);
  StreamingGP gp = model(se(), fixed(p.Z.topRows(4)), s2, 12, 2);
  stream(gp, p.X, p.y, 7);
  for (Index j = 0; j < 4; ++j) {
    const StreamingGP less =
        changed(gp, [&](State& state) { remove({j}, state.basis, state.settled, state.open); });
    same_answer(less, batch(se(), without(p.Z.topRows(4), j), p.X, p.y, s2, p.at), p.at, 1e-9);
  }
  const StreamingGP none = changed(gp, [](State& state) {
    for (const Index j : {3, 0, 1, 0}) remove({j}, state.basis, state.settled, state.open);
  });
  const Prediction prior = predict(none, p.at, true, nothing);
  CHECK(none.size() == 0 && prior.mean == Vector::Zero(9) && prior.variance == Vector::Constant(9, 1.3));
  CHECK(std::abs(none.tau() - 80) < 1e-10 * 80);
}

TEST("rows that settled when there were fewer points: a removal is the projection to the points that stay") {
  const Problem p = problem(11);
  StreamingGP gp = model(se(), fixed(p.Z.topRows(1)), s2, 12, 2, 0.4);
  for (Index i = 0; i < 80; ++i) {
    if (i % 8 == 0) gp.rebase(gp.state().kernel, p.Z.topRows(i / 8 + 1));
    gp.update(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing);
  }
  for (const Index j : {0, 4, 9}) {
    const StreamingGP less =
        changed(gp, [&](State& state) { remove({j}, state.basis, state.settled, state.open); });
    StreamingGP projected = gp;
    projected.rebase(gp.state().kernel, without(p.Z, j));
    same_answer(less, answer(projected, p.at), p.at, 1e-9);
    CHECK(std::abs(less.tau() - projected.tau()) < 1e-9 * less.tau());
    // what is said of the distance of the features is a bound, and no worse than that of the projection
    CHECK(levels(less).sum() >= less.tau() * (1 - 1e-12));
    CHECK(levels(less).sum() <= levels(projected).sum() * (1 + 1e-12));
  }
}

TEST("an open row that is unlearned was never seen, and the model goes on without it") {
  const Problem p = problem(12);
  for (const Index lookback : {Index(12), unlimited})
    for (const Index which : {0, 5, 11}) {
      StreamingGP gp = model(se(), fixed(p.Z), s2, lookback, 2);
      stream(gp, p.X.topRows(60), p.y.head(60), 7);
      StreamingGP without_it = changed(gp, [&](State& state) { state.open.remove(which); });
      const Index row = lookback == unlimited ? which : 60 - 12 + which;
      CHECK(without_it.state().open.size() == gp.state().open.size() - 1);
      CHECK(without_it.state().open.inputs() == without(gp.state().open.inputs(), which));
      const Matrix X = without(p.X, row);
      const Vector y = without(p.y, row).col(0);
      same_answer(without_it, batch(se(), p.Z, X.topRows(59), y.head(59), s2, p.at), p.at, 1e-10);
      stream(without_it, X.bottomRows(20), y.tail(20), 3);
      same_answer(without_it, batch(se(), p.Z, X, y, s2, p.at), p.at, 1e-10);
    }
}

namespace {

// log p(t | f) = -log(1 + exp(-t f)) for t = -1, 1, from below by a quadratic that touches it where |f| = c.
// [Jaakkola and Jordan 2000; the expectation of a Polya-Gamma variable]
Sites logistic(const Vector& t, const Vector& mean, const Vector& variance) {
  Sites out(t.size(), site::columns);
  for (Index i = 0; i < t.size(); ++i) {
    const double c = std::sqrt(mean(i) * mean(i) + variance(i)), om = std::tanh(c / 2) / (2 * c);
    out.row(i) << om, t(i) / 2, 0.5 * om * c * c - c / 2 - std::log1p(std::exp(-c)), 0, 1;
  }
  return out;
}

StreamingGP refreshed(const StreamingGP& gp) {
  const Window& open = gp.state().open;
  const Prediction p = predict(gp, open.inputs(), true, nothing);
  return changed(gp,
                 [&](State& state) { state.open.set_sites(logistic(open.outputs(), p.mean, p.variance)); });
}

}  // namespace

TEST(
    "classes, row by row, all rows open, sites refreshed until they stand still: the fixed point in a "
    "batch") {
  const Problem p = problem(13);
  Random r(14);
  Vector t(80);
  for (Index i = 0; i < 80; ++i)
    t(i) = r.uniform() < 1 / (1 + std::exp(-4 * std::sin(6 * p.X(i, 0)))) ? 1 : -1;
  StreamingGP gp = model(se(), fixed(p.Z), 1.0, unlimited, 2);
  for (Index i = 0; i < 80; ++i) {
    gp.update(p.X.middleRows(i, 1), t.segment(i, 1), nothing);
    gp = refreshed(gp);
  }
  double last = refreshed(gp).objective();  // the newest row has its own site from here on
  for (double moved = 1; moved > 1e-14;) {
    const StreamingGP next = refreshed(gp);
    moved = (next.state().open.sites() - gp.state().open.sites()).cwiseAbs().maxCoeff();
    gp = next;
    CHECK(gp.objective() >= last - 1e-12 * std::abs(last));
    last = gp.objective();
  }
  // the same in u = f(Z), with inverses
  const Matrix Kz = matrix(se(), p.Z, p.Z).cast<double>(), Kx = matrix(se(), p.Z, p.X).cast<double>(),
               inverse = Kz.inverse(), kappa = Kx.transpose() * inverse;
  const Vector left = 1.3 - kappa.cwiseProduct(Kx.transpose()).rowwise().sum().array();
  Vector mu = Vector::Zero(10);
  Matrix Sigma = Kz;
  for (int step = 0; step < 2000; ++step) {
    const Vector f = kappa * mu,
                 c = (f.array().square() + left.array() +
                      (kappa * Sigma).cwiseProduct(kappa).rowwise().sum().array())
                         .sqrt(),
                 om = (c.array() / 2).tanh() / (2 * c.array());
    Sigma = (inverse + kappa.transpose() * om.asDiagonal() * kappa).inverse();
    mu = Sigma * (kappa.transpose() * t / 2);
  }
  const Matrix on = matrix(se(), p.at, p.Z).cast<double>() * inverse;
  const Vector mean = on * mu, variance = 1.3 - (on * (Kz - Sigma)).cwiseProduct(on).rowwise().sum().array();
  const Prediction q = predict(gp, p.at, true, nothing);
  CHECK_CLOSE(q.mean, mean, 1e-10);
  CHECK_CLOSE(q.variance, variance, 1e-10);
}
