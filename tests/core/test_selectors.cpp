// The selectors other than OIPS: the conditional variance, the k nearest, greedy choice, the grid, and points
// proposed by the caller.
#include "../../src/core/select/bound_gain.h"
#include "../../src/core/select/correlation.h"
#include "../../src/core/select/proposed.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

SelectorSpec rule(const std::string& name, const std::map<std::string, double>& numbers,
                  const std::string& criterion = "bound") {
  return {name, numbers, Matrix(), {{"criterion", criterion}}, false};
}
SelectorSpec variance(double tol, double max_points = 1e9) {
  return rule("variance", {{"tol", tol}, {"max_points", max_points}});
}

PointSet alone(const KernelSpec& k, const SelectorSpec& s, const Matrix& X, Index cut) {
  PointSet set(make_kernel(k), make_selector(s), X.cols());
  for (Index start = 0; start < X.rows(); start += cut)
    set.update(X.middleRows(start, std::min(cut, X.rows() - start)), nothing);
  return set;
}

// What Z leaves of the variance of every row of X, by one dense solve: as it is, and as a share.
Vector left_of(const KernelSpec& k, const Matrix& Z, const Matrix& X) {
  const LMatrix W = Eigen::LLT<LMatrix>(matrix(k, Z, Z)).matrixL().solve(matrix(k, Z, X));
  LVector own(X.rows());
  for (Index i = 0; i < X.rows(); ++i) own(i) = value(k, X.row(i), X.row(i));
  return ((own - W.colwise().squaredNorm().transpose()) / Real(k.variance)).cast<double>();
}
Vector residual(const KernelSpec& k, const Matrix& Z, const Matrix& X) {
  return left_of(k, Z, X).cwiseQuotient(left_of(k, Matrix(0, X.cols()), X));
}

Matrix rows_of(const Matrix& X, const std::vector<double>& index) {
  Matrix out(static_cast<Index>(index.size()), X.cols());
  for (std::size_t i = 0; i < index.size(); ++i)
    out.row(static_cast<Index>(i)) = X.row(static_cast<Index>(index[i]) - 1);
  return out;
}

int calls;
void stop_at_second() {
  if (++calls > 1) throw Error("interrupt", "");
}

}  // namespace

TEST("the variance rule is its definition, however the stream is cut and whatever the signal variance") {
  Random r(11);
  const WithLinearBrownian registered;
  const std::vector<std::string> names = kernel_names();
  for (int stream = 0; stream < 80; ++stream) {
    const Index D = 1 + stream % 3, n = 80;
    const double tol = r.uniform(0.01, 0.6);
    const KernelSpec k = random_kernel(names[static_cast<std::size_t>(stream) % names.size()], D, r);
    const Matrix X = r.matrix(n, D) * 2;
    std::vector<double> expected;
    for (Index i = 0; i < n; ++i) {
      const bool covered =
          !expected.empty() && residual(k, rows_of(X, expected), X.middleRows(i, 1))(0) <= tol;
      if (!covered) expected.push_back(static_cast<double>(i) + 1);
    }
    for (Index cut : {Index(1), Index(7), n})
      CHECK(alone(with_variance(k, r.uniform(0.01, 100)), variance(tol), X, cut).index() == expected);
    Matrix own = correlations(k, rows_of(X, expected), rows_of(X, expected));
    own.diagonal().setZero();
    CHECK(own.maxCoeff() < std::sqrt(1 - tol) && residual(k, rows_of(X, expected), X).maxCoeff() <= tol);
  }
}

TEST("the variance rule: blocks, batches, and with or without a model") {
  Random r(12);
  const Matrix X = r.matrix(700, 2) * 3;  // three blocks
  const KernelSpec k = simple("matern32", 0.7);
  const PointSet whole = alone(k, variance(0.1), X, 700);
  CHECK(whole.points().rows() > 30 && residual(k, whole.points(), X).maxCoeff() <= 0.1 + 1e-12);
  CHECK(alone(k, variance(0.1), X, 300).index() == whole.index());
  CHECK(alone(k, variance(0.1), X, 1).index() == whole.index());
  for (Index cut : {Index(700), Index(23)}) {
    StreamingGP gp = model(k, variance(0.1), 0.1, 30, 2);
    stream(gp, X, X.col(0), cut);
    CHECK(gp.state().counters.refused == 0 && Matrix(gp.points()) == Matrix(whole.points()));
  }
  StreamingGP small = model(k, variance(0.1, 10), 0.1, 30, 2);
  CHECK(!small.update(X, X.col(0), nothing, true) && small.size() == 0 &&
        small.state().counters.turned_away == 0);
  CHECK(small.update(X, X.col(0), nothing) && small.size() == 10 && small.state().counters.turned_away > 0);
  CHECK(Matrix(small.points()) == Matrix(whole.points()).topRows(10));
  PointSet set(make_kernel(k), make_selector(variance(0.1, 10)), 2);
  CHECK(set.update(X, nothing) == small.state().counters.turned_away);
  CHECK_THROWS(make_selector(variance(1)), "parameter");
  for (const char* name : {"grid", "greedy", "kmeans", "random", "kdpp"}) {
    CHECK_THROWS(make_selector(rule(name, {{"m", std::nan("")}})), "parameter");
    CHECK_THROWS(make_selector(rule(name, {})), "parameter");
  }
}

