// A number of points that is not exceeded: points leave for others, or rows are set aside.
#include "../../src/core/learn/spread.h"
#include "../../src/core/likelihoods/gaussian.h"
#include "../../src/core/select/correlation.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

SelectorSpec oips_of(double max_points, const char* when_full) {
  SelectorSpec out = oips(0.8, max_points);
  out.words["when_full"] = when_full;
  return out;
}

// A stream that moves on, along a line.
struct Track {
  Matrix X;
  Vector y;
  explicit Track(Index n, double step = 0.1) : X(n, 1), y(n) {
    Random r(5);
    for (Index i = 0; i < n; ++i) {
      X(i, 0) = step * static_cast<double>(i) + 0.05 * r.uniform();
      y(i) = std::sin(X(i, 0)) + 0.1 * r.normal();
    }
  }
};

StreamingGP fed(const Track& track, Index by, const SelectorSpec& select, Index lookback = 20) {
  StreamingGP out = model(simple("se", 1.0, 0.8), select, 0.01, lookback, 1, 0.1);
  stream(out, track.X, track.y, by);
  return out;
}

StreamingGP lessened(const StreamingGP& gp, const std::vector<Index>& gone) {
  State state = gp.state();
  remove(gone, state.basis, state.settled, state.open, state.xi());
  state.factor.forget();
  state.used.resize(state.size());
  return StreamingGP(std::move(state));
}

struct Stop {};
int calls = 0, stop_at = 0;
void stopping() {
  if (++calls == stop_at) throw Stop();
}

}  // namespace

TEST(
    "[derivation 16] what settled rows said of the points that stay is what it was, and so is the "
    "objective") {
  const Track track(90);
  for (const bool sloping : {false, true}) {
    StreamingGP gp = fed(track, 9, oips(0.8), 0);
    if (sloping) {
      Settings settings;
      settings.kernel = gp.state().kernel;
      settings.selector = make_selector(oips(0.8));
      settings.noise = 0.01;
      settings.lookback = 0;
      settings.trend.columns = {0};
      settings.trend.centre = Vector::Constant(1, 4.0);
      settings.trend.scale = Vector::Constant(1, 3.0);
      settings.trend.ratio = Vector::Constant(2, 30.0);
      gp = StreamingGP(settings, 1);
      stream(gp, track.X, track.y, 9);
    }
    const StreamingGP less = lessened(gp, {1, 4, 5});
    CHECK(less.size() == gp.size() - 3);
    const Prediction p = predict(gp, less.points(), true, nothing),
                     q = predict(less, less.points(), true, nothing);
    CHECK_CLOSE(p.mean, q.mean, 1e-8);
    CHECK((p.variance - q.variance).cwiseAbs().maxCoeff() < 1e-8 * 0.8);
    CHECK_CLOSE(covariance(gp, less.points()), covariance(less, less.points()), 1e-8);
    CHECK(std::abs(less.objective() - gp.objective()) < 1e-8 * std::abs(gp.objective()));
  }
}

TEST("[derivation 16] a divergence is that of the posterior from one that knows nothing more of the point") {
  const Track track(60);
  const StreamingGP gp = fed(track, 7, oips(0.8));
  const PointPosterior u = point_posterior(gp);
  const Matrix K = 0.8 * gp.kernel().value(gp.points(), gp.points());
  std::vector<Index> all;
  for (Index j = 0; j < gp.size(); ++j) all.push_back(j);
  const Vector found = divergences(gp.state().basis, gp.factor(), gp.weights().a, gp.state().scale(), all);
  for (const Index j : {Index(0), Index(3), gp.size() - 1}) {
    // q(u_j | rest) against p(u_j | rest), averaged over q(rest): both Gaussian
    std::vector<Index> rest;
    for (Index i = 0; i < gp.size(); ++i)
      if (i != j) rest.push_back(i);
    const Index m = gp.size() - 1;
    Matrix Kr(m, m), Sr(m, m);
    Vector kj(m), sj(m), mr(m);
    for (Index a = 0; a < m; ++a) {
      for (Index b = 0; b < m; ++b)
        Kr(a, b) = K(rest[static_cast<std::size_t>(a)], rest[static_cast<std::size_t>(b)]),
              Sr(a, b) = u.covariance(rest[static_cast<std::size_t>(a)], rest[static_cast<std::size_t>(b)]);
      kj(a) = K(rest[static_cast<std::size_t>(a)], j);
      sj(a) = u.covariance(rest[static_cast<std::size_t>(a)], j);
      mr(a) = u.mean(rest[static_cast<std::size_t>(a)]) - 0.1;
    }
    const Vector pk = Kr.ldlt().solve(kj), pq = Sr.ldlt().solve(sj);
    const double prior = K(j, j) - kj.dot(pk), posterior = u.covariance(j, j) - sj.dot(pq);
    const Vector d = pq - pk;
    const double shift = u.mean(j) - 0.1 - pk.dot(mr);
    const double KL =
        0.5 * (std::log(prior / posterior) - 1 + (posterior + shift * shift + d.dot(Sr * d)) / prior);
    CHECK(std::abs(found(j) - KL) < 1e-6 * (1 + KL));
  }
}

