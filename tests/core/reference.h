// Slow, plain references in extended precision, written from the formulas and not from the core.
#ifndef GPSTREAM_TEST_REFERENCE_H
#define GPSTREAM_TEST_REFERENCE_H

#include <Eigen/Dense>

#include "../../src/core/core.h"
#include "check.h"
#include "linear_brownian.h"

namespace reference {

using namespace gpstream;
using Real = long double;
using LMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using LVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

Real profile(const KernelSpec& k, Real r2);

Index along(const KernelSpec& k);

Real value(const KernelSpec& k, const RowVector& a, const RowVector& b);

LMatrix matrix(const KernelSpec& k, const Matrix& A, const Matrix& B);

// |k(a, b)| / sqrt(k(a, a) k(b, b)); a row with no variance is as good as covered by any
Matrix correlations(const KernelSpec& k, const Matrix& A, const Matrix& B);

struct Answer {
  Vector mean, variance;
  double objective;
};

// Sparse regression on all rows at once with inducing points Z (Titsias 2009), noise s2 / weight:
// Sigma = K_Z + K_ZX diag(weights) K_XZ / s2. No weights: all 1.
Answer batch(const KernelSpec& k, const Matrix& Z, const Matrix& X, const Vector& y, Real s2,
             const Matrix& at, const Vector& weights = Vector());

double condition(const KernelSpec& k, const Matrix& Z);

// --- random problems

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a = 0, double b = 1);
  double normal();
  Matrix matrix(Index rows, Index cols);
};

KernelSpec simple(const std::string& name, double l, double v = 1.0, Index D = 1);

KernelSpec composite(const std::string& name, const KernelSpec& a, const KernelSpec& b);

std::vector<std::string> kernel_names();

// Those that are functions of a distance: any points are independent, as alike as a lengthscale makes them.
std::vector<std::string> names_by_distance();

// One of every registered kernel, by name, isotropic or ARD.
// For inputs from 0 to 1. Those of one column are of a random one.
KernelSpec random_kernel(const std::string& name, Index D, Random& r);

SelectorSpec oips(double rho, double max_points = 1000);
SelectorSpec fixed(const Matrix& Z);

StreamingGP model(const KernelSpec& k, const SelectorSpec& s, double noise, Index lookback, Index D,
                  double mean = 0);

inline void nothing() {}

void stream(StreamingGP& gp, const Matrix& X, const Vector& y, Index batch);

}  // namespace reference

#endif
