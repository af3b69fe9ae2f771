// The order of authority: algebraic identities against references in extended precision.
#include "reference.h"

using namespace gpstream;
using namespace reference;

// b is a sum of doubles: in a direction without evidence, where it should be 0, it is as large as its
// rounding, which the mean, xi w'G^-1 b, then shows xi-fold. (Seen: 2e-10 at xi = 3e4 and |b| = 10, in any
// order of summation.)
static void same_answer(const StreamingGP& gp, const Answer& truth, const Matrix& at, double tolerance) {
  const Prediction p = predict(gp, at, true, nothing);
  const double v = gp.v(), sd = std::sqrt(v);
  const double rounding = gp.xi() * 1.2e-16 * gp.totals().b.norm();
  CHECK((p.mean - truth.mean).cwiseAbs().maxCoeff() <=
        tolerance * std::max(sd, truth.mean.cwiseAbs().maxCoeff()) + rounding);
  CHECK((p.variance - truth.variance).cwiseAbs().maxCoeff() <= tolerance * v);
  CHECK(std::abs(gp.objective() - truth.objective) <= tolerance * std::max(1.0, std::abs(truth.objective)));
}

TEST(
    "fixed Z: any split into batches is the batch posterior, 50 designs, D 1 to 10, many kernels, cond to "
    "1e10") {
  Random r(1);
  const std::vector<std::string> names = names_by_distance();
  double worst = 0;
  for (int design = 0; design < 50; ++design) {
    const Index D = 1 + design % 10, M = 12, n = 60;
    KernelSpec k = random_kernel(names[static_cast<std::size_t>(design) % names.size()], D, r);
    Matrix Z = r.matrix(M, D);
    // In one dimension the points are spread evenly: across gaps much wider than a lengthscale beside points
    // much closer the weights kappa = K_XZ K_Z^-1 reach 1e4, and magnify the rounding of the kernel values
    // themselves by |kappa|^2, whatever the algorithm.
    if (D == 1)
      for (Index i = 0; i < M; ++i)
        Z(i, 0) = (static_cast<double>(i) + 0.3 * Z(i, 0)) / static_cast<double>(M - 1);
    // in every other design stretch the kernel until the points are nearly dependent, and never beyond 1e10
    const auto stretch = [](KernelSpec spec, double factor) {
      spec.lengthscale *= factor;
      for (KernelSpec& part : spec.parts) part.lengthscale *= factor;
      return spec;
    };
    while (condition(k, Z) > 1e10) k = stretch(k, 0.9);
    while (design % 2 == 1 && condition(k, Z) < 1e9 && condition(stretch(k, 1.15), Z) < 1e10)
      k = stretch(k, 1.15);
    worst = std::max(worst, condition(k, Z));
    const Matrix X = r.matrix(n, D), at = r.matrix(20, D);
    Vector y(n);
    for (Index i = 0; i < n; ++i) y(i) = std::sin(4 * X(i, 0)) + 0.1 * r.normal();
    const double s2 = design % 3 == 0 ? 1e-4 : 0.05;
    for (Index lookback : {Index(0), Index(10)})
      for (Index batch : {Index(1), Index(7), n}) {
        StreamingGP gp = model(k, fixed(Z), s2, lookback, D);
        stream(gp, X, y, batch);
        // the guard may refuse a point: compare with the points the model has
        same_answer(gp, reference::batch(k, gp.points(), X, y, s2, at), at, 1e-10);
      }
  }
  CHECK(worst > 1e8);
}

