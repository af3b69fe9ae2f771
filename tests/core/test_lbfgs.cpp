// The search: highest values in boxes.
#include <Eigen/Dense>

#include "../../src/core/learn/lbfgs.h"
#include "check.h"

using namespace gpstream;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
void nothing() {}

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(engine() >> 11) / 9007199254740992.0;
  }
  Vector vector(Index n, double a, double b) {
    return Vector::NullaryExpr(n, [&] { return uniform(a, b); });
  }
};

// -x'Ax/2 + b'x; the eigenvalues of A go up to `condition`
struct Quadratic {
  Matrix A;
  Vector b;
  Quadratic(Index n, double condition, Random& r) : b(r.vector(n, -1, 1)) {
    const Matrix Q =
        Matrix(Matrix::NullaryExpr(n, n, [&] { return r.uniform(-1, 1); })).householderQr().householderQ();
    const Vector values = r.vector(n, 0, std::log(condition)).array().exp();
    A = Q * values.asDiagonal() * Q.transpose();
  }
  double operator()(const Vector& x, Vector& slope) const {
    const Vector Ax = A * x;
    slope = b - Ax;
    return b.dot(x) - 0.5 * x.dot(Ax);
  }
};

double rosenbrock(const Vector& x, Vector& slope) {
  double sum = 0;
  slope = Vector::Zero(x.size());
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const double u = x(i + 1) - x(i) * x(i), w = 1 - x(i);
    sum += 100 * u * u + w * w;
    slope(i) += 400 * u * x(i) + 2 * w;
    slope(i + 1) -= 200 * u;
  }
  return -sum;
}

// How far from the conditions of a maximum in the box: the slope where there is room, each part of it.
double slack(const Found& found, const Vector& slope, const Vector& lower, const Vector& upper) {
  double out = 0;
  for (Index i = 0; i < slope.size(); ++i) {
    if (slope(i) > 0 && found.at(i) < upper(i)) out = std::max(out, slope(i));
    if (slope(i) < 0 && found.at(i) > lower(i)) out = std::max(out, -slope(i));
  }
  return out;
}

const SearchOptions plain, tight{2000, 1e-15, 7};

template <class F>
Found free_search(F&& f, const Vector& start, const SearchOptions& options = plain) {
  const Vector ends = Vector::Constant(start.size(), infinity);
  return maximise(f, start, -ends, ends, options, nothing);
}

}  // namespace

TEST(
    "quadratics in random boxes: the conditions of Karush, Kuhn and Tucker hold, and few evaluations are "
    "needed") {
  int evaluations = 0, cases = 0, most = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random r(seed);
    const Index n = 1 + static_cast<Index>(r.uniform(0, seed % 10 == 0 ? 60 : 12));
    const Quadratic f(n, 100, r);
    Vector lower = r.vector(n, -1, 0.2), upper = lower + r.vector(n, 0, 1.5);
    for (Index i = 0; i < n; ++i) {
      const double kind = r.uniform(0, 1);
      if (kind < 0.1) lower(i) = -infinity;
      if (kind > 0.05 && kind < 0.15) upper(i) = infinity;
      if (kind > 0.95) upper(i) = lower(i);
    }
    const Vector start = r.vector(n, -2, 2);
    const Found found = maximise(f, start, lower, upper, tight, nothing);
    Vector slope;
    CHECK(f(found.at, slope) == found.value);
    CHECK((found.at.array() >= lower.array()).all() && (found.at.array() <= upper.array()).all());
    CHECK(slack(found, slope, lower, upper) < 1e-5 * (1 + found.at.cwiseAbs().maxCoeff()));
    const Found usual = maximise(f, start, lower, upper, plain, nothing);
    CHECK(usual.converged);
    CHECK(found.value - usual.value < 1e-5 * (1 + std::abs(found.value)));
    evaluations += usual.evaluations;
    most = std::max(most, usual.evaluations);
    ++cases;
  }
  CHECK(evaluations < 20 * cases);
  CHECK(most < 80);
}