TEST("the k nearest points: mean or median of their correlations, however the stream is cut") {
  Random r(18);
  const WithLinearBrownian registered;
  const std::vector<std::string> names = kernel_names();
  for (int stream = 0; stream < 60; ++stream) {
    const Index D = 1 + stream % 3, n = 80;
    const double rho = r.uniform(0.2, 0.9);
    const std::size_t k = 1 + static_cast<std::size_t>(stream) % 6;
    const bool median = stream % 2 == 1;
    const KernelSpec kernel = random_kernel(names[static_cast<std::size_t>(stream) % names.size()], D, r);
    const Matrix X = r.matrix(n, D) * 2;
    const Matrix C = correlations(kernel, X, X);
    std::vector<double> expected;
    for (Index i = 0; i < n; ++i) {
      std::vector<double> alike;
      for (const double j : expected) alike.push_back(C(static_cast<Index>(j) - 1, i));
      std::sort(alike.rbegin(), alike.rend());
      alike.resize(std::min(k, alike.size()));
      double what = 0;
      for (const double one : alike) what += one / static_cast<double>(alike.size());
      const std::size_t m = alike.size();
      if (median && m > 0) what = m % 2 == 1 ? alike[m / 2] : (alike[m / 2 - 1] + alike[m / 2]) / 2;
      if (alike.empty() || what < rho) expected.push_back(static_cast<double>(i) + 1);
    }
    SelectorSpec s = rule("knearest", {{"k", static_cast<double>(k)}, {"rho", rho}, {"max_points", 1e9}});
    s.words["statistic"] = median ? "median" : "mean";
    for (Index cut : {Index(1), Index(7), n})
      CHECK(alone(with_variance(kernel, r.uniform(0.01, 100)), s, X, cut).index() == expected);
  }
  SelectorSpec s = rule("knearest", {{"k", 2.5}, {"rho", 0.5}, {"max_points", 9}});
  s.words["statistic"] = "mean";
  CHECK_THROWS(make_selector(s), "parameter");
  s.numbers["k"] = 2;
  s.words["statistic"] = "mode";
  CHECK_THROWS(make_selector(s), "parameter");
  // one nearest point is OIPS
  const Matrix X = r.matrix(200, 2) * 3;
  s.words["statistic"] = "median";
  s.numbers = {{"k", 1}, {"rho", 0.7}, {"max_points", 1e9}};
  CHECK(alone(simple("se", 0.7), s, X, 40).index() == alone(simple("se", 0.7), oips(0.7), X, 40).index());
}

TEST("by noise: points leave no more of a row than tol times the noise, whatever the row's own variance") {
  Random r(19);
  KernelSpec walk;
  walk.name = "brownian";
  walk.fixed = {{"origin", Vector::Zero(1)}, {"scale", Vector::Ones(1)}};
  const KernelPtr kernel = make_kernel(walk);
  const Matrix X = r.matrix(400, 1);
  PointSet set(kernel, make_selector(rule("noise", {{"tol", 1}, {"max_points", 1e9}})), 1);
  set.update(X, nothing, 1.0, 0.01);
  const Matrix Z = set.points(), K = kernel->value(Z, Z), k = kernel->value(Z, X);
  const Vector left = X.col(0) - k.cwiseProduct(K.ldlt().solve(k)).colwise().sum().transpose();
  CHECK(left.maxCoeff() <= 0.01 * (1 + 1e-6));
  // what two points 0.04 apart leave between them is 0.01: few are needed, and no more of them at the origin
  CHECK(Z.rows() < 80 && (Z.array() < 0.1).count() < 12);
  PointSet two(kernel, make_selector(rule("noise", {{"tol", 1}, {"max_points", 1e9}})), 1);
  two.update((Matrix(2, 1) << 0.06, 0.008).finished(), nothing, 1.0, 0.01);
  CHECK(two.points().rows() == 1);
}

