// Variance, noise and mean from sums over the rows, against the rows.
#include <Eigen/Dense>

#include "../../src/core/learn/scale.h"
#include "check.h"

using namespace gpstream;

namespace {

constexpr double two_pi = 6.283185307179586;

// Rows with random features and residuals, weights that divide their noise, outputs measured from an offset.
struct Rows {
  Matrix W;  // M x n
  Vector y, residual, weight;
  double offset = 0;
};

double normal(std::mt19937_64& engine) {
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) / 9007199254740992.0; };
  const double r = std::sqrt(-2 * std::log(uniform()));
  return r * std::cos(two_pi * uniform());
}

Rows random_rows(unsigned seed, Index M, Index n, double v, double noise, double mean) {
  std::mt19937_64 engine(seed);
  const auto draw = [&](Index rows, Index cols) {
    return Matrix(Matrix::NullaryExpr(rows, cols, [&] { return normal(engine); }));
  };
  Rows out;
  out.W = draw(M, n);
  const Vector norms = out.W.colwise().norm();
  out.W *= (0.9 * norms.array().inverse()).matrix().asDiagonal();
  out.residual = 1 - out.W.colwise().squaredNorm().transpose().array();
  out.weight = draw(n, 1).array().exp();
  out.y = std::sqrt(v) * out.W.transpose() * draw(M, 1) +
          std::sqrt(noise) * (draw(n, 1).array() / out.weight.array().sqrt()).matrix();
  out.y.array() += mean;
  out.offset = mean - 0.3;
  return out;
}

ScaleSums sums_of(const Rows& rows) {
  const Vector y = rows.y.array() - rows.offset, &wt = rows.weight;
  const Matrix P = rows.W * wt.asDiagonal() * rows.W.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(P);
  ScaleSums out;
  out.lambda = eigen.eigenvalues();
  out.g = eigen.eigenvectors().transpose() * (rows.W * wt.cwiseProduct(y));
  out.q = eigen.eigenvectors().transpose() * (rows.W * wt);
  out.n = static_cast<double>(y.size());
  out.so = wt.sum();
  out.sg = wt.dot(y);
  out.yy = wt.dot(y.cwiseAbs2());
  out.tau = wt.dot(rows.residual);
  out.con = 0.5 * (wt.array() / two_pi).log().sum();
  out.offset = rows.offset;
  return out;
}

// log N(y | mean, v W'W + s2 / weights) - v / (2 s2) sum of weighted residuals
double direct(const Rows& rows, const ScaleValues& at) {
  Matrix C = at.variance * rows.W.transpose() * rows.W;
  C.diagonal() += at.noise * rows.weight.cwiseInverse();
  const Eigen::LLT<Matrix> chol(C);
  const Vector z = chol.matrixL().solve((rows.y.array() - at.mean).matrix());
  const double half_log_det = chol.matrixLLT().diagonal().array().log().sum();
  return -half_log_det - 0.5 * z.squaredNorm() - 0.5 * static_cast<double>(rows.y.size()) * std::log(two_pi) -
         0.5 * at.variance / at.noise * rows.weight.dot(rows.residual);
}

bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

const ScaleOpen everything{true, true, true};

}  // namespace

TEST("the objective as a function of variance, noise and mean is that of the rows [derivation 3]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Rows rows = random_rows(seed, 1 + seed % 7, 40, 2, 0.3, 5);
    if (seed % 2) rows.weight.setOnes();
    const ScaleSums sums = sums_of(rows);
    for (const ScaleValues& at : {ScaleValues{1, 1, 0}, ScaleValues{3, 0.01, 5}, ScaleValues{1e-3, 4, -2}})
      CHECK(close(scale_objective(sums, at), direct(rows, at), 1e-10));
  }
}

