#include "reference.h"

#include <Eigen/Dense>

#include "../../src/core/core.h"
#include "check.h"
#include "linear_brownian.h"

namespace reference {

Real profile(const KernelSpec& k, Real r2) {
  const Real r = std::sqrt(r2);
  if (k.name == "se") return std::exp(-r2);
  if (k.name == "matern12") return std::exp(-r);
  if (k.name == "matern32") return (1 + std::sqrt(Real(3)) * r) * std::exp(-std::sqrt(Real(3)) * r);
  if (k.name == "matern52")
    return (1 + std::sqrt(Real(5)) * r + 5 * r2 / 3) * std::exp(-std::sqrt(Real(5)) * r);
  const Real alpha = k.extras.at("alpha");
  return std::pow(1 + r2 / alpha, -alpha);
}

namespace {

// A function that is straight between the knots of a kernel, constant beyond them, and 0 at the first.
Real at_knots(const KernelSpec& k, const std::string& name, Real x) {
  const Vector& knots = k.fixed.at("knots");
  const auto value_at = [&](Index i) -> Real {
    return i == 0 ? 0 : k.extras.at(name + std::to_string(i + 1));
  };
  const Index last = knots.size() - 1;
  if (x <= knots(0)) return 0;
  if (x >= knots(last)) return value_at(last);
  Index i = 0;
  while (x >= knots(i + 1)) ++i;
  const Real f = (x - knots(i)) / (Real(knots(i + 1)) - knots(i));
  return value_at(i) + f * (value_at(i + 1) - value_at(i));
}

}  // namespace

Index along(const KernelSpec& k) {
  return k.fixed.count("along") ? static_cast<Index>(k.fixed.at("along")(0)) - 1 : 0;
}

namespace {

// The integral of e^-s from the first knot to x, piece by piece between the knots that lie between.
Real warp(const KernelSpec& k, Real x) {
  const Vector& knots = k.fixed.at("knots");
  const Real low = std::min(x, Real(knots(0))), high = std::max(x, Real(knots(0)));
  std::vector<Real> ends{low, high};
  for (Index i = 1; i < knots.size(); ++i)
    if (knots(i) > low && knots(i) < high) ends.push_back(knots(i));
  std::sort(ends.begin(), ends.end());
  Real sum = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const Real from = at_knots(k, "warp", ends[i - 1]), rise = at_knots(k, "warp", ends[i]) - from;
    const Real mean = std::abs(rise) < 1e-12L ? Real(1) : -std::expm1(-rise) / rise;
    sum += (ends[i] - ends[i - 1]) * std::exp(-from) * mean;
  }
  return x < knots(0) ? -sum : sum;
}

// The kernels that are no function of a distance.
Real unlike(const KernelSpec& k, const RowVector& a, const RowVector& b) {
  const Real pi = std::acos(Real(-1));
  if (k.name == "constant") return 1;
  if (k.name == "factor") return a == b ? 1 : Real(k.extras.at("correlation"));
  if (k.name == "amplitude")
    return std::exp(at_knots(k, "amplitude", a(along(k))) + at_knots(k, "amplitude", b(along(k))));
  Real sum = 0;
  const Index D = a.size();
  const auto l = [&](Index d) { return Real(k.lengthscale(k.lengthscale.size() == 1 ? 0 : d)); };
  if (k.name == "periodic") {
    for (Index d = 0; d < D; ++d)
      sum += std::pow(std::sin(pi * (Real(a(d)) - Real(b(d))) / Real(k.extras.at("period"))) / l(d), 2);
    return std::exp(-sum);
  }
  if (k.name == "cosine") {
    for (Index d = 0; d < D; ++d)
      sum += Real(k.extras.at(D == 1 ? "frequency" : "frequency" + std::to_string(d + 1))) *
             (Real(a(d)) - Real(b(d)));
    return std::cos(2 * pi * sum);
  }
  if (k.name == "gibbs") {
    const Real s = std::exp(at_knots(k, "stretch", a(along(k)))),
               z = std::exp(at_knots(k, "stretch", b(along(k))));
    for (Index d = 0; d < D; ++d) sum += std::pow((Real(a(d)) - Real(b(d))) / l(d), 2);
    return std::pow(2 * s * z / (s * s + z * z), Real(D) / 2) * std::exp(-2 * sum / (s * s + z * z));
  }
  const Vector &origin = k.fixed.at("origin"), &scale = k.fixed.at("scale");
  const auto t = [&](const RowVector& x, Index d) { return (Real(x(d)) - Real(origin(d))) / Real(scale(d)); };
  if (k.name == "linear") {
    for (Index d = 0; d < D; ++d) sum += t(a, d) * t(b, d);
    return sum;
  }
  const Real x = t(a, 0), z = t(b, 0), m = std::min(std::abs(x), std::abs(z)),
             M = std::max(std::abs(x), std::abs(z));
  if (x * z <= 0) return 0;
  return k.name == "brownian" ? m : m * m * (3 * M - m) / 6;
}

}  // namespace

