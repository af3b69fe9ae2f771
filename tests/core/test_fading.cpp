// Rows that count less with every half-life: the batch answer with weights by age, in any cut.  [derivation
// 19]
#include "../../src/core/learn/ages.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

const double s2 = 0.05;
const KernelSpec kernel = simple("se", 0.4, 1.3);

struct Problem {
  Matrix X, at, Z;
  Vector y;
};
Problem problem(unsigned seed, Index n = 90) {
  Random r(seed);
  Problem p{r.matrix(n, 2), r.matrix(8, 2), r.matrix(9, 2), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    p.X(i, 1) = static_cast<double>(i) / 60.0 + 0.1 * r.uniform();  // time, now and then late
    p.y(i) = std::sin(5 * p.X(i, 0)) + 0.1 * r.normal();
  }
  return p;
}

Settings settings(const SelectorSpec& select, Index lookback, const Fading& fading,
                  std::vector<double> others = {}) {
  Settings out{make_kernel(kernel), make_selector(select), s2, 0.0, lookback};
  out.fading = fading;
  out.half_lives = std::move(others);
  return out;
}
StreamingGP streamed(const Settings& how, const Problem& p, Index cut) {
  StreamingGP out(how, 2);
  stream(out, p.X, p.y, cut);
  return out;
}

// 2^-(age / half-life), in rows or by a column.
Vector by_age(const Problem& p, double half_life, Index column) {
  Vector t = Vector::LinSpaced(p.X.rows(), 1.0, static_cast<double>(p.X.rows()));
  if (column >= 0) t = p.X.col(column);
  return ((t.array() - t.maxCoeff()) / half_life * std::log(2.0)).exp();
}

// Likelihoods to these powers.
Answer powered(const Matrix& Z, const Problem& p, const Vector& power) {
  Answer out = batch(kernel, Z, p.X, p.y, s2, p.at, power);
  for (Index i = 0; i < power.size(); ++i) {
    const double w = power(i);
    out.objective += 0.5 * ((1 - w) * std::log(6.283185307179586) + std::log(s2 / w) - w * std::log(s2));
  }
  return out;
}

void same_answer(const StreamingGP& gp, const Answer& truth, const Matrix& at, double tolerance) {
  const Prediction p = predict(gp, at, true, nothing);
  CHECK_CLOSE(p.mean, truth.mean, tolerance);
  CHECK_CLOSE(p.variance, truth.variance, tolerance);
  CHECK(std::abs(gp.objective() - truth.objective) <= tolerance * std::abs(truth.objective));
}
void same_evidence(const Evidence& a, const Evidence& b, double tolerance) {
  CHECK_CLOSE(lower(a.P.view()), lower(b.P.view()), tolerance);
  CHECK_CLOSE(Vector(a.b.view()), Vector(b.b.view()), tolerance);
  CHECK_CLOSE(Matrix(a.H.view()), Matrix(b.H.view()), tolerance);
  CHECK_CLOSE(a.Phi, b.Phi, tolerance);
  CHECK_CLOSE(a.s, b.s, tolerance);
  for (const double off : {a.n - b.n, a.con - b.con, a.yy - b.yy, a.residual() - b.residual()})
    CHECK(std::abs(off) <= tolerance * (1.0 + a.n));
}

}  // namespace

TEST("[derivation 19] rows that fade are rows with weights by age, in any cut of the stream") {
  for (const Index column : {Fading::by_rows, Index(1)}) {
    const Problem p = problem(1);
    const double half_life = column == Fading::by_rows ? 12.0 : 0.3;
    const Answer truth = powered(p.Z, p, by_age(p, half_life, column));
    for (const Index lookback : {Index(0), Index(7), unlimited})
      for (const Index cut : {Index(1), Index(5), Index(90)})
        same_answer(streamed(settings(fixed(p.Z), lookback, {half_life, column}), p, cut), truth, p.at,
                    1e-10);
  }
}

