// Other points, another kernel.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Problem {
  Matrix X, at;
  Vector y;
};
Problem problem(unsigned seed, Index n, Index D) {
  Random r(seed);
  Problem p{r.matrix(n, D) * 3, r.matrix(40, D) * 3, Vector(n)};
  for (Index i = 0; i < n; ++i) p.y(i) = std::sin(2 * p.X(i, 0)) + 0.1 * r.normal();
  return p;
}

}  // namespace

TEST("rebase to the same Z is the identity, bitwise") {
  const Problem p = problem(1, 150, 2);
  StreamingGP gp = model(simple("se", 0.9), oips(0.7), 0.02, 30, 2);
  stream(gp, p.X, p.y, 10);
  const StreamingGP before = gp;
  gp.rebase(make_kernel(simple("se", 0.9)), Matrix(gp.points()));
  CHECK(lower(gp.state().settled.P.view()) == lower(before.state().settled.P.view()));
  CHECK(gp.state().settled.b.view() == before.state().settled.b.view());
  CHECK(predict(gp, p.at, true, nothing).variance == predict(before, p.at, true, nothing).variance);
}

TEST(
    "rebase to a superset is exact: the posterior of the old points does not move, and new rows count in "
    "full") {
  const Problem p = problem(2, 150, 1);
  for (Index lookback : {Index(0), unlimited}) {
    StreamingGP gp = model(simple("matern32", 0.9), oips(0.6), 0.02, lookback, 1);
    stream(gp, p.X, p.y, 10);
    const Index M = gp.size();
    const PointPosterior before = point_posterior(gp);
    Matrix Z(M + 3, 1);
    Z << 0.11, gp.points(), 1.73, 2.51;
    gp.rebase(make_kernel(simple("matern32", 0.9)), Z);
    CHECK(gp.size() == M + 3);
    if (lookback == 0) {
      const PointPosterior after = point_posterior(gp);
      CHECK_CLOSE(after.mean.head(M).eval(), before.mean, 1e-12);
      CHECK_CLOSE(after.covariance.topLeftCorner(M, M).eval(), before.covariance, 1e-12);
    } else {
      const Answer truth = reference::batch(simple("matern32", 0.9), gp.points(), p.X, p.y, 0.02, p.at);
      CHECK_CLOSE(predict(gp, p.at, true, nothing).mean, truth.mean, 1e-10);
      CHECK_CLOSE(predict(gp, p.at, true, nothing).variance, truth.variance, 1e-10);
    }
  }
}

// Dense, in u-space: precision A = kappa' D^-1 kappa with kappa = K_{Z'Z} K_Z^-1, all under the new kernel.
// [derivation 4]
TEST("rebase to other points and another kernel is the dense formula, with and without rows in the window") {
  const Problem p = problem(3, 120, 2);
  const Real s2 = 0.03;
  for (const bool change_kernel : {false, true})
    for (const Index lookback : {Index(0), Index(15)}) {
      const KernelSpec from = simple("se", 0.9, 1.2),
                       to = change_kernel ? simple("matern52", 1.1, 0.8) : from;
      StreamingGP gp = model(from, oips(0.7), static_cast<double>(s2), lookback, 2);
      stream(gp, p.X, p.y, 8);
      // the evidence of the rows that left the window, as natural parameters of u'
      const Matrix Z_old = gp.points();
      const Index M_old = Z_old.rows(), n = p.X.rows();
      KernelSpec unit = from;
      unit.variance = 1;
      const LMatrix L_old = LMatrix(Eigen::LLT<LMatrix>(reference::matrix(unit, Z_old, Z_old)).matrixL());
      const LMatrix P = symmetric(gp.state().settled.P.view()).cast<Real>();
      const LVector b = Vector(gp.state().settled.b.view()).cast<Real>();
      const auto Lt = L_old.transpose().triangularView<Eigen::Upper>();
      const LMatrix half = Lt.solve(P);
      const LMatrix precision = Lt.solve(LMatrix(half.transpose())) / s2;
      const LVector linear = Lt.solve(b) / s2;

      Matrix Z(10, 2);
      Random r(7);
      Z << Z_old.topRows(4), r.matrix(6, 2) * 3;
      gp.rebase(make_kernel(to), Z);
      const Matrix Z_new = gp.points();
      const Eigen::LLT<LMatrix> Kz(reference::matrix(to, Z_new, Z_new));
      const LMatrix kappa_old = Kz.solve(reference::matrix(to, Z_new, Z_old)).transpose();
      LMatrix total = kappa_old.transpose() * precision * kappa_old;
      LVector total_linear = kappa_old.transpose() * linear;
      if (lookback > 0) {
        const LMatrix kappa = Kz.solve(reference::matrix(to, Z_new, p.X.bottomRows(lookback))).transpose();
        total += kappa.transpose() * kappa / s2;
        total_linear += kappa.transpose() * p.y.tail(lookback).cast<Real>() / s2;
      }
      const LMatrix I = LMatrix::Identity(Z_new.rows(), Z_new.rows());
      const LMatrix Sigma = Eigen::LLT<LMatrix>(LMatrix(Kz.solve(I) + total)).solve(I);
      const PointPosterior u = point_posterior(gp);
      CHECK_CLOSE(u.mean, LVector(Sigma * total_linear).cast<double>(), 1e-8);
      CHECK_CLOSE(u.covariance, Sigma.cast<double>(), 1e-8);
      CHECK(gp.state().counters.seen == static_cast<double>(n) && M_old > 10);
    }
}

