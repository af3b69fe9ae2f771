// Every kernel, found by its name in the registry, one with a diagonal that is not 1, and sums and products
// with it, against a double loop in extended precision and against differences.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

// One of each, and composites of unlike parts.
std::vector<KernelSpec> every_kernel(Index D, Random& r) {
  std::vector<KernelSpec> out;
  for (const std::string& name : kernel_names()) out.push_back(random_kernel(name, D, r));
  const KernelSpec se = random_kernel("se", D, r), other = random_kernel("linear_brownian", D, r);
  out.push_back(composite("sum", se, other));
  out.push_back(composite("product", other, se));
  out.push_back(composite("sum", composite("product", se, other), composite("sum", other, se)));
  return out;
}

// Is the correlation a decreasing function of a distance in all columns?
bool falls_with_distance(const KernelSpec& k) {
  static const std::vector<std::string> names = {"se", "matern12", "matern32", "matern52", "rq"};
  if (k.name == "sum" || k.name == "product")
    return std::all_of(k.parts.begin(), k.parts.end(), falls_with_distance);
  return k.columns.empty() && std::count(names.begin(), names.end(), k.name) > 0;
}

Vector values_of(const Kernel& kernel) {
  Vector out(kernel.parameter_count());
  for (Index i = 0; i < out.size(); ++i) out(i) = kernel.parameters()[static_cast<std::size_t>(i)].value;
  return out;
}

// The kernel with parameter i moved by h on the scale of its slope.
KernelPtr moved(const Kernel& kernel, Index i, double h) {
  Vector values = values_of(kernel);
  values(i) = kernel.parameters()[static_cast<std::size_t>(i)].log ? values(i) * std::exp(h) : values(i) + h;
  return make_kernel(kernel.with_parameters(values));
}

Vector diagonal_of(const Kernel& kernel, const Matrix& A) {
  Vector out(A.rows());
  kernel.diagonal(A, out);
  return out;
}

// f'(0), to order h^4
template <class Function>
double slope_of(Function f, double h) {
  const auto central = [&](double step) { return (f(step) - f(-step)) / (2 * step); };
  return (4 * central(h) - central(2 * h)) / 3;
}

// `pull` adds slopes and moves of S; they must be the differences of `sum(kernel, A)`.
template <class Sum, class Pull>
void check_pull(const Kernel& kernel, const Matrix& A, Sum sum, Pull pull) {
  Vector slope = Vector::Zero(kernel.parameter_count()), again = slope, by_differences = slope;
  Matrix moves = Matrix::Zero(A.rows(), A.cols()), none(0, A.cols()), moves_by_differences = moves;
  pull(slope, MatrixView(moves));
  pull(again, MatrixView(none));
  for (Index i = 0; i < slope.size(); ++i)
    by_differences(i) = slope_of([&](double h) { return sum(*moved(kernel, i, h), A); }, 1e-3);
  for (Index i = 0; i < A.rows(); ++i)
    for (Index d = 0; d < A.cols(); ++d)
      moves_by_differences(i, d) = slope_of(
          [&](double h) {
            Matrix other = A;
            other(i, d) += h;
            return sum(kernel, other);
          },
          1e-4);
  CHECK(slope == again);
  CHECK(check::difference(slope, by_differences, 1e-3) <= 1e-6);
  CHECK(check::difference(moves, moves_by_differences, 1e-3) <= 1e-6);
}

}  // namespace

TEST(
    "kernel matrices are the definitions, isotropic and ARD, symmetric, positive semi-definite; the diagonal "
    "is theirs") {
  const WithLinearBrownian registered;
  Random r(1);
  for (int i = 0; i < 10; ++i) {
    const Index D = 1 + i % 4;
    for (const KernelSpec& k : every_kernel(D, r)) {
      const Matrix A = r.matrix(9, D) * 2, B = r.matrix(7, D) * 2;
      const KernelPtr kernel = make_kernel(k);
      CHECK_CLOSE(Matrix(kernel->variance() * kernel->value(A, B)), reference::matrix(k, A, B).cast<double>(),
                  1e-14);
      const Matrix C = kernel->value(A, A);
      CHECK_CLOSE(C.diagonal().eval(), diagonal_of(*kernel, A), 1e-15);
      CHECK(!kernel->unit_diagonal() || diagonal_of(*kernel, A) == Vector::Ones(9));
      CHECK_CLOSE(C, C.transpose().eval(), 1e-16);
      CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(C).eigenvalues().minCoeff() > -1e-12);
    }
  }
}

