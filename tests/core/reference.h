// Slow, plain references in extended precision, written from the formulas and not from the core.
#ifndef GPSTREAM_TEST_REFERENCE_H
#define GPSTREAM_TEST_REFERENCE_H

#include "../../src/core/core.h"
#include "check.h"
#include "linear_brownian.h"

namespace reference {

using namespace gpstream;
using Real = long double;
using LMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using LVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

inline Real profile(const KernelSpec& k, Real r2) {
  const Real r = std::sqrt(r2);
  if (k.name == "se") return std::exp(-r2);
  if (k.name == "matern12") return std::exp(-r);
  if (k.name == "matern32") return (1 + std::sqrt(Real(3)) * r) * std::exp(-std::sqrt(Real(3)) * r);
  if (k.name == "matern52")
    return (1 + std::sqrt(Real(5)) * r + 5 * r2 / 3) * std::exp(-std::sqrt(Real(5)) * r);
  const Real alpha = k.extras.at("alpha");
  return std::pow(1 + r2 / alpha, -alpha);
}

inline Real value(const KernelSpec& k, const RowVector& a, const RowVector& b) {
  if (!k.parts.empty()) {
    Real out = k.name == "sum" ? 0 : 1;
    for (const KernelSpec& part : k.parts)
      k.name == "sum" ? out += value(part, a, b) : out *= value(part, a, b);
    return out;
  }
  if (k.name == "linear_brownian")
    return Real(k.variance) * (Real(k.extras.at("slope")) * a.cast<Real>().dot(b.cast<Real>()) +
                               Real(k.extras.at("brownian")) * Real(std::min(a(0), b(0))));
  Real r2 = 0;
  for (Index d = 0; d < a.size(); ++d) {
    const Real t = (Real(a(d)) - Real(b(d))) / Real(k.lengthscale(k.lengthscale.size() == 1 ? 0 : d));
    r2 += t * t;
  }
  return Real(k.variance) * profile(k, r2);
}

inline LMatrix matrix(const KernelSpec& k, const Matrix& A, const Matrix& B) {
  LMatrix out(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) out(i, j) = value(k, A.row(i), B.row(j));
  return out;
}

// |k(a, b)| / sqrt(k(a, a) k(b, b)); a row with no variance is as good as covered by any
inline Matrix correlations(const KernelSpec& k, const Matrix& A, const Matrix& B) {
  Matrix out(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) {
      const Real both = value(k, A.row(i), A.row(i)) * value(k, B.row(j), B.row(j));
      out(i, j) =
          both > 0 ? static_cast<double>(std::abs(value(k, A.row(i), B.row(j))) / std::sqrt(both)) : 1.0;
    }
  return out;
}

struct Answer {
  Vector mean, variance;
  double objective;
};

// Sparse regression on all rows at once with inducing points Z (Titsias 2009), noise s2 / weight:
// Sigma = K_Z + K_ZX diag(weights) K_XZ / s2. No weights: all 1.
inline Answer batch(const KernelSpec& k, const Matrix& Z, const Matrix& X, const Vector& y, Real s2,
                    const Matrix& at, const Vector& weights = Vector()) {
  const Index n = X.rows();
  const LVector om = weights.size() > 0 ? LVector(weights.cast<Real>()) : LVector(LVector::Ones(n));
  const LMatrix Kz = matrix(k, Z, Z), Kzx = matrix(k, Z, X), Ks = matrix(k, Z, at);
  const Eigen::LLT<LMatrix> chol(Kz);
  const LMatrix W = chol.matrixL().solve(Kzx), Ws = chol.matrixL().solve(Ks);
  const LMatrix weighed = W * om.asDiagonal();
  LMatrix G = weighed * W.transpose() / s2;
  G.diagonal().array() += 1;
  const Eigen::LLT<LMatrix> post(G);
  const LVector c = weighed * y.cast<Real>() / s2, m = post.solve(c);
  const LMatrix V = post.matrixL().solve(Ws);
  const Real log_two_pi = std::log(2 * std::acos(Real(-1)));
  Real F = c.dot(m) / 2;
  for (Index j = 0; j < Z.rows(); ++j) F -= std::log(LMatrix(post.matrixL())(j, j));
  for (Index i = 0; i < n; ++i) {
    const Real left = value(k, X.row(i), X.row(i)) - W.col(i).squaredNorm();
    F -= (log_two_pi + std::log(s2 / om(i)) + om(i) * (Real(y(i)) * Real(y(i)) + left) / s2) / 2;
  }
  Answer out{Vector(at.rows()), Vector(at.rows()), static_cast<double>(F)};
  for (Index i = 0; i < at.rows(); ++i) {
    out.mean(i) = static_cast<double>(Ws.col(i).dot(m));
    out.variance(i) = static_cast<double>(value(k, at.row(i), at.row(i)) - Ws.col(i).squaredNorm() +
                                          V.col(i).squaredNorm());
  }
  return out;
}

inline double condition(const KernelSpec& k, const Matrix& Z) {
  const Matrix K = matrix(k, Z, Z).cast<double>();
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K, Eigen::EigenvaluesOnly).eigenvalues();
  return values(values.size() - 1) / std::max(values(0), 1e-300);
}