Real value(const KernelSpec& k, const RowVector& a, const RowVector& b) {
  if (!k.columns.empty()) {
    KernelSpec inner = k;
    inner.columns.clear();
    RowVector u(Index(k.columns.size())), v(u.size());
    for (Index d = 0; d < u.size(); ++d) {
      u(d) = a(k.columns[static_cast<std::size_t>(d)]);
      v(d) = b(k.columns[static_cast<std::size_t>(d)]);
    }
    return value(inner, u, v);
  }
  if (k.name == "warped") {
    RowVector u = a, v = b;
    u(along(k)) = static_cast<double>(warp(k, a(along(k))));
    v(along(k)) = static_cast<double>(warp(k, b(along(k))));
    return value(k.parts.front(), u, v);
  }
  if (!k.parts.empty()) {
    Real out = k.name == "sum" ? 0 : 1;
    for (const KernelSpec& part : k.parts)
      k.name == "sum" ? out += value(part, a, b) : out *= value(part, a, b);
    return out;
  }
  if (k.name == "linear_brownian")
    return Real(k.variance) * (Real(k.extras.at("slope")) * a.cast<Real>().dot(b.cast<Real>()) +
                               Real(k.extras.at("brownian")) * Real(std::min(a(0), b(0))));
  static const std::vector<std::string> by_distance = {"se", "matern12", "matern32", "matern52", "rq"};
  if (std::count(by_distance.begin(), by_distance.end(), k.name) == 0)
    return Real(k.variance) * unlike(k, a, b);
  Real r2 = 0;
  for (Index d = 0; d < a.size(); ++d) {
    const Real t = (Real(a(d)) - Real(b(d))) / Real(k.lengthscale(k.lengthscale.size() == 1 ? 0 : d));
    r2 += t * t;
  }
  return Real(k.variance) * profile(k, r2);
}

LMatrix matrix(const KernelSpec& k, const Matrix& A, const Matrix& B) {
  LMatrix out(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) out(i, j) = value(k, A.row(i), B.row(j));
  return out;
}

Matrix correlations(const KernelSpec& k, const Matrix& A, const Matrix& B) {
  Matrix out(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) {
      const Real both = value(k, A.row(i), A.row(i)) * value(k, B.row(j), B.row(j));
      out(i, j) =
          both > 0 ? static_cast<double>(std::abs(value(k, A.row(i), B.row(j))) / std::sqrt(both)) : 1.0;
    }
  return out;
}

Answer batch(const KernelSpec& k, const Matrix& Z, const Matrix& X, const Vector& y, Real s2,
             const Matrix& at, const Vector& weights) {
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

double condition(const KernelSpec& k, const Matrix& Z) {
  const Matrix K = matrix(k, Z, Z).cast<double>();
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K, Eigen::EigenvaluesOnly).eigenvalues();
  return values(values.size() - 1) / std::max(values(0), 1e-300);
}

double Random::uniform(double a, double b) {
  return a + (b - a) * static_cast<double>(engine() >> 11) / 9007199254740992.0;
}

double Random::normal() {
  return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
}

Matrix Random::matrix(Index rows, Index cols) {
  Matrix out(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) out(i, j) = uniform();
  return out;
}