TEST("the best scale is the best: no neighbour is better, for all that is open; what is not stays") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    Rows rows = random_rows(seed, 6, 80, 2, 0.3, 5);
    if (seed % 3 == 0) rows.weight.setOnes();
    const ScaleSums sums = sums_of(rows);
    const ScaleValues now{0.8, 0.6, 4.5};
    const ScaleOpen open{(seed & 1) != 0, (seed & 2) != 0, (seed & 4) != 0};
    const BestScale best = best_scale(sums, now, open);
    CHECK(close(best.objective, direct(rows, best.scale), 1e-9));
    CHECK(open.variance || best.scale.variance == now.variance);
    CHECK(open.noise || best.scale.noise == now.noise);
    CHECK(open.mean || best.scale.mean == now.mean);
    CHECK(!best.no_signal && !best.no_noise);
    CHECK(best.objective >= scale_objective(sums, now));
    for (const double step : {-0.1, -1e-3, 1e-3, 0.1}) {
      const ScaleValues& b = best.scale;
      if (open.variance) CHECK(direct(rows, {b.variance * (1 + step), b.noise, b.mean}) < best.objective);
      if (open.noise) CHECK(direct(rows, {b.variance, b.noise * (1 + step), b.mean}) < best.objective);
      if (open.mean) CHECK(direct(rows, {b.variance, b.noise, b.mean + step}) < best.objective);
      if (open.variance && open.noise)
        CHECK(direct(rows, {b.variance * (1 + step), b.noise * (1 + step), b.mean}) < best.objective);
    }
  }
}

TEST("a row with weight B says of variance and mean what B rows at the same place with its output do") {
  const Rows few = random_rows(3, 5, 30, 2, 0.3, 5);
  Rows weighted = few, copies = few;
  const Index B = 4, n = few.y.size();
  weighted.weight = Vector::Constant(n, B);
  copies.W = few.W.replicate(1, B);
  copies.y = few.y.replicate(B, 1);
  copies.residual = few.residual.replicate(B, 1);
  copies.weight = Vector::Ones(B * n);
  const ScaleValues now{1, 0.4, 0};
  const ScaleOpen open{true, false, true};
  const ScaleValues a = best_scale(sums_of(weighted), now, open).scale,
                    b = best_scale(sums_of(copies), now, open).scale;
  CHECK(close(a.variance, b.variance, 1e-7) && close(a.mean, b.mean, 1e-9));
  // the mean is that of weighted least squares
  const ScaleSums sums = sums_of(few);
  const ScaleValues best = best_scale(sums, now, open).scale;
  Matrix C = best.variance * few.W.transpose() * few.W;
  C.diagonal() += now.noise * few.weight.cwiseInverse();
  const Vector ones = C.ldlt().solve(Vector::Ones(n));
  CHECK(close(best.mean, ones.dot(few.y) / ones.sum(), 1e-9));
  // weights that are all doubled double the noise, and the variance stays
  Rows doubled = few;
  doubled.weight *= 2;
  const ScaleValues one = best_scale(sums, now, everything).scale,
                    two = best_scale(sums_of(doubled), now, everything).scale;
  CHECK(close(two.noise, 2 * one.noise, 1e-6) && close(two.variance, one.variance, 1e-6));
}

TEST("units of the output are those of the answer") {
  const Rows rows = random_rows(4, 5, 50, 2, 0.3, 5);
  const BestScale once = best_scale(sums_of(rows), {1, 1, 0}, everything);
  for (const double unit : {1e-6, 1e6}) {
    Rows other = rows;
    other.y *= unit;
    other.offset *= unit;
    const BestScale best = best_scale(sums_of(other), {1, 1, 0}, everything);
    CHECK(close(best.scale.variance / (unit * unit), once.scale.variance, 1e-6));
    CHECK(close(best.scale.noise / (unit * unit), once.scale.noise, 1e-6));
    CHECK(close(best.scale.mean / unit, once.scale.mean, 1e-8));
    CHECK(close(best.objective + 50 * std::log(unit), once.objective, 1e-9));
  }
}

TEST("no signal, or no noise: the ends of the range are said") {
  Rows rows = random_rows(7, 3, 60, 1, 1, 0);
  rows.weight.setOnes();
  // outputs at right angles to all features and to the constant
  Matrix seen(60, 4);
  seen << rows.W.transpose(), Vector::Ones(60);
  const Matrix Q = Matrix(seen.householderQr().householderQ()).leftCols(4);
  Rows noise = rows;
  noise.y -= Q * (Q.transpose() * noise.y);
  noise.offset = 0;
  CHECK(best_scale(sums_of(noise), {1, 1, 0}, everything).no_signal);
  Rows signal = rows;
  signal.y = rows.W.transpose() * Vector::LinSpaced(3, 1, 2);
  signal.residual.setZero();
  signal.offset = 0;
  const BestScale best = best_scale(sums_of(signal), {1, 1, 0}, everything);
  CHECK(best.no_noise && !best.no_signal);
  CHECK(best.scale.noise > 0 && std::isfinite(best.objective));
}