// --- random problems

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a = 0, double b = 1) {
    return a + (b - a) * static_cast<double>(engine() >> 11) / 9007199254740992.0;
  }
  double normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  }
  Matrix matrix(Index rows, Index cols) {
    Matrix out(rows, cols);
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i) out(i, j) = uniform();
    return out;
  }
};

inline KernelSpec simple(const std::string& name, double l, double v = 1.0, Index D = 1) {
  if (name == "linear_brownian") return linear_brownian(l, 1.3, v);
  KernelSpec k;
  k.name = name;
  k.variance = v;
  k.lengthscale = Vector::Constant(D, l);
  if (name == "rq") k.extras["alpha"] = 1.7;
  return k;
}

inline KernelSpec composite(const std::string& name, const KernelSpec& a, const KernelSpec& b) {
  KernelSpec k;
  k.name = name;
  k.variance = name == "sum" ? a.variance + b.variance : a.variance * b.variance;
  k.parts = {a, b};
  return k;
}

inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& one : kernel_registry()) names.push_back(one.first);
  return names;
}

// One of every registered kernel, by name, isotropic or ARD.
inline KernelSpec random_kernel(const std::string& name, Index D, Random& r) {
  if (name == "sum" || name == "product")
    return composite(name, random_kernel("matern52", D, r), random_kernel("rq", D, r));
  KernelSpec k = simple(name, 1.0, r.uniform(0.3, 3), r.uniform() < 0.5 ? 1 : D);
  for (Index d = 0; d < k.lengthscale.size(); ++d)
    k.lengthscale(d) = r.uniform(0.2, 0.6) * std::sqrt(static_cast<double>(D));
  return k;
}

inline SelectorSpec oips(double rho, double max_points = 1000) {
  return {"oips", {{"rho", rho}, {"max_points", max_points}}, Matrix()};
}
inline SelectorSpec fixed(const Matrix& Z) { return {"fixed", {}, Z}; }

inline StreamingGP model(const KernelSpec& k, const SelectorSpec& s, double noise, Index lookback, Index D,
                         double mean = 0) {
  return StreamingGP(Settings{make_kernel(k), make_selector(s), noise, mean, lookback}, D);
}

inline void nothing() {}

inline void stream(StreamingGP& gp, const Matrix& X, const Vector& y, Index batch) {
  for (Index start = 0; start < X.rows(); start += batch) {
    const Index rows = std::min(batch, X.rows() - start);
    gp.update(X.middleRows(start, rows), y.segment(start, rows), nothing);
  }
}

}  // namespace reference

#endif
