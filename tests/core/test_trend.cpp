// A trend whose coefficients are integrated out: it is one more term of the kernel, T diag(v ratio) T', exact
// in every row. The references have it there, dense, with explicit inverses in extended precision.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

const double s2 = 0.05, mean = 1.5;

struct Problem {
  Matrix X, at, Z;
  Vector y, weights;
};
Problem problem(unsigned seed, Index n = 70) {
  Random r(seed);
  Problem p{r.matrix(n, 2), r.matrix(12, 2) * 1.3, r.matrix(9, 2), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    p.y(i) = 2 + std::sin(5 * p.X(i, 0)) + 3 * p.X(i, 1) + 0.1 * r.normal();
    p.weights(i) = std::exp(r.uniform(-2, 2));
  }
  return p;
}

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}
Trend trend(std::initializer_list<double> ratio) {
  return {{1, 0}, numbers({0.4, 0.6}), numbers({0.25, 0.3}), numbers(ratio)};
}
// all integrated out; only slopes; only the constant; one slope known
std::vector<Trend> trends() {
  Trend constant;
  constant.ratio = numbers({4.0});
  return {trend({4, 2, 0.3}), trend({0, 5, 2}), constant, trend({50, 0, 7})};
}

KernelSpec se() { return simple("se", 0.5, 1.3); }

StreamingGP model(const KernelSpec& k, const SelectorSpec& select, Index lookback, const Trend& t,
                  double from = mean) {
  Settings settings{make_kernel(k), make_selector(select), s2, from, lookback};
  settings.trend = t;
  return StreamingGP(settings, 2);
}
void stream(StreamingGP& gp, const Problem& p, Index from, Index count, Index cut, bool watched = false) {
  for (Index i = from; i < from + count; i += cut) {
    const Index rows = std::min(cut, from + count - i);
    if (watched) gp.weights();
    gp.update(p.X.middleRows(i, rows), p.y.segment(i, rows), nothing, false, p.weights.segment(i, rows));
  }
}

LMatrix functions(const Trend& t, const Matrix& X) {
  LMatrix out = LMatrix::Ones(X.rows(), t.size());
  for (Index j = 1; j < t.size(); ++j)
    for (Index i = 0; i < X.rows(); ++i)
      out(i, j) = (Real(X(i, t.columns[static_cast<std::size_t>(j - 1)])) - Real(t.centre(j - 1))) /
                  Real(t.scale(j - 1));
  return out;
}

struct Dense {
  Vector mean, beta;
  Matrix covariance, beta_covariance;
  double objective;
};

// Rows with unit features psi (one a column), which at new rows are w and leave `rest` of the covariance.
Dense dense(const Trend& t, Real v, Real noise, Real from, const LMatrix& psi, const Matrix& X,
            const Vector& y, const Vector& weights, const LMatrix& w, const LMatrix& prior, const Matrix& at,
            Real residual) {
  const Index n = X.rows();
  const LMatrix T = functions(t, X), Ts = functions(t, at),
                B = v * LVector(t.ratio.cast<Real>()).asDiagonal();
  LMatrix K = v * psi.transpose() * psi + T * B * T.transpose();
  K.diagonal() += noise * weights.cast<Real>().cwiseInverse();
  const LMatrix inverse = K.inverse(), across = v * psi.transpose() * w + T * B * Ts.transpose();
  const LVector off = y.cast<Real>().array() - from;
  const LMatrix explained = across.transpose() * inverse;
  Dense out;
  out.mean = ((explained * off).array() + from).matrix().cast<double>();
  out.covariance = LMatrix(prior + Ts * B * Ts.transpose() - explained * across).cast<double>();
  out.beta = LVector(B * T.transpose() * inverse * off).cast<double>();
  out.beta(0) += static_cast<double>(from);
  out.beta_covariance = LMatrix(B - B * T.transpose() * inverse * T * B).cast<double>();
  Real log_det = 0;
  const LMatrix root = Eigen::LLT<LMatrix>(K).matrixL();
  for (Index i = 0; i < n; ++i) log_det += 2 * std::log(root(i, i));
  const Real two_pi = 2 * std::acos(Real(-1));
  out.objective = static_cast<double>(-(n * std::log(two_pi) + log_det + off.dot(inverse * off)) / 2 -
                                      v * residual / (2 * noise));
  return out;
}