TEST("[derivation 19] with a half-life that is infinite every bit is as without one") {
  const Problem p = problem(2);
  const StreamingGP with =
      streamed(settings(oips(0.8), 20, Fading{std::numeric_limits<double>::infinity(), 1}), p, 7);
  StreamingGP without = reference::model(kernel, oips(0.8), s2, 20, 2);
  stream(without, p.X, p.y, 7);
  CHECK(predict(with, p.at, true, nothing).variance == predict(without, p.at, true, nothing).variance);
  CHECK(with.objective() == without.objective());
}

TEST("[derivation 19] points that join while rows fade: the batch answer where all rows are open") {
  const Problem p = problem(3);
  const StreamingGP gp = streamed(settings(oips(0.9), unlimited, {15.0}), p, 4);
  same_answer(gp, powered(gp.points(), p, by_age(p, 15.0, -1)), p.at, 1e-9);
}

TEST("[derivation 19] evidence under each of several half-lives is that of a model which has it") {
  const Problem p = problem(4);
  const double never = std::numeric_limits<double>::infinity();
  for (const Index lookback : {Index(0), Index(20)})
    for (const Index cut : {Index(1), Index(13)}) {
      StreamingGP gp = streamed(settings(oips(0.9), lookback, Fading(), {30.0, 8.0}), p, cut);
      CHECK(gp.bank().waiting() > 0);
      gp.bank().settle(gp.state().fading());
      for (const Strand& one : gp.state().bank.strands)
        same_evidence(one.settled,
                      streamed(settings(oips(0.9), lookback, {one.half_life}), p, cut).state().settled,
                      1e-12);
      gp.take_strand(1);
      CHECK(gp.state().fading().half_life == 8.0 && gp.state().bank.strands[1].half_life == never);
      const StreamingGP alone = streamed(settings(oips(0.9), lookback, {8.0}), p, cut);
      CHECK_CLOSE(predict(gp, p.at, true, nothing).mean, predict(alone, p.at, true, nothing).mean, 1e-10);
      CHECK_CLOSE(predict(gp, p.at, true, nothing).variance, predict(alone, p.at, true, nothing).variance,
                  1e-10);
    }
}

TEST("[derivation 19] rows are foretold as by a model that has not seen them") {
  const Problem p = problem(5);
  for (const double half_life : {std::numeric_limits<double>::infinity(), 9.0}) {
    const StreamingGP gp = streamed(settings(fixed(p.Z), 40, {half_life}), p, 9);
    StreamingGP before(settings(fixed(p.Z), 40, {half_life}), 2);
    before.update(p.X.topRows(65), p.y.head(65), nothing);
    const Foretold found = foretell_before(gp.state(), gp.state().settled, half_life, 25);
    const Prediction truth = predict(before, p.X.bottomRows(25), true, nothing);
    CHECK_CLOSE(Vector(p.y.tail(25) - found.error), truth.mean, 1e-9);
    CHECK_CLOSE(found.sd, Vector((truth.variance.array() + s2).sqrt()), 1e-9);
  }
}

TEST("[derivation 19] fading models, merged, are one stream; other half-lives are refused") {
  const Problem p = problem(6);
  for (const Index column : {Fading::by_rows, Index(1)}) {
    const Settings how = settings(fixed(p.Z), 10, {column < 0 ? 25.0 : 0.4, column}, {90.0, 5.0});
    StreamingGP first(how, 2), second(how, 2);
    first.update(p.X.topRows(50), p.y.head(50), nothing);
    second.update(p.X.bottomRows(40), p.y.tail(40), nothing);
    if (column < 0) {  // whichever each has in use
      second.bank().settle(second.state().fading());
      second.take_strand(0);
    }
    StreamingGP both = merged(first, second).model, one = streamed(how, p, 30);
    CHECK_CLOSE(predict(both, p.at, true, nothing).mean, predict(one, p.at, true, nothing).mean, 1e-10);
    both.bank().settle(both.state().fading());
    one.bank().settle(one.state().fading());
    for (std::size_t i = 0; i < 2; ++i)
      same_evidence(both.state().bank.strands[i].settled, one.state().bank.strands[i].settled, 1e-11);
  }
  const StreamingGP a = streamed(settings(fixed(p.Z), 10, {25.0}), p, 9);
  CHECK_THROWS(merged(a, streamed(settings(fixed(p.Z), 10, {24.0}), p, 9)), "input");
  CHECK_THROWS(merged(a, streamed(settings(fixed(p.Z), 10, {25.0, 1}), p, 9)), "input");
}