TEST("rebase to fewer points is the model trained with them, when the data were absorbed with more") {
  const Problem p = problem(4, 100, 1);
  Random r(8);
  const Matrix Z = r.matrix(9, 1) * 3;
  StreamingGP large = model(simple("matern52", 1), fixed(Z), 0.02, 0, 1),
              small = model(simple("matern52", 1), fixed(Z.bottomRows(5)), 0.02, 0, 1);
  stream(large, p.X, p.y, 10);
  stream(small, p.X, p.y, 10);
  large.rebase(make_kernel(simple("matern52", 1)), Z.bottomRows(5));
  CHECK_CLOSE(predict(large, p.at, true, nothing).mean, predict(small, p.at, true, nothing).mean, 1e-9);
  CHECK_CLOSE(predict(large, p.at, true, nothing).variance, predict(small, p.at, true, nothing).variance,
              1e-9);
  CHECK(std::abs(large.tau() - small.tau()) <= 1e-9 * small.tau());
  CHECK(std::abs(large.objective() - small.objective()) <= 1e-8 * std::abs(small.objective()));
}

TEST("the price of a move is not negative and a round trip loses") {
  const Problem p = problem(5, 100, 1);
  StreamingGP gp = model(simple("se", 0.8), oips(0.8), 0.02, 10, 1);
  stream(gp, p.X, p.y, 10);
  const double before = gp.tau(), F = gp.objective();
  const Matrix Z = gp.points();
  gp.rebase(make_kernel(simple("se", 0.8)), Z.topRows(3));
  CHECK(gp.tau() > before);
  gp.rebase(make_kernel(simple("se", 0.8)), Z);
  CHECK(gp.objective() < F);
}