TEST("Rosenbrock's valley, in 2 and 10 dimensions, with bounds and without") {
  for (const Index n : {2, 10}) {
    Vector start(n), slope;
    for (Index i = 0; i < n; ++i) start(i) = i % 2 ? 1.0 : -1.2;
    const Found free = free_search(rosenbrock, start);
    CHECK(free.converged && free.value > -1e-5);
    CHECK_CLOSE(free.at, Vector::Ones(n), 1e-2);
    CHECK(free.evaluations < (n == 2 ? 60 : 100));
    // the top is outside: the last parameter at 0.5, or the first at 1.5 or more
    Vector lower = Vector::Constant(n, -2), upper = Vector::Constant(n, 2);
    upper(n - 1) = 0.5;
    Found bound = maximise(rosenbrock, start, lower, upper, tight, nothing);
    rosenbrock(bound.at, slope);
    CHECK(bound.at(n - 1) == 0.5 && slope(n - 1) > 0);
    CHECK(slack(bound, slope, lower, upper) < 1e-5);
    lower(0) = 1.5;
    upper(n - 1) = 9;
    bound = maximise(rosenbrock, start, lower, upper, tight, nothing);
    rosenbrock(bound.at, slope);
    CHECK(bound.at(0) == 1.5 && slope(0) < 0);
    CHECK(slack(bound, slope, lower, upper) < 1e-5);
    const Found usual = maximise(rosenbrock, start, lower, upper, plain, nothing);
    CHECK(usual.evaluations < 80 && bound.value - usual.value < 1e-4 * (1 + std::abs(bound.value)));
  }
}

TEST("where the function is not finite the search goes back; at the start, it ends there") {
  int asked = 0;
  const auto f = [&](const Vector& x, Vector& slope) {  // the top, at 2, is beside the edge
    ++asked;
    slope = Vector::Constant(1, 1 / x(0) - 0.5);
    if (x(0) > 2.001) return std::nan("");
    return x(0) > 0 ? std::log(x(0)) - x(0) / 2 : -infinity;
  };
  for (const double start : {0.01, 0.5, 1.9}) {
    const Found found = free_search(f, Vector::Constant(1, start), tight);
    CHECK(std::abs(found.at(0) - 2) < 1e-5);
  }
  asked = 0;
  for (const double start : {-1.0, 3.0}) {
    const Found found = free_search(f, Vector::Constant(1, start));
    CHECK(found.evaluations == 1 && !found.converged && found.value == -infinity);
  }
  CHECK(asked == 2);
  CHECK(free_search(f, Vector::Constant(1, std::nan(""))).evaluations == 0);
  // a slope that is no number is as bad as such a value
  const auto edge = [](const Vector& x, Vector& slope) {
    slope = Vector::Constant(1, x(0) > 1 ? std::nan("") : 1.0);
    return x(0);
  };
  const Found found = free_search(edge, Vector::Zero(1));
  CHECK(found.at(0) <= 1 && found.at(0) > 0.9);
}

TEST("a start outside the box is brought in; one at the top, or in a corner that is, takes one evaluation") {
  Random r(1);
  const Quadratic f(5, 10, r);
  const Vector top = f.A.ldlt().solve(f.b);
  const Vector far = Vector::Constant(5, 100);
  Found found = maximise(f, top, -far, far, plain, nothing);
  CHECK(found.evaluations == 1 && found.converged && found.at == top);
  const auto hill = [](const Vector& x, Vector& slope) {
    CHECK(x.cwiseAbs().maxCoeff() <= 3);
    slope = Vector::Ones(2);
    return x.sum();
  };
  const Vector three = Vector::Constant(2, 3);
  found = maximise(hill, Vector::Constant(2, 50), -three, three, plain, nothing);
  CHECK(found.evaluations == 1 && found.converged && found.at == three);
  found = maximise(hill, Vector::Constant(2, -50), -three, three, plain, nothing);
  CHECK(found.converged && found.at == three);
  CHECK(found.evaluations <= 6);
  CHECK_THROWS(maximise(hill, Vector::Zero(1), -three, three, plain, nothing), "dimension");
}

TEST("a flat function, no parameters, no steps: one evaluation") {
  const auto flat = [](const Vector& x, Vector& slope) {
    slope = Vector::Zero(x.size());
    return 7.0;
  };
  for (const Index n : {0, 1, 3}) {
    const Found found = free_search(flat, Vector::Ones(n));
    CHECK(found.evaluations == 1 && found.converged && found.value == 7 && found.at == Vector::Ones(n));
  }
  SearchOptions none;
  none.steps = 0;
  const Found found = free_search(rosenbrock, Vector::Zero(2), none);
  CHECK(found.evaluations == 1 && !found.converged && found.value == -1);
}