TEST("pull_back and pull_diagonal are differences, by every parameter and every input") {
  const WithLinearBrownian registered;
  Random r(4);
  for (int run = 0; run < 4; ++run) {
    const Index D = 1 + run % 3;
    Matrix A = r.matrix(6, D), B = r.matrix(5, D);
    for (Index i = 0; i < 6; ++i)
      A(i, 0) = (static_cast<double>(i) + 0.2 + 0.2 * A(i, 0)) / 6;  // away from kinks
    for (Index j = 0; j < 5; ++j) B(j, 0) = (static_cast<double>(j) + 0.6 + 0.2 * B(j, 0)) / 6;
    const Matrix bar = r.matrix(6, 5).array() - 0.4;
    const Vector own_bar = bar.col(0);
    for (const KernelSpec& k : every_kernel(D, r)) {
      const KernelPtr kernel = make_kernel(k);
      check_pull(
          *kernel, A,
          [&](const Kernel& one, const Matrix& at) { return one.value(at, B).cwiseProduct(bar).sum(); },
          [&](VectorView slope, MatrixView moves) { kernel->pull_back(A, B, bar, slope, moves); });
      check_pull(
          *kernel, A, [&](const Kernel& one, const Matrix& at) { return diagonal_of(one, at).dot(own_bar); },
          [&](VectorView slope, MatrixView moves) { kernel->pull_diagonal(A, own_bar, slope, moves); });
      const Vector by_variance = kernel->amplitude_slope();
      for (Index i = 0; i < by_variance.size(); ++i) {
        const double slope =
            slope_of([&](double h) { return std::log(moved(*kernel, i, h)->variance()); }, 1e-3);
        CHECK(std::abs(by_variance(i) - slope) <= 1e-9);
      }
    }
  }
}

namespace {

// Has the process no derivative along column d?
bool is_rough(const KernelSpec& k, Index d) {
  static const std::vector<std::string> names = {"matern12", "brownian", "factor", "linear_brownian"};
  if (!k.columns.empty() && std::count(k.columns.begin(), k.columns.end(), d) == 0) return false;
  if (std::count(names.begin(), names.end(), k.name) > 0) return true;
  return std::any_of(k.parts.begin(), k.parts.end(), [d](const KernelSpec& one) { return is_rough(one, d); });
}

// dk1/da_d of all pairs, by pull_back, a pair at a time
Matrix pulled(const Kernel& kernel, const Matrix& A, const Matrix& B, Index d) {
  Matrix out(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) {
      Vector slope = Vector::Zero(kernel.parameter_count());
      Matrix moves = Matrix::Zero(1, A.cols());
      kernel.pull_back(A.row(i), B.row(j), Matrix::Ones(1, 1), slope, moves);
      out(i, j) = moves(0, d);
    }
  return out;
}

}  // namespace

TEST(
    "slopes along a column are those of pull_back, mixed ones their differences, and with the values a "
    "covariance; rough kernels have none") {
  const WithLinearBrownian registered;
  Random r(6);
  for (int run = 0; run < 4; ++run) {
    const Index D = 1 + run % 3;
    Matrix A = r.matrix(6, D), B = r.matrix(5, D);
    for (Index i = 0; i < 6; ++i)
      A(i, 0) = (static_cast<double>(i) + 0.2 + 0.2 * A(i, 0)) / 6;  // away from kinks
    for (Index j = 0; j < 5; ++j) B(j, 0) = (static_cast<double>(j) + 0.6 + 0.2 * B(j, 0)) / 6;
    std::vector<KernelSpec> kernels = every_kernel(D, r);
    kernels.push_back(composite("product", random_kernel("gibbs", D, r), random_kernel("periodic", D, r)));
    kernels.push_back(
        composite("product", random_kernel("integrated_brownian", D, r),
                  composite("sum", random_kernel("linear", D, r), random_kernel("warped", D, r))));
    for (const KernelSpec& k : kernels)
      for (Index d = 0; d < D; ++d) {
        const KernelPtr kernel = make_kernel(k);
        const std::optional<Along> found = kernel->along(A, B, d);
        CHECK(found.has_value() == !is_rough(k, d));
        if (!found) continue;
        CHECK_CLOSE(found->k, kernel->value(A, B), 1e-15);
        CHECK(check::difference(found->a, pulled(*kernel, A, B, d), 1e-3) <= 1e-12);
        CHECK(check::difference(found->b.transpose().eval(), pulled(*kernel, B, A, d), 1e-3) <= 1e-12);
        Matrix mixed(6, 5);
        for (Index i = 0; i < 6; ++i)
          for (Index j = 0; j < 5; ++j)
            mixed(i, j) = slope_of(
                [&](double h) {
                  Matrix other = B;
                  other(j, d) += h;
                  return pulled(*kernel, A.row(i), other.row(j), d)(0, 0);
                },
                2e-5);
        CHECK(check::difference(found->ab, mixed, 1e-2) <= 1e-6);
        // f and f' at the same rows; at distance 0, where differences would cross a kink, by continuity
        const Along own = *kernel->along(A, A, d);
        Matrix near = A, joint(12, 12);
        near.col(d).array() += 1e-9;
        CHECK(check::difference(own.ab, kernel->along(A, near, d)->ab, 1.0) <= 1e-6);
        joint << own.k, own.b, own.a, own.ab;
        CHECK_CLOSE(joint, joint.transpose().eval(), 1e-14);
        const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(joint).eigenvalues();
        CHECK(values.minCoeff() > -1e-13 * std::max(values.maxCoeff(), 1.0));
      }
  }
}