TEST(
    "learned: never worse than before; nothing to learn from is an error, or nothing where the model asks "
    "itself") {
  const ScaleValues now{1, 0.5, 2};
  Rows rows = random_rows(9, 4, 30, 2, 0.3, 5);
  const ScaleSums sums = sums_of(rows);
  CHECK(learned_scale(sums, now, everything, true).objective > scale_objective(sums, now));
  const BestScale top = best_scale(sums, now, everything);
  CHECK(learned_scale(sums, top.scale, everything, false).objective >= scale_objective(sums, top.scale));
  const BestScale same = learned_scale(sums, now, {false, false, false}, false);
  CHECK(same.scale.variance == 1 && same.scale.noise == 0.5 && same.scale.mean == 2);

  Rows constant = rows;
  constant.y.setConstant(7);
  Rows one = rows;
  one.W = rows.W.leftCols(1);
  one.y = rows.y.head(1);
  one.residual = rows.residual.head(1);
  one.weight = rows.weight.head(1);
  for (const Rows* poor : {&constant, &one}) {
    const ScaleSums little = sums_of(*poor);
    CHECK_THROWS(learned_scale(little, now, everything, false), "input");
    const BestScale kept = learned_scale(little, now, everything, true);
    CHECK(kept.scale.variance == 1 && kept.scale.noise == 0.5 && kept.scale.mean == 2);
  }
  // a mean that is given and missed by all outputs does say something
  CHECK(nothing_to_scale(sums_of(constant), now, {true, true, false}) == nullptr);
}

TEST("by itself a model takes no mean far from the outputs: it takes their average") {
  // one feature, nearly constant, so that the outputs, far from 0, can be signal as well as mean
  std::mt19937_64 engine(2);
  const Index n = 40;
  Rows rows;
  rows.W = Matrix::Ones(1, n);
  for (Index i = 0; i < n; ++i) rows.W(0, i) = 0.9 + 0.05 * std::sin(static_cast<double>(i));
  rows.residual = 1 - rows.W.row(0).transpose().array().square();
  rows.weight = Vector::Ones(n);
  rows.y = 10 * rows.W.row(0).transpose();
  for (Index i = 0; i < n; ++i) rows.y(i) += 0.01 * normal(engine);
  rows.residual.setZero();
  const ScaleSums sums = sums_of(rows);
  const ScaleValues now{1, 1, 0};
  const double average = rows.y.mean(), sd = std::sqrt((rows.y.array() - average).square().mean());
  const BestScale loud = learned_scale(sums, now, everything, false),
                  quiet = learned_scale(sums, now, everything, true);
  CHECK(std::abs(loud.scale.mean - average) > sd);
  CHECK(close(quiet.scale.mean, average, 1e-12));
  CHECK(quiet.objective <= loud.objective && quiet.objective > scale_objective(sums, now));
  // where that would be worse than what it has, it keeps what it has
  const BestScale kept = learned_scale(sums, loud.scale, everything, true);
  CHECK(kept.scale.mean == loud.scale.mean && kept.scale.noise == loud.scale.noise);
}

TEST("no features: all is noise; a likelihood without noise has none to learn") {
  Rows rows = random_rows(1, 3, 20, 1, 1, 0);
  ScaleSums sums = sums_of(rows);
  sums.lambda = sums.g = sums.q = Vector(0);
  const BestScale best = best_scale(sums, {1, 1, 0}, everything);
  const double mean = rows.weight.dot(rows.y) / rows.weight.sum();
  CHECK(close(best.scale.mean, mean, 1e-10));
  CHECK(close(best.scale.noise, rows.weight.dot((rows.y.array() - mean).square().matrix()) / 20, 1e-8));
  sums = sums_of(rows);
  sums.kappa = 0;
  CHECK_THROWS(best_scale(sums, {1, 1, 0}, everything), "input");
  const BestScale fixed = best_scale(sums, {1, 1, 0}, {true, false, true});
  CHECK(fixed.scale.noise == 1);
  CHECK(close(fixed.objective, direct(rows, fixed.scale), 1e-9));
}