TEST(
    "the value returned is the best that was seen, at the place it belongs to, whatever the number of "
    "steps") {
  double before = -infinity;
  for (int steps = 0; steps < 40; ++steps) {
    double best = -infinity;
    int asked = 0;
    const auto f = [&](const Vector& x, Vector& slope) {
      ++asked;
      const double value = rosenbrock(x, slope);
      best = std::max(best, value);
      return value;
    };
    SearchOptions options;
    options.steps = steps;
    Vector start(2), slope;
    start << -1.2, 1;
    const Found found = free_search(f, start, options);
    CHECK(found.value == best && found.evaluations == asked);
    CHECK(rosenbrock(found.at, slope) == found.value);
    CHECK(found.value >= before);
    CHECK(asked <= 1 + 2 * steps + 10);
    before = found.value;
  }
}

TEST("other units of the parameters or of the value change little") {
  Random r(5);
  const Quadratic f(8, 50, r);
  const Vector ends = Vector::Constant(8, 0.4), start = r.vector(8, -0.4, 0.4);
  const Found once = maximise(f, start, -ends, ends, plain, nothing);
  for (const double unit : {1e-6, 1e-2, 1e3, 1e6}) {
    const auto g = [&](const Vector& x, Vector& slope) {
      const double value = f(x / unit, slope);
      slope /= unit;
      return value;
    };
    const Found other = maximise(g, unit * start, -unit * ends, unit * ends, plain, nothing);
    CHECK_CLOSE(other.at / unit, once.at, 1e-3);
    CHECK(std::abs(other.evaluations - once.evaluations) <= 2);
    const auto h = [&](const Vector& x, Vector& slope) {
      const double value = unit * (f(x, slope) + 3);
      slope *= unit;
      return value;
    };
    if (unit < 1) continue;  // a value far below 1 counts as none: the rise is relative to 1 at least
    const Found taller = maximise(h, start, -ends, ends, plain, nothing);
    CHECK_CLOSE(taller.at, once.at, 1e-3);
    CHECK(std::abs(taller.evaluations - once.evaluations) <= 3);
  }
}

TEST("two thousand parameters, most of which end at a bound") {
  Random r(8);
  const Index n = 2000;
  const Vector curve = r.vector(n, 0, 5).array().exp(), at = r.vector(n, -3, 3), ends = Vector::Ones(n);
  const auto f = [&](const Vector& x, Vector& slope) {  // neighbours lean on each other
    const Vector off = x - at, tied = x.tail(n - 1) - x.head(n - 1);
    slope = -curve.cwiseProduct(off);
    slope.tail(n - 1) -= tied;
    slope.head(n - 1) += tied;
    return -0.5 * off.dot(curve.cwiseProduct(off)) - 0.5 * tied.squaredNorm();
  };
  const Found found = maximise(f, Vector::Zero(n), -ends, ends, tight, nothing);
  Vector slope;
  f(found.at, slope);
  CHECK(slack(found, slope, -ends, ends) < 1e-2);
  const Found usual = maximise(f, Vector::Zero(n), -ends, ends, plain, nothing);
  CHECK(usual.converged && usual.evaluations < 80);
  CHECK(std::abs(found.value - usual.value) < 1e-6 * std::abs(found.value));
}

TEST("the search can be stopped at every evaluation, and ends at a hole it cannot leave") {
  static int left;
  left = 5;
  const Checkpoint stop = [] { require(--left > 0, "interrupt", "stopped"); };
  const Vector ends = Vector::Constant(2, 5);
  Vector start(2);
  start << -1.2, 1;
  CHECK_THROWS(maximise(rosenbrock, start, -ends, ends, plain, stop), "interrupt");
  // a slope that points the wrong way
  const auto wrong = [](const Vector& x, Vector& slope) {
    slope = Vector::Ones(1);
    return -x(0);
  };
  const Found found = free_search(wrong, Vector::Zero(1));
  CHECK(!found.converged && found.value == 0 && found.evaluations < 25);
}