TEST("[derivation 16] a point that was idle for longer than eight times the median counts for less") {
  Vector used(5);
  used << 1, 901, 951, 991, 1001;
  Vector expected(5);
  expected << 0.4, 1, 1, 1, 1;
  CHECK_CLOSE(patience(used), expected, 1e-14);
  CHECK_CLOSE(patience(Vector::Constant(3, 7.0)), Vector::Ones(3), 1e-14);  // all were needed just now
}

TEST("a point that has just joined and seen nothing leaves without a trace") {
  const Track track(60);
  const StreamingGP gp = fed(track, 7, oips(0.8));
  StreamingGP more = gp;
  Matrix Z(gp.size() + 1, 1);
  Z << gp.points(), 40.0;
  more.rebase(gp.state().kernel, Z);
  const StreamingGP back = lessened(more, {gp.size()});
  const Prediction p = predict(gp, track.X, true, nothing), q = predict(back, track.X, true, nothing);
  CHECK_CLOSE(p.mean, q.mean, 1e-10);
  CHECK_CLOSE(p.variance, q.variance, 1e-10);
}

TEST("when there are enough points others leave, in any cut of the stream, and the newest rows are known") {
  const Track track(600);
  const StreamingGP one = fed(track, 1, oips_of(15, "replace")),
                    all = fed(track, 600, oips_of(15, "replace")),
                    some = fed(track, 47, oips_of(15, "replace"));
  CHECK(one.state().counters.removed > 40 && one.size() <= 15 && one.state().counters.turned_away == 0);
  CHECK(one.state().counters.divergence > 0 && one.state().counters.set_aside == 0);
  const Prediction p = predict(one, track.X.bottomRows(50), true, nothing);
  for (const StreamingGP* other : {&all, &some}) {
    CHECK(Matrix(other->points()) == Matrix(one.points()));
    CHECK(other->state().counters.removed == one.state().counters.removed);
    const Prediction q = predict(*other, track.X.bottomRows(50), true, nothing);
    CHECK_CLOSE(p.mean, q.mean, 1e-8);
    CHECK_CLOSE(p.variance, q.variance, 1e-8);
  }
  CHECK((p.mean - track.X.col(0).tail(50).array().sin().matrix()).cwiseAbs().maxCoeff() < 0.15);
  CHECK(all.state().history.now.batch == 1 && all.state().history.now.nobs == 600);
}

TEST("[derivation 16] where rows ask for points faster than others leave, they count for less, in any cut") {
  const Track track(400, 0.9);
  const StreamingGP one = fed(track, 1, oips_of(12, "replace")),
                    some = fed(track, 47, oips_of(12, "replace"));
  CHECK(one.state().counters.set_aside > 100 && one.state().counters.removed > 50);
  CHECK(one.state().counters.set_aside == some.state().counters.set_aside);
  CHECK(Matrix(one.points()) == Matrix(some.points()));
  const Prediction p = predict(one, track.X, true, nothing), q = predict(some, track.X, true, nothing);
  CHECK_CLOSE(p.mean, q.mean, 1e-8);
  CHECK_CLOSE(p.variance, q.variance, 1e-8);
  // the newest row: noise s2 + v r, and no residual
  StreamingGP next = one;
  Matrix far(1, 1);
  far << 1000.0;
  Vector y(1);
  y << 5.0;
  next.update(track.X.topRows(1), track.y.head(1), nothing);  // room is made, and not again for five rows
  const StreamingGP before = next;
  next.update(far, y, nothing);
  CHECK(next.size() <= 12);
  if (next.state().counters.removed == before.state().counters.removed && next.size() == before.size()) {
    const Window& open = next.state().open;
    CHECK(std::abs(open.sites()(open.size() - 1, site::om) - 1.0 / (1.0 + 80.0)) < 1e-10);
    CHECK(open.residuals()(open.size() - 1) == 0);
    CHECK(std::abs(predict(next, track.X.bottomRows(1), false, nothing).mean(0) -
                   predict(before, track.X.bottomRows(1), false, nothing).mean(0)) < 1e-6);
  } else {
    CHECK(false);
  }
}