// All rows as the points Z see them, or with features that end at their levels.
Dense dense(const KernelSpec& k, const Trend& t, const Matrix& Z, const Problem& p, const Vector& weights,
            double noise = s2, double from = mean, const std::vector<Index>& levels = {}) {
  KernelSpec unit = k;
  unit.variance = 1;
  const Eigen::LLT<LMatrix> chol(matrix(unit, Z, Z));
  LMatrix psi = chol.matrixL().solve(matrix(unit, Z, p.X)), w = chol.matrixL().solve(matrix(unit, Z, p.at));
  for (std::size_t i = 0; i < levels.size(); ++i)
    psi.col(static_cast<Index>(i)).tail(Z.rows() - levels[i]).setZero();
  Real residual = 0;
  for (Index i = 0; i < p.X.rows(); ++i) residual += Real(weights(i)) * (1 - psi.col(i).squaredNorm());
  return dense(t, k.variance, noise, from, psi, p.X, p.y, weights, w, matrix(k, p.at, p.at), p.at, residual);
}

void same_answer(const StreamingGP& gp, const Dense& truth, const Matrix& at, double tolerance) {
  const Prediction p = predict(gp, at, true, nothing);
  CHECK_CLOSE(p.mean, truth.mean, tolerance);
  CHECK_CLOSE(p.variance, truth.covariance.diagonal(), tolerance);
  CHECK_CLOSE(covariance(gp, at), truth.covariance, tolerance);
  CHECK(std::abs(gp.objective() - truth.objective) <= tolerance * std::abs(truth.objective));
}
Dense answer(const StreamingGP& gp, const Matrix& at) {
  return {predict(gp, at, false, nothing).mean, Vector(), covariance(gp, at), Matrix(), gp.objective()};
}

template <class Change>
StreamingGP changed(const StreamingGP& gp, const Change& change) {
  State state = gp.state();
  change(state);
  state.factor.forget();
  return StreamingGP(std::move(state));
}

}  // namespace

TEST("Z = X is the exact process with the trend in its kernel; coefficients are those of kriging") {
  Problem p = problem(1, 25);
  const Vector ones = Vector::Ones(25);
  const KernelSpec k = simple("matern32", 0.5, 1.3);
  for (const Trend& t : trends()) {
    StreamingGP gp = model(k, fixed(p.X), 0, t);
    p.weights = ones;
    stream(gp, p, 0, 25, 4);
    CHECK(gp.size() == 25);
    const Dense truth = dense(k, t, p.X, p, ones);
    same_answer(gp, truth, p.at, 1e-9);
    const Coefficients beta = coefficients(gp);
    CHECK_CLOSE(beta.mean, truth.beta, 1e-9);
    CHECK_CLOSE(beta.covariance, truth.beta_covariance, 1e-9);
    // u = f(Z)
    Problem on = p;
    on.at = p.X;
    const Dense there = dense(k, t, p.X, on, ones);
    const PointPosterior u = point_posterior(gp);
    CHECK_CLOSE(u.mean, there.mean, 1e-9);
    CHECK_CLOSE(u.covariance, there.covariance, 1e-9);
  }
  // hardly any prior: generalised least squares, (T'K^-1 T)^-1 T'K^-1 y
  const Trend flat = trend({1e9, 1e9, 1e9});
  StreamingGP gp = model(k, fixed(p.X), 0, flat);
  stream(gp, p, 0, 25, 25);
  LMatrix K = matrix(k, p.X, p.X);
  K.diagonal().array() += Real(s2);
  const LMatrix T = functions(flat, p.X), KT = K.inverse() * T, precision = T.transpose() * KT;
  CHECK_CLOSE(coefficients(gp).mean,
              LVector(precision.inverse() * KT.transpose() * p.y.cast<Real>()).cast<double>(), 1e-6);
  CHECK_CLOSE(coefficients(gp).covariance, LMatrix(precision.inverse()).cast<double>(), 1e-6);
}