TEST("greedy by variance is pivoted Cholesky, and goes on from the points there are") {
  const WithLinearBrownian registered;
  Random r(13);
  const Matrix X = r.matrix(60, 2) * 2;
  for (const KernelSpec& k : {simple("se", 0.8), linear_brownian(0.8, 2),
                              composite("sum", simple("se", 0.8), linear_brownian(1, 2))}) {
    const SelectorSpec s = rule("greedy", {{"m", 12}}, "variance");
    std::vector<double> expected;
    const auto choose = [&](Index from, Index to, std::size_t m) {
      while (expected.size() < m) {
        Index best = 0;
        left_of(k, rows_of(X, expected), X.middleRows(from, to - from)).maxCoeff(&best);
        expected.push_back(static_cast<double>(from + best) + 1);
      }
    };
    expected.push_back(1);  // where all have the same variance, the first
    if (!make_kernel(k)->unit_diagonal()) expected.clear();
    choose(0, 60, 12);
    CHECK(alone(k, s, X, 60).index() == expected);
    CHECK(alone(k, s, X.topRows(8), 8).points().rows() == 8);
    expected = alone(k, s, X.topRows(8), 8).index();
    choose(8, 60, 12);
    PointSet set(make_kernel(k), make_selector(s), 2);
    StreamingGP gp = model(k, s, 0.1, 30, 2);
    for (const auto& part : {std::make_pair(0, 8), std::make_pair(8, 52)}) {
      set.update(X.middleRows(part.first, part.second), nothing);
      gp.update(X.middleRows(part.first, part.second), X.col(0).segment(part.first, part.second), nothing);
    }
    CHECK(set.index() == expected && Matrix(gp.points()) == Matrix(set.points()));
  }
}

TEST(
    "[Titsias09] greedy by bound takes the row that raises F most, at every step, and the gain is the rise") {
  Random r(14);
  const WithLinearBrownian registered;
  for (const char* name : {"se", "matern12", "rq", "linear_brownian"}) {
    const Matrix X = r.matrix(40, 2) * 2;
    const Vector y = X.col(0).array().sin() + 0.3 * X.col(1).array() - 0.5;
    const KernelSpec k = simple(name, 0.7, 1.7);
    const double s2 = 0.05;
    const auto F = [&](const Matrix& Z) { return batch(k, Z, X, y, s2, X.topRows(1)).objective; };
    StreamingGP gp = model(k, rule("greedy", {{"m", 9}}), s2, 0, 2);
    gp.grow(X.topRows(2), y.head(2), nothing);  // two points are there, chosen from other rows
    Matrix Z = gp.points();
    std::vector<Index> all(40);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    BoundGain gain(gp.state().basis, gp.kernel(), X, y, all, k.variance, s2);
    gp.grow(X, y, nothing);
    CHECK(gp.size() == 9);
    for (Index M = Z.rows(); M < 9; ++M) {
      const double now = F(Z);
      Matrix with(M + 1, 2);
      with.topRows(M) = Z;
      double best = -1e300;
      Index chosen = -1;
      for (Index i = 0; i < 40; ++i) {
        if (residual(k, Z, X.middleRows(i, 1))(0) <= 1e-8) continue;
        with.row(M) = X.row(i);
        const double rise = F(with) - now;
        CHECK(std::abs(gain.gain(i) - rise) <= 1e-8 * std::max(1.0, std::abs(rise)));
        best = std::max(best, rise);
        if (with.row(M) == gp.points().row(M)) chosen = i;
      }
      Z = gp.points().topRows(M + 1);
      CHECK(chosen >= 0 && F(Z) - now >= best - 1e-9 * std::abs(best));
      gain.joined(chosen);
    }
  }
}

TEST("greedy by bound stops when nothing is to be gained") {
  Matrix X(5, 1);
  X << 0, 0, 1, 1, 0;
  StreamingGP gp = model(simple("se", 1), rule("greedy", {{"m", 5}}), 0.1, 30, 1);
  gp.update(X, Vector::Ones(5), nothing);
  CHECK(gp.size() == 2 && gp.state().counters.refused == 0);
}

