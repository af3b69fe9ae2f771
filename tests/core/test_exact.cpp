// The exact evidence of rows at hand, and its slopes.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Problem {
  KernelSpec kernel;
  Matrix X;
  Vector y, weights;
  Matrix T;
  Vector known;
  double noise = 0.07, trend = 0.4;

  ExactEvidence evidence() const { return {X, y, weights, T, known}; }
  ExactSlope slope() const { return evidence()(*make_kernel(kernel), noise, trend); }
};

Problem problem(const KernelSpec& kernel, Index n, Index D, Random& r, bool weights, Index trend) {
  Problem out{kernel, r.matrix(n, D) * 2, Vector(n), Vector(), Matrix(n, 0), Vector()};
  for (Index i = 0; i < n; ++i) out.y(i) = 0.3 + std::sin(2 * out.X(i, 0)) + 0.2 * r.normal();
  if (weights) out.weights = r.matrix(n, 1).array() + 0.2;
  out.T.resize(n, std::min<Index>(trend, 1 + D));
  for (Index j = 0; j < out.T.cols(); ++j) out.T.col(j) = j == 0 ? Vector::Ones(n) : Vector(out.X.col(j - 1));
  if (trend > 0) out.known = Vector::Constant(1, 100.0);
  return out;
}

Real by_hand(const Problem& p) {
  const Index n = p.y.size();
  LMatrix C = matrix(p.kernel, p.X, p.X);
  for (Index j = 0; j < p.T.cols(); ++j) {
    const LVector t = p.T.col(j).cast<Real>();
    C += Real(j < p.known.size() ? p.known(j) : p.trend) * t * t.transpose();
  }
  for (Index i = 0; i < n; ++i) C(i, i) += Real(p.noise) / Real(p.weights.size() > 0 ? p.weights(i) : 1.0);
  const Eigen::LLT<LMatrix> chol(C);
  const LMatrix L = chol.matrixL();
  const LVector y = p.y.cast<Real>();
  return -(y.dot(chol.solve(y)) + 2 * L.diagonal().array().log().sum() +
           Real(n) * std::log(2 * std::acos(Real(-1)))) /
         2;
}

// By differences, once extrapolated.
template <class Move>
double difference(const Problem& at, const Move& move, double step = 1e-3) {
  const auto slope = [&](double h) {
    Problem up = at, down = at;
    move(up, h);
    move(down, -h);
    return static_cast<double>((by_hand(up) - by_hand(down)) / Real(2 * h));
  };
  return (4 * slope(step) - slope(2 * step)) / 3;
}

Vector all_slopes(const ExactSlope& of) {
  Vector out(of.kernel.size() + 2);
  out << of.kernel, of.log_noise, of.log_trend;
  return out;
}

void check_problem(const Problem& p) {
  const ExactSlope exact = p.slope();
  const double off = std::abs(exact.value - static_cast<double>(by_hand(p)));
  check::report(off < 1e-9 * (1 + std::abs(exact.value)), "value == by hand", __FILE__, __LINE__,
                p.kernel.name + ": off by " + std::to_string(off));
  const Vector here = log_parameters(p.kernel), slopes = all_slopes(exact);
  Vector differences(slopes.size());
  const std::vector<Parameter> all = make_kernel(p.kernel)->parameters();
  for (Index i = 0; i < here.size(); ++i) {
    const auto move = [&](Problem& to, double h) {
      Vector moved = here;
      moved(i) += h;
      to.kernel = with_log_parameters(p.kernel, moved);
    };
    // of one with many peaks the slope changes within a small step
    differences(i) = difference(p, move, all[static_cast<std::size_t>(i)].narrow ? 2e-5 : 1e-3);
  }
  differences(here.size()) = difference(p, [](Problem& to, double h) { to.noise *= std::exp(h); });
  differences(here.size() + 1) = difference(p, [](Problem& to, double h) { to.trend *= std::exp(h); });
  const double wrong = check::difference(slopes, differences);
  check::report(wrong < 1e-6, "slopes == differences", __FILE__, __LINE__,
                p.kernel.name + ": off by " + std::to_string(wrong * 1e6) + " x 1e-6");
}

}  // namespace

TEST(
    "[derivation 15] exact evidence: the density by hand and its differences, every kernel, weights, trend") {
  for (const auto& one : kernel_registry())
    for (unsigned seed = 0; seed < 6; ++seed) {
      Random r(200 + seed);
      const Index D = 1 + seed % 3;
      check_problem(problem(random_kernel(one.first, D, r), 25, D, r, seed % 2 == 1,
                            seed < 2   ? 0
                            : seed < 4 ? 1
                                       : 9));
    }
}

TEST("exact evidence: more rows than a panel has, rows on each other, a diagonal that is not 1") {
  Random r(3);
  Problem many = problem(random_kernel("sum", 2, r), 110, 2, r, true, 3);
  many.X.row(100) = many.X.row(2);
  check_problem(many);
  const WithLinearBrownian here;
  check_problem(problem(linear_brownian(0.7, 1.3, 0.5), 30, 2, r, true, 3));
}

TEST("exact evidence: without a trend it is the bound with every row a point") {
  Random r(5);
  for (const bool weighted : {false, true}) {
    const Problem p = problem(random_kernel("matern32", 2, r), 40, 2, r, weighted, 0);
    const StreamingGP empty = model(p.kernel, oips(0.9), p.noise, unlimited, 2);
    const Objective F(empty, p.X, p.y, p.weights);
    const Slope bound = F(Place{make_kernel(p.kernel), p.X, p.noise, 0.0}, false, nothing);
    const ExactSlope exact = p.slope();
    CHECK(std::abs(exact.value - bound.objective) < 1e-8 * std::abs(bound.objective));
    CHECK_CLOSE(exact.kernel, bound.kernel, 1e-8);
    CHECK(std::abs(exact.log_noise - bound.log_noise) < 1e-8 * std::abs(bound.log_noise));
  }
}

TEST("exact evidence: with little noise slopes are still differences") {
  Random r(6);
  Problem p = problem(simple("matern52", 1.5, 2.0, 2), 60, 2, r, false, 3);
  p.y = (2 * p.X.col(0)).array().sin();
  p.noise = 1e-6;
  check_problem(p);
}

TEST("exact evidence: no factor, no number; what cannot be right is refused") {
  Random r(7);
  Problem p = problem(simple("se", 50.0), 60, 1, r, false, 0);
  p.noise = -1e-3;
  const ExactSlope none = p.slope();
  CHECK(std::isnan(none.value) && std::isnan(none.log_noise) && none.kernel.array().isNaN().all());
  p.weights = Vector::Zero(60);
  CHECK_THROWS(p.slope(), "parameter");
  p.weights = Vector::Ones(59);
  CHECK_THROWS(p.slope(), "dimension");
}