TEST("[derivation 16] what too few points leave of rows is noise of their own, in any cut") {
  const Track track(300, 0.3);
  SelectorSpec coarse{"noise", {{"tol", 20.0}, {"max_points", 999.0}}, Matrix(), {{"left", "noise"}}};
  const StreamingGP one = fed(track, 1, coarse, 300), all = fed(track, 300, coarse, 300),
                    some = fed(track, 47, coarse, 300);
  CHECK(one.state().counters.set_aside > 50 && one.state().counters.turned_away == 0);
  const Prediction p = predict(one, track.X, true, nothing);
  for (const StreamingGP* other : {&all, &some}) {
    CHECK(Matrix(other->points()) == Matrix(one.points()));
    CHECK(other->state().counters.set_aside == one.state().counters.set_aside);
    const Prediction q = predict(*other, track.X, true, nothing);
    CHECK_CLOSE(p.mean, q.mean, 1e-8);
    CHECK_CLOSE(p.variance, q.variance, 1e-8);
  }
  // all points first: noise s2 + v r, as a dense formula has it
  StreamingGP gp = model(simple("se", 1.0, 0.8), coarse, 0.01, 20, 1, 0.1);
  gp.grow(track.X, track.y, nothing);
  Seen seen;
  see(gp.state().basis, gp.kernel(), track.X, nothing, seen);
  gp.update(track.X, track.y, nothing);
  CHECK(gp.totals().tau <= 300 * 0.3 * 0.01 / 0.8);
  const Vector own = (seen.r.array() > 0.3 * 0.01 / 0.8).select(seen.r, 0.0);
  Matrix C = 0.8 * seen.A.transpose() * seen.A;
  C.diagonal() += 0.8 * own + Vector::Constant(300, 0.01);
  const Vector weights = C.ldlt().solve(Vector(track.y.array() - 0.1));
  const Vector dense = 0.8 * seen.A.transpose() * (seen.A * weights);
  CHECK_CLOSE(predict(gp, track.X, false, nothing).mean, Vector(dense.array() + 0.1), 1e-7);
}

// A track that never returns, without an update around it: two points join, four rows come, and when there
// are 16 points four of the older half leave.
class Turnover {
 public:
  explicit Turnover(Index D)
      : state_(model(simple("se", 1.0, 0.8), oips(0.8), 0.01, 8, D, 0.0).state()),
        random_(6),
        at_(RowVector::Zero(D)) {}

  void go_on() {
    Matrix X(4, at_.size());
    for (Index i = 0; i < 4; ++i) {
      heading_ += 0.15 * random_.normal();
      at_(0) += at_.size() == 1 ? 0.3 : 0.3 * std::cos(heading_);
      if (at_.size() > 1) at_(1) += 0.3 * std::sin(heading_);
      X.row(i) = at_;
    }
    Vector y = truth(X);
    for (Index i = 0; i < 4; ++i) y(i) += 0.1 * random_.normal();
    Transaction transaction(state_);
    for (Index i = 0; i < 4; i += 2)
      if (highest_correlation(*state_.kernel, state_.basis.Z.view(), X.middleRows(i, 1))(0) < 0.8)
        transaction.join(X.middleRows(i, 1), i);
    transaction.keep();
    const Sites sites = gaussian_sites(y, Vector::Ones(4));
    Seen seen;
    const Matrix told;
    absorb(state_.basis, *state_.kernel,
           Rows{X, y, sites, state_.times(X), state_.trend, told, state_.open.limit()}, state_.most_left(),
           nothing, state_.open, state_.settled, state_.bank, seen);
    state_.counters.seen += 4;
    state_.factor.forget();
    if (state_.size() >= 16) let_go(4);
  }

  double removed() const { return removed_; }
  const State& state() const { return state_; }
  RowVector at() const { return at_; }
  static Vector truth(const Matrix& X) {
    return X.cols() == 1 ? Vector(X.col(0).array().sin())
                         : Vector(X.col(0).array().sin() * (0.7 * X.col(1)).array().cos());
  }

 private:
  void let_go(Index count) {
    const ConstMatrixView C = state_.factor.read(state_.settled, state_.open, state_.trend, state_.xi());
    const PosteriorWeights weights(
        state_.basis, C, centred_b(state_.settled, state_.open, state_.trend, state_.scale()), state_.xi());
    const Spare spare = spared(state_.used.view(), count, 0, [&](const std::vector<Index>& points) {
      return divergences(state_.basis, C, weights.a, state_.scale(), points);
    });
    state_.used = GrowingVector(entries_of(state_.used.view(), others(spare.points, state_.size())));
    gpstream::remove(spare.points, state_.basis, state_.settled, state_.open, state_.xi());
    state_.factor.forget();
    removed_ += static_cast<double>(spare.points.size());
  }

