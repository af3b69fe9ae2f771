// The slope of f along a column: that of the exact joint posterior, and what differences of predictions say.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

KernelSpec of_column(KernelSpec k, Index d) {
  k.columns = {d};
  return k;
}

// A product and a sum, on both columns and on one each; the roughest is rough in the second alone.
StreamingGP model_at(const Matrix& Z) {
  Settings s;
  s.kernel = make_kernel(composite("sum", composite("product", simple("se", 1.3, 1.2, 2), simple("rq", 2.0)),
                                   composite("sum", of_column(simple("matern32", 0.9, 0.4), 0),
                                             of_column(simple("matern12", 1.1, 0.5), 1))));
  SelectorSpec select;
  select.name = "fixed";
  select.points = Z;
  s.selector = make_selector(select);
  s.noise = 0.1;
  s.mean = 0.4;
  s.trend.columns = {1, 0};
  s.trend.centre = Eigen::Vector2d(0.3, 1.0);
  s.trend.scale = Eigen::Vector2d(0.8, 1.7);
  s.trend.ratio = Eigen::Vector3d(2.0, 0.0, 3.0);
  return StreamingGP(s, 2);
}

}  // namespace

TEST("[derivation 2] at Z = X the slope is that of the exact joint posterior, means and covariances") {
  Random r(3);
  const Matrix X = 3.0 * r.matrix(14, 2), at = 3.0 * r.matrix(5, 2);
  const Vector y = X.rowwise().sum().array().sin() + 0.3;
  StreamingGP model = model_at(X);
  model.update(X, y, [] {});
  const Prediction found = derivative(model, at, 0, true, [] {});
  const Matrix joint = derivative_covariance(model, at, 0);

  const double v = model.v();
  const Along own = *model.kernel().along(at, at, 0), cross = *model.kernel().along(at, X, 0);
  // of the trend: the constant with ratio 2 does not rise, that of column 0 does, that of column 1 is known
  const Vector line = (X.col(0).array() - 1.0) / 1.7;
  const Matrix K =
      v * (model.kernel().value(X, X) + 3.0 * line * line.transpose() + 2.0 * Matrix::Ones(14, 14)) +
      0.1 * Matrix::Identity(14, 14);
  const Eigen::LLT<Matrix> factor(K);
  const Matrix k = v * (cross.a + 3.0 / 1.7 * Vector::Ones(5) * line.transpose());
  const Matrix prior = v * (own.ab.array() + 3.0 / (1.7 * 1.7)).matrix();
  CHECK_CLOSE(found.mean, Vector(k * factor.solve(Vector(y.array() - 0.4))), 1e-9);
  CHECK_CLOSE(joint, Matrix(prior - k * factor.solve(k.transpose())), 1e-9);
  CHECK_CLOSE(found.variance, Vector(joint.diagonal()), 1e-9);
  CHECK(derivative(model, at, 0, false, [] {}).variance.size() == 0);
  CHECK_CLOSE(derivative(model, at, 0, false, [] {}).mean, found.mean, 1e-14);
  CHECK_THROWS(derivative(model, at, 1, false, [] {}), "parameter");
  CHECK_THROWS(derivative_covariance(model, at, 1), "parameter");
  CHECK_THROWS(derivative(model, at, 2, false, [] {}), "dimension");
}

TEST("the slope is the difference of predictions, its covariance that of differences, with few points") {
  Random r(4);
  const Matrix X = 3.0 * r.matrix(60, 2), at = 3.0 * r.matrix(4, 2);
  const Vector y = X.rowwise().sum().array().sin() + 0.3;
  Settings s;
  s.kernel =
      make_kernel(composite("sum", simple("se", 1.3, 1.2, 2), of_column(simple("matern52", 0.9, 0.4), 0)));
  SelectorSpec select;
  select.name = "fixed";
  select.points = X.topRows(10);
  s.selector = make_selector(select);
  s.noise = 0.1;
  StreamingGP model(s, 2);
  model.update(X, y, [] {});
  const double h = 1e-3;
  for (Index d : {0, 1}) {
    Matrix both(8, 2);
    both << at, at;
    both.col(d).head(4).array() += h;
    both.col(d).tail(4).array() -= h;
    Matrix to(4, 8);
    to << Matrix::Identity(4, 4), -Matrix::Identity(4, 4);
    to /= 2 * h;
    CHECK_CLOSE(derivative(model, at, d, true, [] {}).mean,
                Vector(to * predict(model, both, false, [] {}).mean), 1e-5);
    CHECK_CLOSE(derivative_covariance(model, at, d), Matrix(to * covariance(model, both) * to.transpose()),
                1e-4);
  }
}

TEST("before any row the slope is the prior's") {
  StreamingGP model = model_at(Matrix::Zero(1, 2));
  const Matrix at = Matrix::Constant(1, 2, 0.7);
  const Prediction found = derivative(model, at, 0, true, [] {});
  CHECK(found.mean(0) == 0);
  const double prior = model.kernel().along(at, at, 0)->ab(0, 0) + 3.0 / (1.7 * 1.7);
  CHECK(std::abs(found.variance(0) - model.v() * prior) <= 1e-12 * prior);
}
