// The parts of f: they add up, and are those of the joint posterior.
#include <Eigen/Cholesky>

#include "../../src/core/core.h"
#include "check.h"

using namespace gpstream;

namespace {

KernelSpec part(const char* name, double variance, double lengthscale) {
  KernelSpec out;
  out.name = name;
  out.variance = variance;
  out.lengthscale = Vector::Constant(1, lengthscale);
  return out;
}

Settings settings_with(const Matrix& Z) {
  Settings out;
  KernelSpec sum;
  sum.name = "sum";
  sum.parts = {part("se", 1.4, 1.1), part("matern32", 0.5, 0.4)};
  sum.variance = 1.9;
  out.kernel = make_kernel(sum);
  SelectorSpec select;
  select.name = "fixed";
  select.points = Z;
  out.selector = make_selector(select);
  out.noise = 0.2;
  out.mean = 0.7;
  out.trend.columns = {0};
  out.trend.centre = Vector::Constant(1, 1.5);
  out.trend.scale = Vector::Constant(1, 0.8);
  out.trend.ratio = Eigen::Vector2d(0.0, 3.0);
  return out;
}

}  // namespace

TEST("[derivation 2] parts of f add up, and at Z = X are those of the exact joint posterior") {
  Matrix X(12, 1), at(5, 1);
  Vector y(12);
  for (Index i = 0; i < 12; ++i) {
    X(i, 0) = 0.31 * static_cast<double>(i) + 0.05 * static_cast<double>(i % 3);
    y(i) = 0.7 + std::sin(2.0 * X(i, 0)) + 0.4 * X(i, 0) + 0.1 * std::cos(37.0 * static_cast<double>(i));
  }
  at << -0.4, 0.33, 1.2, 2.9, 5.0;
  StreamingGP model(settings_with(X), 1);
  model.update(X, y, [] {});
  const Components found = components(model, at, true, false, [] {});
  const Prediction whole = predict(model, at, true, [] {});
  CHECK(found.mean.cols() == 4);
  CHECK_CLOSE(found.mean.rowwise().sum(), whole.mean, 1e-10);
  CHECK_CLOSE(found.covariance.rowwise().sum(), whole.variance, 1e-10);

  // dense: the prior covariance of each part, at the rows and at `at`
  const State& state = model.state();
  const double v = model.v();
  const std::vector<KernelShare> kernels = kernel_shares(state.kernel);
  const auto cov = [&](Index c, const Matrix& A, const Matrix& B) -> Matrix {
    if (c == 0) return Matrix::Zero(A.rows(), B.rows());
    if (c == 1)
      return v * 3.0 * ((A.array() - 1.5) / 0.8).matrix() * ((B.array() - 1.5) / 0.8).matrix().transpose();
    return v * kernels[static_cast<std::size_t>(c - 2)].share *
           kernels[static_cast<std::size_t>(c - 2)].kernel->value(A, B);
  };
  Matrix K = 0.2 * Matrix::Identity(12, 12);
  for (Index c = 0; c < 4; ++c) K += cov(c, X, X);
  const Eigen::LLT<Matrix> factor(K);
  const Vector residual = y.array() - 0.7;
  for (Index c = 0; c < 4; ++c) {
    Vector mean = cov(c, at, X) * factor.solve(residual);
    if (c == 0) mean.array() += 0.7;
    CHECK_CLOSE(found.mean.col(c), mean, 1e-8);
    for (Index d = 0; d < 4; ++d) {
      Matrix dense = -cov(c, at, X) * factor.solve(cov(d, X, at));
      if (c == d) dense += cov(c, at, at);
      const Vector own = found.covariance.col(4 * c + d), exact = dense.diagonal();
      CHECK((own - exact).cwiseAbs().maxCoeff() < 1e-8);
    }
  }

  // centred over the points: each kernel's part less its mean there, the constant with these means
  const Components centred = components(model, at, true, true, [] {});
  CHECK_CLOSE(centred.mean.rowwise().sum(), whole.mean, 1e-10);
  CHECK_CLOSE(centred.covariance.rowwise().sum(), whole.variance, 1e-10);
  Matrix all(5 + 12, 1);
  all << at, X;
  Matrix joint(4 * 17, 4 * 17);  // of all parts at all rows
  Vector means(4 * 17);
  for (Index c = 0; c < 4; ++c) {
    means.segment(17 * c, 17) = cov(c, all, X) * factor.solve(residual);
    for (Index d = 0; d < 4; ++d) {
      Matrix dense = -cov(c, all, X) * factor.solve(cov(d, X, all));
      if (c == d) dense += cov(c, all, all);
      joint.block(17 * c, 17 * d, 17, 17) = dense;
    }
  }
  means.segment(0, 17).array() += 0.7;
  for (Index i = 0; i < 5; ++i) {
    Matrix to = Matrix::Zero(4, 4 * 17);
    for (Index c = 0; c < 4; ++c) to(c, 17 * c + i) = 1.0;
    for (Index c = 2; c < 4; ++c)
      for (Index j = 0; j < 12; ++j) {
        to(c, 17 * c + 5 + j) -= 1.0 / 12;
        to(0, 17 * c + 5 + j) += 1.0 / 12;
      }
    CHECK_CLOSE(Vector(centred.mean.row(i).transpose()), Vector(to * means), 1e-8);
    const Matrix exact = to * joint * to.transpose();
    const Vector found_row = centred.covariance.row(i).transpose();
    const Matrix own = Eigen::Map<const Matrix>(found_row.data(), 4, 4);
    CHECK((own - exact).cwiseAbs().maxCoeff() < 1e-8);
  }
  CHECK(components(model, at, false, false, [] {}).covariance.size() == 0);
  CHECK_CLOSE(components(model, at, false, false, [] {}).mean, found.mean, 1e-13);
}