TEST("Z = X is the exact Gaussian process") {
  Random r(2);
  for (const char* name : {"se", "matern12", "matern32", "matern52", "rq"}) {
    const Index D = 2, n = 25;
    const KernelSpec k = random_kernel(name, D, r);
    const Matrix X = r.matrix(n, D), at = r.matrix(15, D) * 1.3;
    Vector y(n);
    for (Index i = 0; i < n; ++i) y(i) = std::cos(3 * X(i, 0)) + X(i, 1) + 0.1 * r.normal();
    const Real s2 = 0.02;
    StreamingGP gp = model(k, fixed(X), static_cast<double>(s2), 0, D);
    stream(gp, X, y, 4);
    CHECK(gp.size() == n);
    LMatrix K = reference::matrix(k, X, X);
    K.diagonal().array() += s2;
    const Eigen::LLT<LMatrix> chol(K);
    const LMatrix Ks = reference::matrix(k, X, at), V = chol.matrixL().solve(Ks);
    const LVector alpha = chol.solve(y.cast<Real>());
    const Prediction p = predict(gp, at, true, nothing);
    CHECK_CLOSE(p.mean, (Ks.transpose() * alpha).cast<double>(), 1e-8);
    CHECK_CLOSE(p.variance,
                (Real(k.variance) - V.colwise().squaredNorm().transpose().array()).matrix().cast<double>(),
                1e-8);
    Real logdet = 0;
    for (Index i = 0; i < n; ++i) logdet += std::log(LMatrix(chol.matrixL())(i, i));
    const Real evidence = -y.cast<Real>().dot(alpha) / 2 - logdet - n * std::log(2 * std::acos(Real(-1))) / 2;
    CHECK(std::abs(gp.objective() - static_cast<double>(evidence)) <=
          1e-8 * std::abs(static_cast<double>(evidence)));
  }
}

TEST("unlimited look-back: any stream, in any cut, is the batch posterior with the final Z") {
  Random r(3);
  for (int design = 0; design < 20; ++design) {
    const Index D = 1 + design % 3, n = 120;
    const KernelSpec k = random_kernel(design % 2 ? "se" : "matern32", D, r);
    Matrix X = r.matrix(n, D) * 3;
    Vector y(n);
    for (Index i = 0; i < n; ++i) y(i) = std::sin(2 * X(i, 0)) + 0.1 * r.normal();
    const Matrix at = r.matrix(20, D) * 3;
    for (Index cut : {Index(1), Index(7), Index(50), n}) {
      StreamingGP gp = model(k, oips(0.7), 0.01, unlimited, D);
      stream(gp, X, y, cut);
      same_answer(gp, reference::batch(k, gp.points(), X, y, 0.01, at), at, 1e-10);
    }
  }
}

// The recursion of the paper in its natural parameters, with the errata: precision and linear term of q(u)
// over those of the prior are carried to the grown Z by kappa_old = K_{Z' Z} K_Z^-1.  [GFO21 A.1]
TEST("look-back 0 is the recursion of [GFO21 A.1], dense natural parameters") {
  Random r(4);
  for (int design = 0; design < 10; ++design) {
    const Index D = 1 + design % 2, n = 80, cut = design % 3 == 0 ? 1 : 9;
    const KernelSpec k = simple("se", 0.5, 1.3);
    const Matrix X = r.matrix(n, D) * 2, at = r.matrix(20, D) * 2;
    Vector y(n);
    for (Index i = 0; i < n; ++i) y(i) = std::sin(3 * X(i, 0)) + 0.1 * r.normal();
    const Real s2 = 0.02;
    StreamingGP gp = model(k, oips(0.75), static_cast<double>(s2), 0, D);
    Matrix Z_old(0, D);
    LMatrix precision(0, 0);  // D^-1 = Sigma^-1 - K^-1
    LVector linear(0);        // Sigma^-1 mu
    for (Index start = 0; start < n; start += cut) {
      const Index rows = std::min(cut, n - start);
      gp.update(X.middleRows(start, rows), y.segment(start, rows), nothing);
      const Matrix Z = gp.points();
      const Eigen::LLT<LMatrix> Kz(reference::matrix(k, Z, Z));
      const LMatrix kappa = Kz.solve(reference::matrix(k, Z, X.middleRows(start, rows))).transpose();
      LMatrix next = kappa.transpose() * kappa / s2;
      LVector next_linear = kappa.transpose() * y.segment(start, rows).cast<Real>() / s2;
      if (Z_old.rows() > 0) {
        const LMatrix kappa_old = Kz.solve(reference::matrix(k, Z, Z_old)).transpose();
        next += kappa_old.transpose() * precision * kappa_old;
        next_linear += kappa_old.transpose() * linear;
      }
      precision = next;
      linear = next_linear;
      Z_old = Z;
    }
    const LMatrix Kz = reference::matrix(k, Z_old, Z_old), I = LMatrix::Identity(Kz.rows(), Kz.cols());
    const LMatrix Sigma = Eigen::LLT<LMatrix>(LMatrix(Eigen::LLT<LMatrix>(Kz).solve(I) + precision)).solve(I);
    const PointPosterior u = point_posterior(gp);
    CHECK_CLOSE(u.mean, LVector(Sigma * linear).cast<double>(), 1e-8);
    CHECK_CLOSE(u.covariance, Sigma.cast<double>(), 1e-8);
  }
}