TEST("before any row, and without points, the prior and the regression on the trend alone") {
  const Problem p = problem(2);
  for (const Trend& t : trends()) {
    StreamingGP gp = model(se(), fixed(p.Z), 7, t);
    const LMatrix T = functions(t, p.at);
    const LMatrix B = Real(1.3) * LVector(t.ratio.cast<Real>()).asDiagonal();
    const Prediction prior = predict(gp, p.at, true, nothing);
    CHECK(prior.mean == Vector::Constant(12, mean) && gp.objective() == 0);
    const LMatrix spread = T * B * T.transpose();
    CHECK_CLOSE(prior.variance, Vector((spread.diagonal().array() + Real(1.3)).cast<double>()), 1e-12);
    const StreamingGP none = changed(model(se(), fixed(p.Z.topRows(1)), 7, t), [](State& state) {
      remove({0}, state.basis, state.settled, state.open);
    });
    for (const Index rows : {1, 2, 40}) {  // fewer than there are coefficients, and more
      StreamingGP without = none;
      stream(without, p, 0, rows, 3);
      Problem first = p;
      first.X = p.X.topRows(rows);
      first.y = p.y.head(rows);
      const Vector weights = p.weights.head(rows);
      same_answer(without,
                  dense(t, 1.3, s2, mean, LMatrix::Zero(1, rows), first.X, first.y, weights,
                        LMatrix::Zero(1, 12), matrix(se(), p.at, p.at), p.at, Real(weights.sum())),
                  p.at, 1e-9);
    }
  }
}

TEST("fixed points: any split, any look-back, read on the way or not: the dense batch with the trend") {
  const Problem p = problem(3);
  for (const Trend& t : trends()) {
    const Dense truth = dense(se(), t, p.Z, p, p.weights);
    for (const Index lookback : {Index(0), Index(7), unlimited})
      for (const Index cut : {Index(1), Index(6), Index(70)})
        for (const bool watched : {false, true}) {
          StreamingGP gp = model(se(), fixed(p.Z), lookback, t);
          stream(gp, p, 0, 70, cut, watched);
          same_answer(gp, truth, p.at, 1e-9);
          CHECK_CLOSE(coefficients(gp).mean, truth.beta, 1e-9);
          CHECK_CLOSE(coefficients(gp).covariance, truth.beta_covariance, 1e-9);
        }
  }
}

TEST("a batch of many rows, and one row after many: blocks and rotations agree") {
  const Problem p = problem(4, 1300);
  const Trend t = trend({4, 2, 0.3});
  for (const Index lookback : {Index(0), Index(7)}) {
    StreamingGP once = model(se(), fixed(p.Z), lookback, t), slowly = once;
    stream(once, p, 0, 1300, 1300);
    stream(slowly, p, 0, 1300, 1, true);
    same_answer(slowly, answer(once, p.at), p.at, 1e-9);
  }
}

TEST("points join along the way: rows that are open extend their features, settled ones do not") {
  const Problem p = problem(5);
  for (const Trend& t : trends())
    for (const Index lookback : {Index(0), Index(7), unlimited})
      for (const bool watched : {false, true}) {
        StreamingGP gp = model(se(), oips(0.8), lookback, t);
        std::vector<Index> sizes, levels;
        for (Index i = 0; i < 70; ++i) {
          stream(gp, p, i, 1, 1, watched);
          sizes.push_back(gp.size());
        }
        for (Index i = 0; i < 70; ++i)
          levels.push_back(lookback == unlimited
                               ? gp.size()
                               : sizes[static_cast<std::size_t>(std::min<Index>(69, i + lookback))]);
        CHECK(gp.size() > 5 && gp.size() < 40 && (lookback > 0 || levels[0] < gp.size()));
        same_answer(gp, dense(se(), t, gp.points(), p, p.weights, s2, mean, levels), p.at, 1e-9);
      }
}

// A wrong border would spoil the pivot, and the factor would be made anew: right, but at a cost of M^3.
TEST("a point that joins borders the factor that there is") {
  const Problem p = problem(5);
  for (const Trend& t : trends()) {
    StreamingGP gp = model(se(), oips(0.8), 7, t);
    int joined = 0;
    for (Index i = 0; i < 70; ++i) {
      gp.factor();
      const Index M = gp.size();
      gp.grow(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing);
      joined += gp.size() > M;
      const State& state = gp.state();
      CHECK(state.factor.made());
      const Matrix C = lower(state.factor.C());
      Matrix G = gp.xi() * symmetric(total_P(state.settled, state.open, state.trend));
      G.diagonal().array() += 1;
      CHECK_CLOSE(Matrix(C * C.transpose()), G, 1e-10);
      gp.absorb(p.X.middleRows(i, 1), p.y.segment(i, 1), nothing);
    }
    CHECK(joined > 5);
  }
}

