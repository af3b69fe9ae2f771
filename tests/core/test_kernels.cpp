// Every registered kernel, found by name, against a double loop in extended precision.
#include "reference.h"

using namespace gpstream;
using namespace reference;

TEST("kernel matrices are the definitions, isotropic and ARD; k1(x, x) = 1; positive semi-definite") {
  Random r(1);
  for (const auto& one : kernel_registry())
    for (int i = 0; i < 10; ++i) {
      const Index D = 1 + i % 4;
      const KernelSpec k = random_kernel(one.first, D, r);
      const Matrix A = r.matrix(9, D) * 2, B = r.matrix(7, D) * 2;
      const KernelPtr kernel = make_kernel(k);
      CHECK_CLOSE(Matrix(kernel->variance() * kernel->correlation(A, B)),
                  reference::matrix(k, A, B).cast<double>(), 1e-14);
      const Matrix C = kernel->correlation(A, A);
      CHECK_CLOSE(C.diagonal().eval(), Vector::Ones(9), 1e-15);
      CHECK_CLOSE(C, C.transpose().eval(), 1e-16);
      CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(C).eigenvalues().minCoeff() > -1e-12);
    }
}

TEST("the radius is where the correlation is rho, along every axis, to the ends of the range") {
  Random r(2);
  for (const auto& one : kernel_registry())
    for (double rho : {1e-3, 0.1, 0.5, 0.8, 0.99, 0.999999}) {
      const Index D = 3;
      const KernelPtr kernel = make_kernel(random_kernel(one.first, D, r));
      const Vector radius = kernel->radius(rho, D);
      for (Index d = 0; d < D; ++d) {
        Matrix z = Matrix::Zero(1, D);
        z(0, d) = radius(d);
        const double got = kernel->correlation(Matrix::Zero(1, D), z)(0, 0);
        CHECK(std::abs(got - rho) <= 1e-11 * rho);
      }
    }
}

TEST("far away is 0 and huge distances are finite") {
  Matrix A(2, 1), B(2, 1);
  A << -1e308, 0;
  B << 1e308, 1e-320;
  for (const char* name : {"se", "matern12", "matern32", "matern52", "rq"}) {
    const Matrix K = make_kernel(simple(name, 1e-3))->correlation(A, B);
    CHECK(K.allFinite() && K(0, 0) < 1e-100 && K(1, 1) == 1);
  }
}

TEST("with_variance scales sums and products, and changes nothing else") {
  Random r(3);
  const KernelSpec k = composite("sum", composite("product", simple("se", 1, 2), simple("rq", 2, 3)),
                                 simple("matern12", 0.5, 0.7));
  const KernelSpec scaled = with_variance(k, 20);
  const Matrix A = r.matrix(5, 1), B = r.matrix(6, 1);
  CHECK_CLOSE(reference::matrix(scaled, A, B).cast<double>(),
              (20 / k.variance * reference::matrix(k, A, B).cast<double>()).eval(), 1e-14);
  CHECK(same_unit_kernel(k, scaled));
  KernelSpec other = k;
  other.parts[1].variance = 0.8;
  other.variance += 0.1;
  CHECK(!same_unit_kernel(k, other));
}

TEST("what cannot be a kernel is refused") {
  KernelSpec k = simple("se", 1);
  k.name = "cubic";
  CHECK_THROWS(make_kernel(k), "parameter");
  CHECK_THROWS(make_kernel(simple("se", -1)), "parameter");
  CHECK_THROWS(make_kernel(simple("se", 1, 0)), "parameter");
  CHECK_THROWS(make_kernel(simple("se", 1, 1, 3))->correlation(Matrix::Zero(2, 2), Matrix::Zero(2, 2)),
               "dimension");
}
