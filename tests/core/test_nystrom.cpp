// The error of the Nystrom approximation against its definition, and the largest eigenvalue from products.
#include "../../src/core/theory/theory.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

// K - Q in extended precision, per unit of variance, with all points of Z.
LMatrix residual_matrix(const KernelSpec& k, const Matrix& X, const Matrix& Z) {
  const Eigen::LLT<LMatrix> chol(matrix(k, Z, Z));
  const LMatrix W = chol.matrixL().solve(matrix(k, Z, X));
  return (matrix(k, X, X) - W.transpose() * W) / Real(k.variance);
}

struct Problem {
  KernelPtr kernel;
  Basis basis;
  Matrix X;
  Problem(const KernelSpec& k, const Matrix& X, const Matrix& Z) : kernel(make_kernel(k)), X(X) {
    std::vector<Index> kept;
    basis = given_basis(*kernel, Z, nothing, kept);
  }
  NystromResidual residual(Checkpoint check = nothing) const {
    return NystromResidual(*kernel, basis, X, check);
  }
};

bool close(double a, double b, double allowed) { return std::abs(a - b) <= allowed; }

}  // namespace

TEST("Theorem 2: trace, Frobenius and spectral norm of K - Q by definition, for many kernels") {
  Random r(1);
  const WithLinearBrownian registered;
  std::vector<std::string> names = names_by_distance();
  names.push_back("linear_brownian");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index D = 1 + static_cast<Index>(i) % 3, N = 60;
    const KernelSpec k = random_kernel(names[i], D, r);
    const Matrix X = r.matrix(N, D) * 2;
    PointSet set(make_kernel(k), make_selector(oips(0.7)), D);
    set.update(X, nothing);
    const Matrix Z = set.points();
    const Matrix E = residual_matrix(k, X, Z).cast<double>();
    const double largest = Eigen::SelfAdjointEigenSolver<Matrix>(E).eigenvalues()(N - 1);
    const Problem p(k, X, Z);
    CHECK(close(p.residual().trace(), E.trace(), 1e-12 * N));
    CHECK(close(p.residual().frobenius(), E.norm(), 1e-12 * N));
    CHECK(close(p.residual().spectral(), largest, 1e-12 * N));      // all eigenvalues
    CHECK(close(p.residual().spectral(0), largest, 1e-12 * N));     // Lanczos on the matrix
    CHECK(close(p.residual().spectral(0, 0), largest, 1e-12 * N));  // Lanczos on products
  }
}

TEST("Theorem 2: blocks and panels of rows make no difference") {
  Random r(2);
  const Index N = 1300;  // three blocks, the last one short
  const KernelSpec k = simple("se", 0.4);
  const Matrix X = r.matrix(N, 2), Z = r.matrix(12, 2);
  const Problem p(k, X, Z);
  Matrix W;
  const Vector left = p.basis.features(*p.kernel, X, W);
  const Matrix E = p.kernel->value(X, X) - W.transpose() * W;
  CHECK(close(p.residual().trace(), left.sum(), 1e-12 * N));
  for (Index panel : {0, 512, 1024}) CHECK(close(p.residual().frobenius(panel), E.norm(), 1e-12 * N));
  const double by_matrix = p.residual().spectral(0), by_products = p.residual().spectral(0, 0);
  CHECK(close(by_matrix, by_products, 1e-9 * by_matrix));
  CHECK(by_matrix <= E.norm() && E.norm() <= left.sum());
  Vector v = E.col(0);  // power steps never exceed the largest eigenvalue, and come near it
  for (int step = 0; step < 30; ++step) v = (E * v).normalized();
  const double power = v.dot(E * v);
  CHECK(power <= by_matrix * (1 + 1e-10) && power >= by_matrix * (1 - 1e-2));
}