TEST("an update that fails half-way leaves a model with a trend as it was") {
  const Problem p = problem(6);
  for (const bool waiting : {false, true}) {
    StreamingGP gp = model(se(), oips(0.8), 7, trend({4, 2, 0.3}));
    stream(gp, p, 0, 40, 5);
    gp.factor();
    if (waiting) stream(gp, p, 40, 1, 1);
    const StreamingGP before = gp;
    Matrix far = p.X.topRows(3);
    far.array() += 5;
    CHECK_THROWS(gp.update(far, p.y.head(3), nothing, false, Vector::Constant(3, -1.0)), "input");
    CHECK(gp.state() == before.state());
    Matrix wide = Matrix::Constant(1, 2, 1e200);
    CHECK_THROWS(gp.update(wide, p.y.head(1), nothing), "input");
    CHECK(gp.state() == before.state());
  }
}

TEST("other scale or ratios, read from the same evidence: as if they had been so from the start") {
  const Problem p = problem(7);
  StreamingGP gp = model(se(), fixed(p.Z), 7, trend({0, 0, 0}));
  stream(gp, p, 0, 70, 6);
  for (const Trend& t : {trend({4, 2, 0.3}), trend({0, 5, 2}), trend({0, 0, 0}), trend({2, 0, 0})}) {
    gp.set_trend(t.ratio);
    same_answer(gp, dense(se(), t, p.Z, p, p.weights), p.at, 1e-9);
    StreamingGP other = gp;
    other.set_scale(0.4, 0.02, 2.7);
    CHECK(other.state().trend.ratio == t.ratio);
    same_answer(other, dense(simple("se", 0.5, 0.4), t, p.Z, p, p.weights, 0.02, 2.7), p.at, 1e-9);
  }
  const StreamingGP before = gp;
  for (const Vector& bad : {numbers({1, 2}), numbers({1, -1, 0}), numbers({1, 0, std::nan("")})})
    CHECK_THROWS(gp.set_trend(bad), "parameter");
  CHECK(gp.state() == before.state());
}

TEST("moved, removed, merged, forgotten: the trend's sums go along") {
  const Problem p = problem(8);
  const KernelSpec other = simple("matern52", 0.7, 0.9);
  for (const Trend& t : trends()) {
    // all rows at hand: another kernel, other points
    StreamingGP gp = model(se(), oips(0.8), unlimited, t);
    stream(gp, p, 0, 70, 6);
    gp.rebase(make_kernel(other), p.Z);
    same_answer(gp, dense(other, t, p.Z, p, p.weights), p.at, 1e-9);
    // rows that have settled with all points, moved to some of them, or one removed
    for (const Index lookback : {Index(0), Index(7)}) {
      StreamingGP all = model(se(), fixed(p.Z), lookback, t);
      stream(all, p, 0, 70, 6);
      StreamingGP some = all;
      some.rebase(some.state().kernel, p.Z.topRows(6));
      same_answer(some, dense(se(), t, p.Z.topRows(6), p, p.weights), p.at, 1e-9);
      Matrix left(8, 2);
      left << p.Z.topRows(3), p.Z.bottomRows(5);
      const StreamingGP less =
          changed(all, [](State& state) { remove({3}, state.basis, state.settled, state.open); });
      same_answer(less, dense(se(), t, left, p, p.weights), p.at, 1e-9);
      // every row so far counts less
      const StreamingGP faded = changed(all, [](State& state) { forget(0.7, state.settled, state.open); });
      const Dense weaker = dense(se(), t, p.Z, p, Vector(0.7 * p.weights));
      CHECK_CLOSE(predict(faded, p.at, false, nothing).mean, weaker.mean, 1e-9);
      CHECK_CLOSE(covariance(faded, p.at), weaker.covariance, 1e-9);
    }
    StreamingGP first = model(se(), fixed(p.Z), 0, t), second = first;
    stream(first, p, 0, 30, 6);
    stream(second, p, 30, 40, 6);
    const StreamingGP both =
        changed(first, [&](State& state) { merge(second.state().settled, state.settled); });
    same_answer(both, dense(se(), t, p.Z, p, p.weights), p.at, 1e-9);
  }
}

