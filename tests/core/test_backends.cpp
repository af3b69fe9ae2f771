#include <atomic>
#include <set>

#include <Eigen/Dense>

#include "../../src/core/core.h"
#include "../../src/core/linear/backends/eigen.h"
#include "check.h"

using namespace gpstream;

namespace {

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Matrix out(rows, cols);
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = normal(engine);
  return out;
}

// A lower factor with rubbish above the diagonal.
Matrix random_factor(Index n, unsigned seed) {
  Matrix L = random_matrix(n, n, seed);
  L.diagonal() = L.diagonal().cwiseAbs().array() + static_cast<double>(n);
  return L;
}

struct WithThreads {
  explicit WithThreads(int threads) : before(preferences) {
    wanted() = threads;
    preferences = [] {
      Preferences out;
      out.threads = wanted();
      return out;
    };
  }
  ~WithThreads() { preferences = before; }
  static int& wanted() {
    static int threads = 1;
    return threads;
  }
  Preferences (*before)();
};

StreamingGP model_of(const std::string& kernel, double lengthscale, double noise, const Matrix& X,
                     const Matrix& fixed = Matrix()) {
  KernelSpec spec;
  spec.name = kernel;
  spec.lengthscale = Vector::Constant(1, lengthscale);
  const SelectorSpec select = fixed.size() > 0
                                  ? SelectorSpec{"fixed", {}, fixed}
                                  : SelectorSpec{"oips", {{"rho", 0.9}, {"max_points", 1e4}}, Matrix()};
  StreamingGP gp(Settings{make_kernel(spec), make_selector(select), noise, 0.0, 100}, X.cols());
  gp.update(X, X.col(0).array().sin().matrix(), [] {});
  return gp;
}

}  // namespace

TEST("every back end does what its operations say, on blocks of larger matrices, and writes nowhere else") {
  for (const Backend& use : backends())
    for (const Index n : {1, 2, 7, 33, 100})
      for (const Index m : {1, 5, 64}) {
        const Matrix L = random_factor(n, 1), low = lower(L), B = random_matrix(n, m, 2);
        Matrix room = Matrix::Constant(n + 3, m, 7.0), expected = room;
        room.topRows(n) = B;
        use.solve_lower(L, room.topRows(n));
        expected.topRows(n) = low.inverse() * B;
        CHECK_CLOSE(room, expected, 1e-13);
        room.topRows(n) = B;
        use.solve_lower_transposed(L, room.topRows(n));
        expected.topRows(n) = low.transpose().inverse() * B;
        CHECK_CLOSE(room, expected, 1e-13);
        use.multiply_transposed(L.transpose().eval(), B, room.topRows(n));
        expected.topRows(n) = low * B;
        CHECK_CLOSE(room, expected, 1e-13);
        for (const Index k : {1, 6, 163}) {
          const Matrix A = random_matrix(n, k, 4), C = random_matrix(k, m, 5);
          use.multiply(A, C, room.topRows(n));
          expected.topRows(n) = A * C;
          CHECK_CLOSE(room, expected, 1e-13);
        }
        Matrix S = random_matrix(n, n, 3), sum = S;
        use.add_outer(S, B);
        sum.triangularView<Eigen::Lower>() += B * B.transpose();
        CHECK_CLOSE(S, sum, 1e-13);
        Matrix product = L;
        product.triangularView<Eigen::Lower>() = low * low.transpose();
        CHECK(use.cholesky(product));
        CHECK_CLOSE(product, L, 1e-12);
        Matrix indefinite = Matrix::Identity(n, n);
        indefinite(n - 1, n - 1) = -1.0;
        CHECK(!use.cholesky(indefinite));
      }
}

TEST("a back end is found by its name, and the race runs them all") {
  CHECK(raced().size() == backends().size());
  for (const double seconds : raced()) CHECK(seconds > 0 && seconds < 1);
  const auto before = preferences;
  preferences = [] {
    Preferences out;
    out.backend = "none such";
    return out;
  };
  CHECK_THROWS(backend(), "parameter");
  preferences = before;
}

TEST(
    "the fastest back end that may be used: first of those about as fast, and none in wide vectors where "
    "they are switched off") {
  const auto named = [](const char* name) {
    Backend out = eigen_backend();
    out.name = name;
    return out;
  };
  const std::vector<Backend> three{named("eigen"), named("avx2"), named("blas")};
  const bool before = vector::wide_vectors();
  for (const bool wide : {false, true}) {
    vector::use_wide_vectors(wide);
    const std::size_t avx2 = vector::wide_vectors() ? 1 : 2;
    CHECK(fastest(three, {3.0, 1.0, 2.0}) == avx2);
    CHECK(fastest(three, {3.0, 2.0, 1.0}) == 2);
    CHECK(fastest(three, {1.1, 1.0, 1.0}) == 0);
  }
  vector::use_wide_vectors(before);
}