TEST("[derivation 19] a row is unlearned with what it counts by now, under every half-life") {
  const Problem p = problem(7);
  const Settings how = settings(fixed(p.Z), 10, {25.0}, {60.0});
  const StreamingGP gp = streamed(how, p, 9);
  const Index i = 30;
  Vector at(1), weight(1);
  at << static_cast<double>(i + 1 + 10);
  weight << 1.0;
  StreamingGP less = unlearned(gp, {p.X.middleRows(i, 1), p.y.segment(i, 1), weight}, at);
  Problem rest = p;
  Vector power = by_age(p, 25.0, -1);
  power(i) = 1e-14;  // as good as none
  CHECK_CLOSE(predict(less, p.at, true, nothing).mean, powered(p.Z, rest, power).mean, 1e-8);
  power = by_age(p, 60.0, -1);
  power(i) = 1e-14;
  less.take_strand(0);
  CHECK_CLOSE(predict(less, p.at, true, nothing).mean, powered(p.Z, rest, power).mean, 1e-8);
  CHECK_THROWS(unlearned(less, {p.X.middleRows(i, 1), p.y.segment(i, 1), weight}, at), "unlearn");
}

TEST("[derivation 19] a model with several half-lives is saved and goes on to the last bit") {
  const Problem p = problem(8);
  StreamingGP gp(settings(oips(0.9), 20, {40.0, 1}, {3.0, 0.7}), 2);
  stream(gp, p.X.topRows(50), p.y.head(50), 7);
  StreamingGP back(restored(record(gp.state())));
  CHECK(back.state() == gp.state());
  for (StreamingGP* one : {&gp, &back}) stream(*one, p.X.bottomRows(40), p.y.tail(40), 7);
  CHECK(back.state() == gp.state());
}

TEST("[derivation 19] an update that is stopped leaves a model with several half-lives as it was") {
  const Problem p = problem(9);
  StreamingGP gp(settings(oips(0.95), 20, {40.0}, {9.0}), 2);
  stream(gp, p.X.topRows(50), p.y.head(50), 7);
  const State before = gp.state();
  static int calls;
  calls = 0;
  bool stopped = false;
  try {
    gp.update(p.X.bottomRows(40), p.y.tail(40), [] {
      if (++calls > 5) throw 1;
    });
  } catch (int) {
    stopped = true;
  }
  CHECK(stopped && gp.state() == before);
}