TEST(
    "the objective as a function of variance, noise and mean, and its maximum, are those of the dense "
    "model") {
  const Problem p = problem(9);
  for (const Trend& t : trends()) {
    StreamingGP gp = model(se(), fixed(p.Z), 7, t);
    stream(gp, p, 0, 70, 6);
    const ScaleSums sums = scale_sums(gp);
    const auto direct = [&](double v, double noise, double from) {
      return dense(simple("se", 0.5, v), t, p.Z, p, p.weights, noise, from).objective;
    };
    for (const ScaleValues& at : {ScaleValues{1, 1, 0}, ScaleValues{3, 0.01, 5}, ScaleValues{1e-3, 4, -2}}) {
      const double truth = direct(at.variance, at.noise, at.mean);
      CHECK(std::abs(scale_objective(sums, at) - truth) <= 1e-9 * std::abs(truth));
    }
    const bool own_mean = t.ratio(0) == 0;  // a constant that is integrated out leaves none to learn
    StreamingGP learned = gp;
    const BestScale best = learn_scale(learned, gp, {true, true, true}, false);
    CHECK(own_mean || learned.state().mean == mean);
    CHECK(learned.state().trend.ratio == t.ratio);
    CHECK(std::abs(learned.objective() - best.objective) <= 1e-9 * std::abs(best.objective));
    const double v = learned.v(), noise = learned.s2(), from = learned.state().mean,
                 top = direct(v, noise, from);
    CHECK(std::abs(top - best.objective) <= 1e-9 * std::abs(top));
    for (const double step : {-0.1, -1e-3, 1e-3, 0.1}) {
      CHECK(direct(v * (1 + step), noise, from) < top);
      CHECK(direct(v, noise * (1 + step), from) < top);
      CHECK(direct(v * (1 + step), noise * (1 + step), from) < top);
      if (own_mean) CHECK(direct(v, noise, from + step) < top);
    }
  }
}

TEST(
    "slopes of the objective with a trend are differences: kernel, points, noise, ratios; rows gone or not") {
  for (const Index lookback : {Index(0), Index(15), unlimited})
    for (const Trend& t : trends()) {
      const Problem p = problem(10, 80);
      StreamingGP gp = model(simple("matern52", 0.6, 1.2), oips(0.7), lookback, t);
      stream(gp, p, 0, 60, 10);
      const Index M = 5;
      const Matrix Z = p.Z.topRows(M);
      std::vector<Index> open;
      for (Index j = 0; j < t.size(); ++j)
        if (t.ratio(j) > 0) open.push_back(j);
      const Index q = static_cast<Index>(open.size()), n = 3 + q + 2 * M;
      Vector here = Vector::Zero(n);
      here.head(3) << std::log(0.5), std::log(0.9), std::log(0.08);
      const auto at = [&](const Vector& step) {
        StreamingGP other = gp;
        Vector ratio = t.ratio;
        for (Index j = 0; j < q; ++j) ratio(open[static_cast<std::size_t>(j)]) *= std::exp(step(3 + j));
        other.set_trend(ratio);
        const Objective F(other, p.X.bottomRows(20), p.y.tail(20), p.weights.tail(20));
        const Matrix moved = Z + Eigen::Map<const Matrix>(step.data() + 3 + q, M, 2);
        return F(Place{make_kernel(simple("matern52", std::exp(step(0)), std::exp(step(1)))), moved,
                       std::exp(step(2)), 1.1},
                 true, nothing);
      };
      const Slope exact = at(here);
      Vector slope(n), difference(n);
      slope << exact.kernel, exact.log_noise, exact.log_ratio, exact.Z.col(0), exact.Z.col(1);
      const auto named = gp.kernel().parameters();
      if (named[0].name == "variance") std::swap(slope(0), slope(1));
      for (Index i = 0; i < n; ++i) {
        const auto central = [&](double h) {
          Vector up = here, down = here;
          up(i) += h;
          down(i) -= h;
          return (at(up).objective - at(down).objective) / (2 * h);
        };
        const double h = i < 3 + q ? 1e-3 : 3e-4;
        difference(i) = (4 * central(h) - central(2 * h)) / 3;
      }
      CHECK_CLOSE(slope, difference, 1e-6);
      // and the value is that of the model moved there
      StreamingGP moved = gp;
      moved.rebase(make_kernel(simple("matern52", 0.5, 0.9)), Z);
      moved.set_scale(0.9, 0.08, 1.1);
      moved.absorb(p.X.bottomRows(20), p.y.tail(20), nothing, p.weights.tail(20));
      CHECK(std::abs(exact.objective - moved.objective()) <= 1e-9 * std::abs(moved.objective()));
    }
}