KernelSpec simple(const std::string& name, double l, double v, Index D) {
  if (name == "linear_brownian") return linear_brownian(l, 1.3, v);
  KernelSpec k;
  k.name = name;
  k.variance = v;
  k.lengthscale = Vector::Constant(D, l);
  if (name == "rq") k.extras["alpha"] = 1.7;
  return k;
}

KernelSpec composite(const std::string& name, const KernelSpec& a, const KernelSpec& b) {
  KernelSpec k;
  k.name = name;
  k.variance = name == "sum" ? a.variance + b.variance : a.variance * b.variance;
  k.parts = {a, b};
  return k;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& one : kernel_registry()) names.push_back(one.first);
  return names;
}

std::vector<std::string> names_by_distance() {
  return {"matern12", "matern32", "matern52", "product", "rq", "se", "sum"};
}

KernelSpec random_kernel(const std::string& name, Index D, Random& r) {
  if (name == "sum" || name == "product")
    return composite(name, random_kernel("matern52", D, r), random_kernel("rq", D, r));
  KernelSpec k = simple(name, 1.0, r.uniform(0.3, 3), r.uniform() < 0.5 ? 1 : D);
  for (Index d = 0; d < k.lengthscale.size(); ++d)
    k.lengthscale(d) = r.uniform(0.2, 0.6) * std::sqrt(static_cast<double>(D));
  static const std::vector<std::string> by_length = {"se", "matern12", "matern32", "matern52",
                                                     "rq", "periodic", "gibbs"};
  if (std::count(by_length.begin(), by_length.end(), name) == 0) k.lengthscale.resize(0);
  const auto a_column = [&] { return static_cast<Index>(r.uniform(0, static_cast<double>(D) - 1e-9)); };
  const auto with_knots = [&](const std::string& value) {
    k.fixed["knots"] = (Vector(4) << 0.047, 0.31, 0.62, 0.93).finished();
    k.fixed["along"] = Vector::Constant(1, 1.0 + static_cast<double>(a_column()));
    for (const char* number : {"2", "3", "4"}) k.extras[value + number] = r.uniform(-1, 1);
  };
  if (name == "periodic") k.extras["period"] = r.uniform(0.3, 0.8);
  if (name == "gibbs") with_knots("stretch");
  if (name == "amplitude") with_knots("amplitude");
  if (name == "factor") k.extras["correlation"] = r.uniform(0.1, 0.9);
  for (Index d = 0; d < D && name == "cosine"; ++d)
    k.extras[D == 1 ? "frequency" : "frequency" + std::to_string(d + 1)] = r.uniform(-1, 1);
  if (name == "warped") {
    k.parts = {random_kernel("matern52", D, r)};
    k.variance = k.parts.front().variance;
    with_knots("warp");
  }
  if (name == "linear") {
    k.fixed["origin"] = r.matrix(D, 1);
    k.fixed["scale"] = (0.5 + r.matrix(D, 1).array()).matrix();
  }
  if (name == "brownian" || name == "integrated_brownian") {
    k.fixed["origin"] = Vector::Constant(1, -0.1);
    k.fixed["scale"] = Vector::Constant(1, r.uniform(0.5, 2));
    k.columns = {a_column()};
  }
  return k;
}

SelectorSpec oips(double rho, double max_points) {
  return {"oips", {{"rho", rho}, {"max_points", max_points}}, Matrix()};
}

SelectorSpec fixed(const Matrix& Z) { return {"fixed", {}, Z}; }

StreamingGP model(const KernelSpec& k, const SelectorSpec& s, double noise, Index lookback, Index D,
                  double mean) {
  return StreamingGP(Settings{make_kernel(k), make_selector(s), noise, mean, lookback}, D);
}

void stream(StreamingGP& gp, const Matrix& X, const Vector& y, Index batch) {
  for (Index start = 0; start < X.rows(); start += batch) {
    const Index rows = std::min(batch, X.rows() - start);
    gp.update(X.middleRows(start, rows), y.segment(start, rows), nothing);
  }
}

}  // namespace reference