TEST("the grid spans the stream, the two far corners first, and is laid anew when the stream leaves it") {
  Random r(15);
  const Matrix X = r.matrix(50, 3) * 2;
  PointSet set(make_kernel(simple("se", 1)), make_selector(rule("grid", {{"m", 27.0}})), 3);
  set.update(X, nothing);
  CHECK(set.points().rows() == 27);  // although pow(27, 1/3) < 3
  CHECK(RowVector(set.points().row(0)) == RowVector(X.colwise().minCoeff()));
  CHECK(RowVector(set.points().row(1)) == RowVector(X.colwise().maxCoeff()));
  const Matrix before = set.points();
  set.update(X.topRows(7), nothing);
  CHECK(Matrix(set.points()) == before);
  set.update(Matrix::Constant(1, 3, 5.0), nothing);
  CHECK(RowVector(set.points().colwise().maxCoeff()) == RowVector::Constant(3, 5.0));
  CHECK(RowVector(set.points().colwise().minCoeff()) == RowVector(X.colwise().minCoeff()));
  CHECK(set.index() == std::vector<double>(27, 0.0));
  CHECK_THROWS(alone(simple("se", 1), rule("grid", {{"m", 7}}), X, 50), "parameter");

  Matrix flat = X;
  flat.col(1).setConstant(0.3);
  PointSet thin(make_kernel(simple("se", 1)), make_selector(rule("grid", {{"m", 8}})), 3);
  thin.update(flat, nothing);
  CHECK(thin.points().rows() == 4 && (thin.points().col(1).array() == 0.3).all());
  thin.update(X, nothing);
  CHECK(thin.points().rows() == 8);
}

TEST(
    "a model on a grid: rows that the look-back holds are exact after a move; a stopped update leaves it as "
    "it was") {
  Random r(16);
  const Matrix X = r.matrix(60, 2) * 2, at = r.matrix(20, 2) * 2;
  const Vector y = X.col(0).array().sin();
  const KernelSpec k = simple("matern52", 1);
  StreamingGP gp = model(k, rule("grid", {{"m", 16}}), 0.1, 1000, 2);
  stream(gp, X, y, 6);
  const Answer truth = batch(k, gp.points(), X, y, 0.1, at);
  const Prediction p = predict(gp, at, true, nothing);
  CHECK(gp.size() == 16 && RowVector(gp.points().row(1)) == RowVector(X.colwise().maxCoeff()));
  CHECK_CLOSE(p.mean, truth.mean, 1e-10);
  CHECK_CLOSE(p.variance, truth.variance, 1e-10);

  const Matrix Z = gp.points();
  const double F = gp.objective();
  const Matrix wide = r.matrix(2000, 2) * 9;
  calls = 0;
  CHECK_THROWS(gp.update(wide, wide.col(0), stop_at_second), "interrupt");
  CHECK(Matrix(gp.points()) == Z && gp.objective() == F && gp.state().counters.seen == 60);
}

TEST("a grid finer than the kernel can tell still spans the stream") {
  Random r(17);
  const Matrix X = r.matrix(40, 1);
  StreamingGP gp = model(simple("se", 3), rule("grid", {{"m", 50}}), 0.1, 30, 1);
  stream(gp, X, X.col(0), 5);
  CHECK(gp.state().counters.refused > 0);
  CHECK(gp.points().col(0).maxCoeff() == X.maxCoeff() && gp.points().col(0).minCoeff() == X.minCoeff());
}

TEST("proposed points join up to m, and nothing else does") {
  static Proposal proposal;
  const Proposer before = propose;
  propose = [](const SelectorSpec&, const ConstMatrixView&, const Kernel&, Index) { return proposal; };
  const Matrix X = Vector::LinSpaced(3, 0, 1);
  PointSet set(make_kernel(simple("se", 1)), make_selector(rule("random", {{"m", 3}})), 1);
  set.update(X, nothing);
  CHECK(set.points().rows() == 0);
  proposal = {Vector::LinSpaced(4, 0, 9), (Vector(4) << -1, 2, 0, 1).finished()};
  set.update(X, nothing);
  CHECK(Matrix(set.points()) == proposal.points.topRows(3) && set.index() == std::vector<double>({0, 6, 4}));
  StreamingGP gp = model(simple("se", 1), rule("kmeans", {{"m", 3}}), 0.1, 30, 1);
  gp.update(X, X.col(0), nothing);
  CHECK(Matrix(gp.points()) == proposal.points.topRows(3));
  proposal = {Matrix::Zero(1, 2), Vector::Zero(1)};
  StreamingGP other = model(simple("se", 1), rule("kdpp", {{"m", 3}}), 0.1, 30, 1);
  CHECK_THROWS(other.update(X, X.col(0), nothing), "dimension");
  propose = before;
}