TEST("the streaming bound of a model with a trend: its terms add up") {
  const Problem p = problem(11);
  for (const Trend& t : trends())
    for (const Index lookback : {Index(0), Index(7)}) {
      Problem unit = p;
      unit.weights.setOnes();
      StreamingGP gp = model(se(), oips(0.7), lookback, t);
      stream(gp, unit, 0, 50, 6);
      const StreamingBound b = streaming_bound(gp, p.X.bottomRows(20), p.y.tail(20), nothing);
      const double sum = b.prior + b.likelihood + b.old_prior + b.old_posterior + b.points;
      CHECK(std::abs(b.bound - sum) <= 1e-8 * std::abs(b.bound));
      StreamingGP after = gp;
      after.update(p.X.bottomRows(20), p.y.tail(20), nothing);
      CHECK(std::abs(after.objective() - gp.objective() - b.bound) <= 1e-9 * std::abs(b.bound));
    }
}

TEST("variances of many rows, from one factor, are those of a few") {
  Problem p = problem(12);
  Random r(13);
  const Matrix far = r.matrix(400, 2) * 3;
  for (const Trend& t : trends())
    for (const double noise : {s2, 1e-7}) {
      StreamingGP gp = model(se(), fixed(p.Z), 7, t);
      stream(gp, p, 0, 70, 6);
      gp.set_scale(1.3, noise, mean);
      CHECK(gp.variance_factor() != nullptr);
      const Prediction many = predict(gp, far, true, nothing);
      for (Index i = 0; i < 400; i += 4) {
        const Prediction few = predict(gp, far.middleRows(i, 4), true, nothing);
        CHECK(few.mean == many.mean.segment(i, 4));
        CHECK(((few.variance - many.variance.segment(i, 4)).array().abs() <= 1e-6 * few.variance.array())
                  .all());
      }
    }
}

TEST("coefficients that are all known: the bits of a model without a trend") {
  const Problem p = problem(14);
  for (const Index lookback : {Index(0), Index(7), unlimited})
    for (const Index cut : {Index(1), Index(6)}) {
      StreamingGP plain = model(se(), oips(0.8), lookback, Trend()),
                  with = model(se(), oips(0.8), lookback, trend({0, 0, 0}));
      stream(plain, p, 0, 70, cut, cut == 1);
      stream(with, p, 0, 70, cut, cut == 1);
      const auto same = [&] {
        const Prediction a = predict(plain, p.at, true, nothing), b = predict(with, p.at, true, nothing);
        CHECK(a.mean == b.mean && a.variance == b.variance &&
              covariance(plain, p.at) == covariance(with, p.at));
        CHECK(plain.weights().a == with.weights().a && lower(plain.factor()) == lower(with.factor()));
        CHECK(plain.tau() == with.tau() && levels(plain) == levels(with));
        CHECK(std::abs(plain.objective() - with.objective()) <= 1e-14 * std::abs(plain.objective()));
      };
      same();
      plain.set_scale(0.7, 0.1, 2.5);
      with.set_scale(0.7, 0.1, 2.5);
      same();
    }
}

TEST("centred columns: inputs a million away lose nothing") {
  Problem p = problem(15);
  const auto rounded = [](double x) { return std::round(x * 1048576) / 1048576; };
  for (Matrix* A : {&p.X, &p.at, &p.Z}) *A = A->unaryExpr(rounded);
  Problem far = p;
  for (Matrix* A : {&far.X, &far.at, &far.Z}) A->array() += 1e6;
  Trend t = trend({4, 2, 0.3});
  t.centre = numbers({0.5, 0.5});
  Trend there = t;
  there.centre.array() += 1e6;
  StreamingGP gp = model(se(), fixed(p.Z), 7, t), other = model(se(), fixed(far.Z), 7, there);
  stream(gp, p, 0, 70, 6);
  stream(other, far, 0, 70, 6);
  same_answer(other, answer(gp, p.at), far.at, 1e-12);
  CHECK_CLOSE(coefficients(other).mean, coefficients(gp).mean, 1e-12);
}