TEST("[derivation 19] the best half-life comes into use, and nothing is forgotten while nothing changes") {
  for (const bool moves : {false, true}) {
    Random r(11);
    const Index n = 1500;
    Matrix X = r.matrix(n, 2);
    Vector y(n);
    for (Index i = 0; i < n; ++i)
      y(i) = std::sin(4 * X(i, 0) + (moves ? 0.005 : 0.0) * static_cast<double>(i)) + 0.2 * r.normal();
    Wishes wishes;
    wishes.kernel.name = "se";
    wishes.kernel.lengthscale = Vector::Constant(1, 0.4);
    wishes.kernel.variance = 1.0;
    wishes.mean = 0.0;
    wishes.select = oips(0.8);
    wishes.learns = Wishes::always;
    wishes.any_half_life = true;
    const auto learned = [&](Index cut) {
      StreamingGP out = started(wishes, X.topRows(10), y.head(10));
      for (Index i = 0; i < n; i += cut) {
        const Index rows = std::min(cut, n - i);
        learn(out, {X.middleRows(i, rows), y.segment(i, rows), Vector::Ones(rows)}, wishes, false, nothing);
      }
      return out;
    };
    const StreamingGP gp = learned(20);
    CHECK(gp.state().fading().fades() == moves);
    if (moves) CHECK(gp.state().fading().half_life <= 250);
    if (!moves) {
      wishes.any_half_life = false;
      CHECK(std::abs(gp.s2() / learned(20).s2() - 1) < 0.03);
    }
    CHECK(learned(n).state().fading().half_life == gp.state().fading().half_life);
  }
}

TEST("[derivation 19] exact evidence of rows that fade: likelihoods to powers, and its slopes") {
  Random r(12);
  const Index n = 30;
  const Matrix X = r.matrix(n, 2), T = Matrix::Ones(n, 1);
  Vector y(n), power(n);
  for (Index i = 0; i < n; ++i)
    y(i) = std::sin(5 * X(i, 0)) + 0.2 * r.normal(), power(i) = r.uniform(0.01, 1);
  ExactEvidence evidence(X, y, power, T, Vector::Constant(1, 2.0), static_cast<double>(n) - power.sum());
  const auto value = [&](double log_noise) {
    return evidence(*make_kernel(kernel), std::exp(log_noise), 0.0);
  };
  const double at = std::log(0.05), h = 1e-5;
  LMatrix C = matrix(kernel, X, X) + LMatrix::Constant(n, n, 2.0);
  for (Index i = 0; i < n; ++i) C(i, i) += Real(0.05) / power(i);
  const Eigen::LLT<LMatrix> chol(C);
  Real log_p = -y.cast<Real>().dot(LVector(chol.solve(y.cast<Real>()))) / 2;
  for (Index i = 0; i < n; ++i) {
    log_p -= std::log(LMatrix(chol.matrixL())(i, i)) + std::log(2 * std::acos(Real(-1))) / 2;
    log_p += (1 - Real(power(i))) * std::log(Real(0.05)) / 2;
  }
  CHECK(std::abs(value(at).value - static_cast<double>(log_p)) < 1e-9 * std::abs(value(at).value));
  CHECK(std::abs((value(at + h).value - value(at - h).value) / (2 * h) - value(at).log_noise) < 1e-6);
}

TEST(
    "[derivation 19] rows to learn from count by their age, but for 200 at least; a memory keeps recent "
    "ones") {
  Sample rows{Matrix::Zero(500, 1), Vector::Zero(500), Vector::Ones(500), Vector::LinSpaced(500, 1, 500)};
  CHECK(aged(rows, Fading()).shares.size() == 0);
  CHECK(std::abs(aged(rows, {20.0}).shares.sum() - 200) < 0.01);
  const Vector slow = aged(rows, {400.0}).shares;
  CHECK(std::abs(slow(99) - 0.5) < 1e-12 && slow(499) == 1);
  const auto kept_after = [](Index cut) {
    Memory memory(100, 1);
    memory.set_half_life(500);
    for (Index from = 0; from < 20000; from += cut) {
      Matrix X = Vector::LinSpaced(cut, static_cast<double>(from), static_cast<double>(from + cut - 1));
      memory.add({X, Vector::Zero(cut), Vector::Ones(cut)});
    }
    return memory.numbers();
  };
  const Vector numbers = kept_after(20);
  CHECK(numbers == kept_after(2000));
  CHECK(numbers.size() <= 100 && numbers.size() > 80);
  const double typical = 20000 - numbers.head(80).mean();  // a mean age near 500 / log 2
  CHECK(typical > 350 && typical < 1500);
}