// Features as they are, against what they should be: |phi - psi|^2 in all, from dense correlations.
// [derivation 10]
TEST(
    "what is carried bounds the distance of the features from their rows, through any number of moves; under "
    "another kernel it is void") {
  const Problem p = problem(6, 80, 1);
  Random r(9);
  for (const Index lookback : {Index(0), Index(12)}) {
    const KernelSpec k = simple("matern32", 0.9);
    StreamingGP gp = model(k, oips(0.7), 0.02, lookback, 1);
    stream(gp, p.X, p.y, 8);
    CHECK(std::abs(levels(gp).sum() - gp.tau()) <= 1e-12 * gp.tau());
    CHECK(gp.state().counters.moves == 0 && gp.state().settled.carried.norm == 0);
    // the coefficients of each departed row on the present points, carried along densely: psi = A u
    const Index gone = p.X.rows() - lookback;
    Matrix Z = gp.points();
    Vector sizes(gone);
    {
      StreamingGP again = model(k, oips(0.7), 0.02, lookback, 1);
      for (Index start = 0; start < p.X.rows(); start += 8) {
        again.update(p.X.middleRows(start, 8), p.y.segment(start, 8), nothing);
        for (Index i = 0; i < gone; ++i)
          if (i >= start - lookback) sizes(i) = static_cast<double>(again.size());
      }
    }
    Matrix A = Matrix::Zero(gone, Z.rows());
    for (Index i = 0; i < gone; ++i) {
      const Index m = static_cast<Index>(sizes(i));
      const Matrix K = reference::matrix(k, Z.topRows(m), Z.topRows(m)).cast<double>(),
                   c = reference::matrix(k, Z.topRows(m), p.X.middleRows(i, 1)).cast<double>();
      A.row(i).head(m) = Eigen::LLT<Matrix>(K).solve(c).transpose();
    }
    for (int move = 0; move < 3; ++move) {
      const Matrix to = move == 1 ? Matrix(gp.points().topRows(gp.size() - 2))
                                  : Matrix(gp.points() + 0.05 * r.matrix(gp.size(), 1));
      gp.rebase(make_kernel(k), to);
      const Matrix now = gp.points();
      const Matrix K = reference::matrix(k, now, now).cast<double>(),
                   cross = reference::matrix(k, now, Z).cast<double>();
      A = (A * Eigen::LLT<Matrix>(K).solve(cross).transpose()).eval();
      Z = now;
      double distance = 0;
      for (Index i = 0; i < gone; ++i) {
        const Vector c = reference::matrix(k, Z, p.X.middleRows(i, 1)).cast<double>().col(0),
                     a = A.row(i).transpose();
        distance += 1 - 2 * a.dot(c) + a.dot(K * a);
      }
      CHECK(gp.state().settled.carried.norm >= distance * (1 - 1e-8));
      CHECK(gp.state().settled.carried.norm <= 6 * distance);
      CHECK(gp.state().counters.moves == move + 1 && gp.state().settled.carried.foreign == 0);
    }
    gp.rebase(make_kernel(simple("se", 0.9)), Matrix(gp.points()));
    CHECK(gp.state().settled.carried.norm == 0 &&
          gp.state().settled.carried.foreign == static_cast<double>(gone));
  }
}

TEST("the extreme eigenvalues of the points' correlations") {
  Random r(10);
  const KernelSpec k = simple("matern52", 0.8);
  const StreamingGP gp = model(k, fixed(r.matrix(20, 2)), 0.1, 0, 2);
  const Vector values =
      Eigen::SelfAdjointEigenSolver<Matrix>(reference::matrix(k, gp.points(), gp.points()).cast<double>())
          .eigenvalues();
  CHECK_CLOSE(extremes(gp.state().basis), (Vector(2) << values(0), values(gp.size() - 1)).finished(), 1e-9);
  CHECK(extremes(empty_basis(2)) == Vector::Ones(2));
}

TEST("another shape parameter, or another share in a sum, makes another kernel: the rows are seen anew") {
  const Problem p = problem(12, 100, 1);
  const KernelSpec rq = simple("rq", 0.9),
                   sum = composite("sum", simple("se", 0.5, 0.3), simple("se", 1.5, 0.7));
  KernelSpec alpha = rq;
  alpha.extras["alpha"] = 0.6;
  const KernelSpec share = composite("sum", simple("se", 0.5, 0.7), simple("se", 1.5, 0.3));
  for (const auto& [from, to] : {std::pair(rq, alpha), std::pair(sum, share)}) {
    StreamingGP gp = model(from, oips(0.6), 0.02, unlimited, 1);
    stream(gp, p.X, p.y, 10);
    gp.rebase(make_kernel(to), Matrix(gp.points()));
    const Answer truth = reference::batch(to, gp.points(), p.X, p.y, 0.02, p.at);
    CHECK_CLOSE(predict(gp, p.at, true, nothing).mean, truth.mean, 1e-8);
    CHECK_CLOSE(predict(gp, p.at, true, nothing).variance, truth.variance, 1e-8);
  }
}