TEST("the levels of a certificate count what stands in front, in which nothing is missed") {
  const Problem p = problem(16);
  StreamingGP plain = model(se(), oips(0.8), 7, Trend()),
              with = model(se(), oips(0.8), 7, trend({4, 0, 0.3}));
  stream(plain, p, 0, 70, 6);
  stream(with, p, 0, 70, 6);
  CHECK(levels(with).size() == with.weights().a.size() + 1);
  CHECK(levels(with).head(2) == Vector::Zero(2) && levels(with).tail(plain.size() + 1) == levels(plain));
}

TEST("a state with a trend comes back from its record as it was, and goes on alike") {
  const Problem p = problem(17);
  for (const Trend& t : trends())
    for (const int read : {-1, 0, 1}) {  // never factored; factored; factored, and a row since
      StreamingGP gp = model(se(), oips(0.8), 7, t);
      stream(gp, p, 0, 50, 6);
      if (read >= 0) gp.factor();
      if (read > 0) gp.update(p.X.topRows(1), p.y.head(1), nothing);
      StreamingGP back(restored(record(gp.state())));
      CHECK(back.state() == gp.state() && back.state().trend.columns == t.columns);
      stream(gp, p, 50, 20, 1, true);
      stream(back, p, 50, 20, 1, true);
      CHECK(back.state() == gp.state());
      const Record whole = record(gp.state());
      const Matrix entries = trend_matrix(gp.state().trend);
      for (Index i = 0; i < entries.rows(); ++i)
        for (Index j = 0; j < 4; ++j)
          for (const double value : {entries(i, j) + 1, 2.5, -3.0, std::nan("")}) {
            Matrix bad = entries;
            bad(i, j) = value;
            Record other;
            for (const auto& one : whole.fields())
              other.put(one.first, one.first == "trend" ? Plain(bad) : one.second);
            bool same = false;
            try {
              same = restored(other) == gp.state();
            } catch (const Error& error) {
              CHECK(error.kind() == "corrupt");
            }
            CHECK(!same || value == entries(i, j));
          }
    }
}

TEST("a state of format 5 has the constant, and knows it") {
  const Problem p = problem(18);
  StreamingGP gp = model(se(), oips(0.8), 7, Trend());
  stream(gp, p, 0, 50, 6);
  gp.factor();
  Record older;
  const Record now = record(gp.state());
  for (const auto& one : now.fields())
    if (one.first != "trend" && one.first.rfind("history", 0) != 0)
      older.put(one.first, one.first == "format" ? Plain(5.0) : one.second);
  older.put("history_stride", now.number("history_stride"));
  const Index then = static_cast<Index>(HistoryEntry::fields_of_format_6);
  older.put("history", Matrix(now.get<Matrix>("history").leftCols(then)));
  older.put("history_now", Vector(now.get<Vector>("history_now").head(then)));
  State known = gp.state();  // but when points joined, and were needed, nobody knew then
  known.used.view().setZero();
  known.traces.lose_all(known.counters.seen, known.size());
  CHECK(restored(older) == known);
}

TEST("a trend that does not fit the model is refused") {
  Trend t = trend({1, 1, 1});
  const auto refused = [](const Trend& bad) { CHECK_THROWS(model(se(), oips(0.8), 7, bad), "parameter"); };
  t.columns[0] = 2;
  refused(t);
  t = trend({1, 1, 1});
  t.scale(1) = 0;
  refused(t);
  refused(trend({1, 1}));
  refused(trend({1, -1, 1}));
  refused(trend({1, 1, std::numeric_limits<double>::infinity()}));
}