TEST("slopes far away are 0, and finite at huge distances") {
  Matrix A(2, 1), B(2, 1);
  A << -1e308, 0;
  B << 1e308, 1e-320;
  for (const char* name : {"se", "matern32", "matern52", "rq"}) {
    const Along found = *make_kernel(simple(name, 1e-3))->along(A, B, 0);
    CHECK(found.a.allFinite() && found.ab.allFinite() && std::abs(found.ab(0, 0)) < 1e-100);
    CHECK(found.ab(1, 1) > 0);
  }
}

TEST(
    "parameters have unique names, in the order in which a kernel declares them; what does not change keeps "
    "its bits") {
  const WithLinearBrownian registered;
  Random r(5);
  for (Index D : {1, 3})
    for (const KernelSpec& k : every_kernel(D, r)) {
      const KernelPtr kernel = make_kernel(k);
      std::map<std::string, int> names;
      for (const Parameter& one : kernel->parameters()) {
        ++names[one.name];
        CHECK(one.lower <= one.value && one.value <= one.upper && (!one.log || one.lower >= 0));
      }
      CHECK(static_cast<Index>(names.size()) == kernel->parameter_count());
      CHECK(same(kernel->with_parameters(values_of(*kernel)), k));
      for (Index i = 0; i < kernel->parameter_count(); ++i) {
        const Vector after = values_of(*moved(*kernel, i, 0.1)), before = values_of(*kernel);
        for (Index j = 0; j < after.size(); ++j) CHECK((after(j) == before(j)) == (i != j));
      }
      CHECK_THROWS(kernel->with_parameters(Vector::Ones(kernel->parameter_count() + 1)), "dimension");
    }
  std::string all;
  const KernelSpec part = linear_brownian(2, 3), se = simple("se", 1, 1, 2);
  for (const Parameter& one :
       make_kernel(composite("sum", composite("product", se, part), part))->parameters())
    all += one.name + " ";
  CHECK(
      all ==
      "product.se.lengthscale1 product.se.lengthscale2 product.se.variance product.linear_brownian.variance "
      "product.linear_brownian.slope product.linear_brownian.brownian linear_brownian.variance "
      "linear_brownian.slope linear_brownian.brownian ");
  CHECK(make_kernel(composite("sum", se, se))->parameters()[5].name == "se1.variance");
}

TEST(
    "the radius is where the correlation is rho, along every axis, to the ends of the range, if there is "
    "one") {
  const WithLinearBrownian registered;
  Random r(2);
  for (double rho : {1e-3, 0.1, 0.5, 0.8, 0.99, 0.999999}) {
    const Index D = 3;
    for (const KernelSpec& k : every_kernel(D, r)) {
      const KernelPtr kernel = make_kernel(k);
      const std::optional<Vector> radius = kernel->radius(rho, D);
      CHECK(radius.has_value() == falls_with_distance(k));
      for (Index d = 0; d < D && radius; ++d) {
        Matrix z = Matrix::Zero(1, D);
        z(0, d) = (*radius)(d);
        const double got = kernel->value(Matrix::Zero(1, D), z)(0, 0);
        CHECK(std::abs(got - rho) <= 1e-11 * rho);
      }
    }
  }
}

TEST("far away is 0 and huge distances are finite") {
  Matrix A(2, 1), B(2, 1);
  A << -1e308, 0;
  B << 1e308, 1e-320;
  for (const char* name : {"se", "matern12", "matern32", "matern52", "rq"}) {
    const Matrix K = make_kernel(simple(name, 1e-3))->value(A, B);
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
  const auto rq_with = [](const std::map<std::string, double>& extras) {
    KernelSpec rq = simple("rq", 1);
    rq.extras = extras;
    return rq;
  };
  CHECK_THROWS(make_kernel(rq_with({})), "parameter");
  CHECK_THROWS(make_kernel(rq_with({{"alpha", 0.0}})), "parameter");
  CHECK_THROWS(make_kernel(rq_with({{"alpha", 1.0}, {"beta", 1.0}})), "parameter");
  CHECK_THROWS(make_kernel(simple("se", 1, 1, 3))->value(Matrix::Zero(2, 2), Matrix::Zero(2, 2)),
               "dimension");
}