TEST("other v, s2 and mean read from the same evidence: as if they had been so from the start") {
  Random r(5);
  const Matrix X = r.matrix(200, 2) * 2, at = r.matrix(30, 2) * 2;
  Vector y(200);
  for (Index i = 0; i < 200; ++i) y(i) = 5 + std::sin(3 * X(i, 0)) * X(i, 1) + 0.1 * r.normal();
  StreamingGP gp = model(simple("matern52", 0.8, 2.0), oips(0.7), 0.3, 20, 2, 1.0),
              other = model(simple("matern52", 0.8, 0.4), oips(0.7), 0.01, 20, 2, 4.5);
  stream(gp, X, y, 13);
  stream(other, X, y, 13);
  gp.set_scale(0.4, 0.01, 4.5);
  const Prediction p = predict(gp, at, true, nothing), q = predict(other, at, true, nothing);
  CHECK_CLOSE(p.mean, q.mean, 1e-10);
  CHECK_CLOSE(p.variance, q.variance, 1e-10);
  CHECK(std::abs(gp.objective() - other.objective()) <= 1e-10 * std::abs(other.objective()));
}

TEST("one row at a time with a prediction after each is the same model as without") {
  Random r(6);
  const Matrix X = r.matrix(300, 1) * 6, at = r.matrix(30, 1) * 6;
  Vector y(300);
  for (Index i = 0; i < 300; ++i) y(i) = std::sin(2 * X(i, 0)) + 0.1 * r.normal();
  StreamingGP watched = model(simple("se", 0.7), oips(0.8), 0.01, 25, 1), quiet = watched;
  for (Index i = 0; i < 300; ++i) {
    watched.update(X.middleRows(i, 1), y.segment(i, 1), nothing);
    predict(watched, at.topRows(1), true, nothing);
    quiet.update(X.middleRows(i, 1), y.segment(i, 1), nothing);
  }
  const Prediction p = predict(watched, at, true, nothing), q = predict(quiet, at, true, nothing);
  CHECK_CLOSE(p.mean, q.mean, 1e-11);
  CHECK_CLOSE(p.variance, q.variance, 1e-11);
}

TEST(
    "a stream in order whose points are close together is as good as the exact Gaussian process: L^-1 stays "
    "bounded") {
  for (const double rho : {0.95, 0.98, 0.995}) {
    Random r(21);
    Matrix X(300, 1);
    for (Index i = 0; i < 300; ++i) X(i, 0) = (static_cast<double>(i) + 0.9 * r.uniform()) / 30;
    Vector y(300);
    for (Index i = 0; i < 300; ++i) y(i) = std::sin(2 * X(i, 0)) + 0.1 * r.normal();
    const KernelSpec k = simple("se", 1.5);
    const Matrix at = r.matrix(50, 1) * 10;
    StreamingGP gp = model(k, oips(rho), 0.01, unlimited, 1);
    stream(gp, X, y, 7);
    Matrix inverse = Matrix::Identity(gp.size(), gp.size());
    solve_lower(gp.state().basis.L.view(), MatrixView(inverse));
    CHECK(inverse.rowwise().squaredNorm().maxCoeff() < 1.01 * inverse_limit);
    CHECK(gp.state().basis.L.view().diagonal().array().square().minCoeff() > rank_tolerance);
    const LMatrix K = matrix(k, X, X) + Real(0.01) * LMatrix::Identity(300, 300);
    const LVector weights = K.llt().solve(y.cast<Real>());
    const Vector exact = (matrix(k, at, X) * weights).cast<double>();
    CHECK((predict(gp, at, false, nothing).mean - exact).cwiseAbs().maxCoeff() < 1e-3 * 0.1);
    std::vector<Index> kept;
    make_basis(*make_kernel(k), gp.points(), kept);
    CHECK(static_cast<Index>(kept.size()) == gp.size());
  }
}
