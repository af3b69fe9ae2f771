// Eigenvalues of a kernel matrix by its pivoted factor, and draws from a determinantal point process.
#include "../../src/core/theory/theory.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

TEST("the pivoted factor has the eigenvalues of the kernel matrix") {
  Random r(1);
  const Matrix X = r.matrix(60, 2);
  for (double l : {0.05, 1.0, 8.0}) {
    const KernelPtr k = make_kernel(simple("se", l));
    const KernelSpectrum out = kernel_spectrum(*k, X, 1e9, 1e9, nothing);
    const Vector truth = Eigen::SelfAdjointEigenSolver<Matrix>(k->value(X, X)).eigenvalues().reverse();
    CHECK(out.values.size() > 0);
    CHECK_CLOSE(out.values, truth.head(out.values.size()), 1e-13);
    CHECK(std::abs(out.values.sum() + out.left - 60.0) < 1e-10);
  }
  const WithLinearBrownian registered;
  const KernelPtr curved = make_kernel(linear_brownian(1e-6, 2e-6));
  const KernelSpectrum out = kernel_spectrum(*curved, X, 1e9, 1e9, nothing);
  const Matrix K = curved->value(X, X);
  CHECK_CLOSE(out.values, Vector(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues().reverse()), 1e-13);
  CHECK(std::abs(out.values.sum() + out.left - K.trace()) < 1e-10 * K.trace());
  CHECK(kernel_spectrum(*curved, Matrix::Zero(5, 2), 1e9, 1e9, nothing).values.size() == 0);
  const KernelPtr rough = make_kernel(simple("matern12", 1));
  const KernelSpectrum part = kernel_spectrum(*rough, X, 10, 1e9, nothing);
  CHECK(part.values.size() == 10);
  CHECK(std::abs(part.values.sum() + part.left - 60.0) < 1e-10);
  CHECK_THROWS(kernel_spectrum(*rough, X, 1e9, 600, nothing), "memory");
  CHECK(kernel_spectrum(*rough, X.topRows(0), 1e9, 1e9, nothing).values.size() == 0);
}

// The uniform numbers on a grid: each set comes as often as its probability says, to within the grid.
TEST("sets come with probability det(tK_A) / det(I + tK)") {
  Matrix X(3, 1);
  X << 0, 0.4, 1.5;
  for (double t : {0.3, 5.0}) {
    const KernelPtr k = make_kernel(simple("se", 1));
    const Matrix C = dpp_factor(*k, X, t), L = t * k->value(X, X);
    const double whole = (Matrix::Identity(3, 3) + L).determinant();
    const int m = 50;
    std::vector<double> share(8, 0.0);
    for (int a = 0; a < m; ++a)
      for (int b = 0; b < m; ++b)
        for (int c = 0; c < m; ++c) {
          std::size_t key = 0;
          for (Index i : dpp_draw(C, Eigen::Vector3d((a + 0.5) / m, (b + 0.5) / m, (c + 0.5) / m)))
            key += std::size_t(1) << i;
          share[key] += 1.0 / (m * m * m);
        }
    for (std::size_t key = 0; key < 8; ++key) {
      std::vector<Index> A;
      for (Index i = 0; i < 3; ++i)
        if (key >> i & 1) A.push_back(i);
      Matrix block(static_cast<Index>(A.size()), static_cast<Index>(A.size()));
      for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < A.size(); ++j)
          block(static_cast<Index>(i), static_cast<Index>(j)) = L(A[i], A[j]);
      CHECK(std::abs(share[key] - (A.empty() ? 1.0 : block.determinant()) / whole) < 0.02);
    }
  }
}

TEST("equal rows never come together, however many rows there are") {
  Random r(2);
  Matrix X = r.matrix(100, 3) * 3;
  X.bottomRows(50) = X.topRows(50);
  const Matrix C = dpp_factor(*make_kernel(simple("matern32", 1)), X, 1e4);
  for (int i = 0; i < 20; ++i) {
    Vector u(100);
    for (Index j = 0; j < 100; ++j) u(j) = r.uniform(0, 1);
    std::vector<bool> taken(50, false);
    const std::vector<Index> rows = dpp_draw(C, u);
    CHECK(rows.size() > 40);
    for (Index row : rows) {
      CHECK(!taken[static_cast<std::size_t>(row % 50)]);
      taken[static_cast<std::size_t>(row % 50)] = true;
    }
  }
}