  State state_;
  Random random_;
  RowVector at_;
  double heading_ = 0.0, removed_ = 0.0;
};

TEST("100,000 points leave: pivots and evidence stay sound, and the newest rows are known") {
  for (const Index D : {Index(1), Index(2)}) {
    Turnover turnover(D);
    double error = 0.0, alone = 0.0;
    for (int round = 1; turnover.removed() < 50000; ++round) {
      turnover.go_on();
      if (round % 250 != 0) continue;
      const State& state = turnover.state();
      const ConstMatrixView Z = state.basis.Z.view();
      const Matrix L = state.basis.L.view(), P = symmetric(state.settled.P.view());
      CHECK(L.diagonal().minCoeff() > 0.2);
      CHECK_CLOSE(Matrix(L * L.transpose()), state.kernel->value(Z, Z), 1e-10);
      const Eigen::SelfAdjointEigenSolver<Matrix> parts(P, Eigen::EigenvaluesOnly);
      CHECK(parts.eigenvalues().minCoeff() >= -1e-10 * P.trace());
      Matrix G = state.xi() * P;
      G.diagonal().array() += 1.0;
      CHECK(cholesky(G));
      const Matrix rows = state.open.inputs();
      const Prediction p = predict(StreamingGP(state), rows, true, nothing);
      CHECK(p.variance.minCoeff() > 0 && p.variance.maxCoeff() < 0.08);
      error += (p.mean - Turnover::truth(rows)).squaredNorm();
      // a model that has seen these rows alone
      StreamingGP fresh = model(simple("se", 1.0, 0.8), oips(0.8), 0.01, 8, D, 0.0);
      fresh.update(rows, state.open.outputs(), nothing);
      alone += (predict(fresh, rows, false, nothing).mean - Turnover::truth(rows)).squaredNorm();
    }
    CHECK(error < alone);
  }
}

TEST("an update that is stopped leaves the model as it was, also when points have left on the way") {
  const Track track(300);
  StreamingGP gp = model(simple("se", 1.0, 0.8), oips_of(15, "replace"), 0.01, 20, 1, 0.1);
  gp.update(track.X.topRows(120), track.y.head(120), nothing);
  predict(gp, track.X, true, nothing);
  const State before = gp.state();
  bool ended = false;
  for (int at = 1; !ended; at += 7) {
    calls = 0;
    stop_at = at;
    StreamingGP next = gp;
    try {
      next.update(track.X.bottomRows(180), track.y.tail(180), stopping);
      ended = true;
    } catch (const Stop&) {
      CHECK(next.state() == before);
    }
  }
  CHECK(calls > 40);
}

TEST(
    "[derivation 16] where points do not leave, rows that none is near are set aside, and noise is not taken "
    "for them") {
  const Track track(200);
  StreamingGP gp = fed(track, 10, oips_of(8, "stop"));
  CHECK(gp.size() == 8 && gp.state().counters.set_aside > 100 && gp.state().counters.removed == 0);
  CHECK(gp.state().counters.seen == 200 && gp.state().counters.turned_away >= gp.state().counters.set_aside);
  const double covered = 200 - gp.state().counters.set_aside;
  CHECK(gp.totals().n == covered);
  // the same rows without those that were set aside
  StreamingGP few = fed(track, 10, oips_of(8, "stop"));
  const Matrix at = track.X.topRows(40);
  const StreamingGP early = [&] {
    StreamingGP out = model(simple("se", 1.0, 0.8), oips_of(8, "stop"), 0.01, 20, 1, 0.1);
    stream(out, track.X.topRows(static_cast<Index>(covered)), track.y.head(static_cast<Index>(covered)), 10);
    return out;
  }();
  CHECK_CLOSE(predict(gp, at, false, nothing).mean, predict(early, at, false, nothing).mean, 1e-8);
}

TEST("what a full model keeps survives being written down") {
  const Track track(300);
  StreamingGP gp = fed(track, 30, oips_of(15, "replace"));
  StreamingGP twin(restored(record(gp.state())));
  CHECK(twin.state() == gp.state());
  const Track more(360);
  gp.update(more.X.bottomRows(60), more.y.tail(60), nothing);
  twin.update(more.X.bottomRows(60), more.y.tail(60), nothing);
  CHECK(twin.state() == gp.state());
  CHECK(gp.state().counters.removed > 0);
}