// A stream with a factor in its trend, weights, points that join, and a prior. There a weight is how often a
// row counts, here it divides the noise: F differs by constants.
TEST("the stream of an independent implementation, its prior form") {
  Matrix X(22, 3), Xs(3, 3);
  Vector y(22), weights(22);
  X << 0.385711, 1.497834, 1, 1.804495, 0.086067, 2, 0.443778, 2.784633, 1, 0.211262, 0.389322, 2, 2.844985,
      1.865651, 2, 1.106979, 1.53417, 1, 1.988529, 0.825926, 2, 0.413904, 2.364119, 0, 2.011082, 1.537147, 0,
      2.450209, 1.647226, 0, 2.942741, 0.613528, 0, 1.661191, 1.450874, 2, 1.059825, 1.774786, 0, 0.705904,
      2.406608, 1, 2.602001, 0.386279, 2, 1.40122, 0.831435, 2, 0.249351, 2.687833, 2, 1.289846, 0.443074, 0,
      2.020087, 0.606648, 1, 2.704293, 0.651445, 0, 0.099224, 0.602307, 0, 1.037244, 1.406724, 2;
  y << 2.01925, 2.058719, 1.683205, 1.432029, 3.723823, 1.736467, 2.341432, 1.134277, 1.993339, 3.53685,
      4.110147, 1.032159, 1.124062, 2.005981, 4.355527, 1.220758, 0.646168, 1.385169, 3.158876, 4.471219,
      1.270483, 1.206381;
  weights << 0.8258, 0.9728, 0.8872, 1.9675, 1.9115, 1.011, 1.154, 0.9715, 1.6198, 0.56, 0.6012, 1.1061,
      0.8676, 1.7678, 1.6127, 1.3187, 1.4922, 1.5384, 1.6716, 1.8913, 0.7246, 1.4392;
  Xs << 0.287243, 0.886262, 0, 1.57257, 1.789396, 1, 1.518456, 0.070816, 2;
  // the levels of the factor become columns, which the kernel does not see
  const auto inputs = [](const Matrix& A) {
    Matrix out(A.rows(), 4);
    out << A.leftCols(2), (A.col(2).array() == 1).cast<double>(), (A.col(2).array() == 2).cast<double>();
    return out;
  };
  KernelSpec k = simple("matern32", 1.0, 1.3, 4);
  k.lengthscale << 0.8, 1.1, 1e12, 1e12;
  const Vector precision = numbers({0.01, 0.25, 0.25, 1, 1});
  Settings settings{make_kernel(k), make_selector(oips(0.75)), 0.05, 0.0, 6};
  settings.trend = {{0, 1, 2, 3},
                    numbers({1.429, 1.291, 0, 0}),
                    numbers({0.91, 0.784, 1, 1}),
                    (1.3 * precision).cwiseInverse()};
  StreamingGP gp(settings, 4);
  for (Index i = 0; i < 22; i += 3) {
    const Index rows = std::min<Index>(3, 22 - i);
    gp.update(inputs(X.middleRows(i, rows)), y.segment(i, rows), nothing, false, weights.segment(i, rows));
  }
  CHECK(gp.size() == 10 && gp.points()(7, 0) == 2.011082 && gp.points()(9, 0) == 1.40122);
  const Totals sums = gp.totals();
  CHECK_CLOSE(sums.s,
              numbers({62.1249778032, 30.508103810738817, -13.40321413257533, 13.7429545964, 27.1164175554}),
              1e-12);
  CHECK_CLOSE(Vector(sums.H.row(0)),
              numbers({8.477286024390668, -5.426330097464118, 2.3180525959989184, 2.834067388811064,
                       3.4336086114635886}),
              1e-12);
  const Prediction at = predict(gp, inputs(Xs), true, nothing);
  CHECK_CLOSE(at.mean, numbers({1.3891351698419938, 1.975564426201331, 1.800132546627525}), 1e-10);
  CHECK_CLOSE(at.variance, numbers({0.253635314338614, 0.37357002772436304, 0.2681987615647355}), 1e-10);
  const Coefficients beta = coefficients(gp);
  CHECK_CLOSE(beta.mean,
              numbers({2.0727175570552374, 0.936373414525126, -0.49926696895509587, 0.6624979721691185,
                       -0.06643315358874713}),
              1e-10);
  CHECK_CLOSE(Vector(beta.covariance.row(1)),
              numbers({0.009489254383438976, 0.14383579258740584, 0.03131261688747422, -0.014352751997108998,
                       -0.0034102357564955105}),
              1e-10);
  const double log_two_pi_s2 = std::log(2 * std::acos(-1.0) * 0.05);
  const double constants = 0.5 * ((22 - weights.sum()) * log_two_pi_s2 - weights.array().log().sum());
  CHECK(std::abs(gp.objective() + constants - -53.87138628275268) <= 1e-10 * 54);
}