TEST("parts cover everything once, whatever the number of threads, and what one throws arrives") {
  for (const int threads : {1, 2, 3, 8})
    for (const Index n : {0, 1, 23, 24, 25, 48, 100, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      std::atomic<bool> even{true};
      in_parts(n, threads, [&](Index, Index from, Index count) {
        if (from % 24 != 0) even = false;
        for (Index i = from; i < from + count; ++i) ++seen[static_cast<std::size_t>(i)];
      });
      for (const std::atomic<int>& times : seen) CHECK(times == 1);
      CHECK(even);
    }
  CHECK_THROWS(
      in_parts(100, 2, [](Index which, Index, Index) { require(which == 0, "input", "in a thread"); }),
      "input");
  CHECK_THROWS(
      in_parts(100, 2, [](Index which, Index, Index) { require(which == 1, "input", "in the first"); }),
      "input");
}

TEST("threads change nothing but rounding") {
  const Matrix X = random_matrix(1500, 2, 5), T = random_matrix(3000, 2, 6);
  const StreamingGP one = model_of("se", 0.5, 0.1, X);
  const WithThreads use(2);
  const StreamingGP two = model_of("se", 0.5, 0.1, X);
  CHECK(one.size() == two.size() && one.size() > 100);
  const Prediction of_two = predict(two, T, true, [] {});
  WithThreads::wanted() = 1;
  const Prediction of_one = predict(one, T, true, [] {});
  CHECK_CLOSE(of_two.mean, of_one.mean, 1e-12);
  CHECK_CLOSE(of_two.variance, of_one.variance, 1e-12);
}

TEST(
    "[derivation 2] one factor for the variance agrees with two solves, to rounding in units of the "
    "amplitude") {
  const Matrix X = random_matrix(800, 2, 7), T = random_matrix(600, 2, 8), line = random_matrix(800, 1, 9);
  const Matrix far = (Matrix(5, 2) << 0, 0, 1, 1, 50, 50, 60, 60, -70, 0).finished();
  const auto agrees = [](const StreamingGP& gp, const Matrix& rows, double tolerance) {
    CHECK(VarianceFactor::pays(rows.rows(), gp.size()) && gp.variance_factor());
    Matrix K = gp.kernel().value(gp.points(), rows);
    const Vector many = predict(gp, rows, true, [] {}).variance,
                 solved = gp.v() * variance_by_solves(gp, K, Vector::Ones(rows.rows()));
    CHECK((many.array() > 0).all());
    CHECK(((many - solved).array().abs() <= tolerance * solved.array()).all());
  };
  agrees(model_of("se", 1.5, 0.1, X), T, 1e-9);
  agrees(model_of("matern12", 10.0, 1e-6, X), T, 1e-6);
  agrees(model_of("se", 1.0, 1e-8, line), line,
         1e-4);  // variances of 1e-10: the solves themselves are right to 1e-5
  agrees(model_of("se", 1.0, 0.1, X, far), T, 1e-6);  // points that no row came near
}

TEST(
    "variances that rounding would hide in one factor come from the solves; one point, two points and none, "
    "too") {
  for (const Index M : {0, 1, 2, 40}) {
    Matrix Z(M, 1), T(4 * M + 50, 1);
    for (Index i = 0; i < M; ++i) Z(i, 0) = static_cast<double>(i);
    for (Index i = 0; i < T.rows(); ++i)
      T(i, 0) = i % 2 == 0 && M > 0 ? Z(i / 2 % M, 0) : 0.37 * static_cast<double>(i);
    const double noise = 1e-17;
    StreamingGP gp =
        M > 0 ? model_of("matern12", 1.0, noise, Z, Z) : model_of("matern12", 1.0, noise, Matrix(0, 1));
    CHECK(gp.size() == M);
    const Vector many = predict(gp, T, true, [] {}).variance;
    for (Index i = 0; i < T.rows(); ++i) {
      const Vector one = predict(gp, T.middleRows(i, 1), true, [] {}).variance;
      CHECK(std::abs(many(i) - one(0)) <= 1e-6 * one(0) + 1e-14);
      if (M > 0) CHECK(many(i) > 0.9 * noise);
      if (M > 0 && i % 2 == 0) CHECK(many(i) < noise + 1e-14);  // one row at each point
      if (M == 0) CHECK(many(i) == 1.0);
    }
  }
}

TEST("the variance factor does not outlive what it was made from") {
  const Matrix X = random_matrix(300, 1, 10);
  StreamingGP gp = model_of("se", 1.0, 0.1, X);
  const Vector before = predict(gp, X, true, [] {}).variance;
  gp.update(X, X.col(0), [] {});
  const Vector after = predict(gp, X, true, [] {}).variance;
  CHECK((after.array() < before.array()).all());
  gp.set_scale(2.0 * gp.v(), 2.0 * gp.s2(), 0.0);
  CHECK_CLOSE(predict(gp, X, true, [] {}).variance, 2.0 * after, 1e-12);
}