TEST("points that stand in Z twice, no points, no rows, and the rows themselves") {
  Random r(3);
  const KernelSpec k = simple("matern32", 0.5);
  const Matrix X = r.matrix(40, 2), Z = r.matrix(6, 2);
  Matrix twice(12, 2);
  twice << Z, Z;
  CHECK(close(Problem(k, X, twice).residual().trace(), Problem(k, X, Z).residual().trace(), 1e-12));
  const Problem none(k, X, Matrix(0, 2));
  CHECK(none.residual().trace() == 40 &&
        close(none.residual().frobenius(), none.kernel->value(X, X).norm(), 1e-12));
  CHECK(close(none.residual().spectral(), none.residual().spectral(0, 0), 1e-10));
  const Problem empty(k, Matrix(0, 2), Z);
  CHECK(empty.residual().trace() == 0 && empty.residual().frobenius() == 0 &&
        empty.residual().spectral() == 0);
  const Problem all(k, X, X);
  CHECK(all.residual().trace() < 1e-12 && all.residual().frobenius() < 1e-12 &&
        all.residual().spectral(0, 0) < 1e-12);
}

TEST(
    "points so close together that a model refuses some: the definition still, to 1e-9 of the rows they "
    "cover") {
  Random r(6);
  const KernelSpec k = simple("se", 0.3);
  const Matrix X = r.matrix(120, 1), Z = Vector::LinSpaced(21, 0, 1);  // in order: the worst case of a stream
  std::vector<Index> kept;
  make_basis(*make_kernel(k), Z, kept);
  const Problem p(k, X, Z);
  CHECK(kept.size() < 21);
  CHECK(close(p.residual().trace(), static_cast<double>(residual_matrix(k, X, Z).trace()), 1e-9 * 120));
  // L is the factor of the points that joined
  const Matrix L = p.basis.L.view(), R = p.kernel->value(p.basis.Z.view(), p.basis.Z.view());
  CHECK_CLOSE(Matrix(L * L.transpose()), R, 1e-14);
  CHECK(L.diagonal().minCoeff() > 0 && Matrix(L.triangularView<Eigen::StrictlyUpper>()).isZero(0));
}

TEST(
    "the largest eigenvalue from products: clusters, multiples, low rank; an error, not a guess, when steps "
    "run out") {
  Random r(4);
  const Index N = 120;
  const Matrix G = Matrix::NullaryExpr(N, N, [&] { return r.normal(); });
  const Matrix Q = Eigen::HouseholderQR<Matrix>(G).householderQ();
  const auto largest = [&](const Vector& spectrum, Index most) {
    const Matrix A = Q * spectrum.asDiagonal() * Q.transpose();
    return largest_eigenvalue(
        A.rows(), [&](const ConstVectorView& v) -> Vector { return A * v; }, 1e-10, 1e-13 * N, most);
  };
  Vector decay(N), cluster = Vector::Constant(N, 1.0), multiple = Vector::Constant(N, 0.1),
                   rank_one = Vector::Zero(N);
  for (Index i = 0; i < N; ++i) decay(i) = std::pow(0.8, static_cast<double>(i));
  for (Index i = 0; i < N; ++i) cluster(i) -= 1e-4 * static_cast<double>(i);
  multiple.head(5).setConstant(7);
  rank_one(0) = 3;
  CHECK(close(largest(decay, 200), 1, 1e-10));
  CHECK(close(largest(cluster, 200), 1, 1e-10));
  CHECK(close(largest(multiple, 200), 7, 1e-9));
  CHECK(close(largest(rank_one, 200), 3, 1e-9));
  CHECK(largest(Vector::Zero(N), 200) == 0);
  CHECK_THROWS(largest(cluster, 20), "not_converged");
}

TEST("a stopped computation throws") {
  Random r(5);
  const Problem p(simple("se", 0.4), r.matrix(50, 1), r.matrix(4, 1));
  const Checkpoint stop = [] { throw Error("interrupt", ""); };
  CHECK_THROWS(p.residual(stop).trace(), "interrupt");
  CHECK_THROWS(p.residual(stop).frobenius(), "interrupt");
  CHECK_THROWS(p.residual(stop).spectral(0, 0), "interrupt");
}
