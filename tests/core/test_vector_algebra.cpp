// The linear algebra on vectors of four, against Eigen's and against the definition of what they solve.
#include "../../src/core/linear/vector/algebra.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

#if GPSTREAM_WIDE
namespace {

// Sizes around the tiles of 12 x 4, and beyond a block of 160 or a group of 96.
std::vector<Index> sizes() {
  std::vector<Index> out;
  for (Index n = 0; n <= 40; ++n) out.push_back(n);
  for (Index n : {47, 48, 49, 61, 70, 95, 97, 100, 159, 161, 257, 330}) out.push_back(n);
  return out;
}
const Index widths[] = {0, 1, 4, 5, 11, 12, 13, 26, 97, 110};

constexpr double untouched = 77;

// A matrix within a larger one: whatever else is written there is seen.
struct Within {
  explicit Within(const Matrix& values, Index more = 3)
      : rows(values.rows()), cols(values.cols()), store(rows + more, cols + 2) {
    store.setConstant(untouched);
    inside() = values;
  }
  Eigen::Block<Matrix> inside() { return store.block(1, 1, rows, cols); }
  double* data() { return store.data() + 1 + store.rows(); }
  Index stride() const { return store.rows(); }
  bool intact() {
    Matrix rest = store;
    rest.block(1, 1, rows, cols).setConstant(untouched);
    return (rest.array() == untouched).all();
  }
  Index rows, cols;
  Matrix store;
};

// Values above the diagonal that must be neither read nor written
Matrix lower_with_rubbish(Matrix L) {
  L.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  return L;
}
bool rubbish_stays(const Matrix& L) {
  for (Index j = 0; j < L.cols(); ++j)
    for (Index i = 0; i < j; ++i)
      if (!std::isnan(L(i, j))) return false;
  return true;
}

// And as numbers, since what is added to NaN does not show.
Matrix lower_with_numbers(Matrix L) {
  L.triangularView<Eigen::StrictlyUpper>().setConstant(untouched);
  return L;
}
bool numbers_stay(const Matrix& L) {
  for (Index j = 0; j < L.cols(); ++j)
    for (Index i = 0; i < j; ++i)
      if (L(i, j) != untouched) return false;
  return true;
}

// The factor of the matrix of a smooth kernel as OIPS chooses its points, and with that as ill-conditioned as
// factors get here.
Matrix factor(Index n, double spacing) {
  Matrix Z(n, 1);
  for (Index i = 0; i < n; ++i) Z(i, 0) = spacing * static_cast<double>(i);
  Matrix K = make_kernel(simple("matern52", 1))->value(Z, Z);
  CHECK(n == 0 || gpstream::cholesky(K));
  return lower(K);
}

bool supported() { return vector::wide_supported(); }

// largest |a - b| relative to the largest entry, 0 for nothing
double apart(const Matrix& a, const Matrix& b) { return a.size() == 0 ? 0.0 : check::difference(a, b); }

}  // namespace

TEST("vectors: triangular solves and products are Eigen's, at every size, within larger matrices") {
  Random r(1);
  if (!supported()) return;
  for (Index n : sizes())
    for (Index m : widths) {
      Matrix L = r.matrix(n, n) / std::max<double>(1, static_cast<double>(n));
      L.diagonal().array() = 1 + r.matrix(n, 1).array().abs();
      const Matrix B = r.matrix(n, m), clean = lower(L);
      Within rubbish(lower_with_rubbish(L)), X(B), T(B, 4), P(B, 6), C(Matrix::Zero(n, m), 5),
          upper(lower_with_rubbish(L).transpose());
      vector::solve_lower(n, m, rubbish.data(), rubbish.stride(), X.data(), X.stride());
      vector::solve_lower_transposed(n, m, rubbish.data(), rubbish.stride(), T.data(), T.stride());
      vector::multiply_upper_transposed(n, m, upper.data(), upper.stride(), P.data(), P.stride(), C.data(),
                                        C.stride());
      vector::multiply_upper_transposed(n, m, upper.data(), upper.stride(), P.data(), P.stride(), P.data(),
                                        P.stride());
      CHECK(X.intact() && T.intact() && P.intact() && C.intact());
      if (n == 0 || m == 0) continue;
      CHECK(apart(X.inside(), clean.triangularView<Eigen::Lower>().solve(B)) < 1e-14);
      CHECK(apart(T.inside(), clean.triangularView<Eigen::Lower>().transpose().solve(B)) < 1e-14);
      CHECK(apart(C.inside(), clean * B) < 1e-14);
      CHECK(apart(P.inside(), C.inside()) == 0);
      // to the last bit the same in other company
      Matrix some = B.rightCols(m - m / 2);
      vector::solve_lower(n, some.cols(), clean.data(), n, some.data(), n);
      CHECK(apart(some, X.inside().rightCols(some.cols())) == 0);
    }
}

TEST("vectors: ill-conditioned triangles: as good as Eigen, by the residual and by the difference") {
  Random r(2);
  if (!supported()) return;
  for (Index n : {24, 100, 257, 500})
    for (double spacing : {0.6, 0.1, 0.02}) {
      const Matrix L = factor(n, spacing), B = r.matrix(n, 31);
      // what the model solves for: kernel columns, whose features are of length 1 at most although L^-1 is
      // large
      Matrix Z(n, 1), at = spacing * static_cast<double>(n) * r.matrix(31, 1);
      for (Index i = 0; i < n; ++i) Z(i, 0) = spacing * static_cast<double>(i);
      const Matrix K = make_kernel(simple("matern52", 1))->value(Z, at);
      for (const Matrix& rhs : {B, K}) {
        Matrix X = rhs, T = rhs;
        vector::solve_lower(n, 31, L.data(), n, X.data(), n);
        vector::solve_lower_transposed(n, 31, L.data(), n, T.data(), n);
        const Matrix eigen = L.triangularView<Eigen::Lower>().solve(rhs);
        const Matrix eigen_t = L.triangularView<Eigen::Lower>().transpose().solve(rhs);
        // row by row |L x - b| <= a few units of |L| |x|
        const Matrix size = L.cwiseAbs() * X.cwiseAbs(), size_t = L.cwiseAbs().transpose() * T.cwiseAbs();
        const double bound = 2.3e-16 * static_cast<double>(n);
        CHECK(((L * X - rhs).cwiseAbs().array() <= bound * size.array()).all());
        CHECK(((L.transpose() * T - rhs).cwiseAbs().array() <= bound * size_t.array()).all());
        // two stable ways may differ by the condition number; neither is further from the truth
        const LMatrix exact = L.cast<Real>().triangularView<Eigen::Lower>().solve(rhs.cast<Real>());
        const LMatrix exact_t =
            L.cast<Real>().triangularView<Eigen::Lower>().transpose().solve(rhs.cast<Real>());
        const auto off = [](const Matrix& got, const LMatrix& truth) {
          return apart(got, truth.cast<double>());
        };
        CHECK(off(X, exact) <= 5 * off(eigen, exact) + 1e-15 &&
              off(T, exact_t) <= 5 * off(eigen_t, exact_t) + 1e-15);
        if (spacing >= 0.1) CHECK(apart(X, eigen) < 1e-12 && apart(T, eigen_t) < 1e-12);
      }
    }
}

TEST("vectors: S + A A' and S - A A' are Eigen's; nothing above the diagonal is read or written") {
  Random r(3);
  if (!supported()) return;
  for (Index n : sizes())
    for (Index k : {0, 1, 3, 12, 97, 161, 330}) {
      const Matrix S = r.matrix(n, n), A = r.matrix(n, k);
      Within plus(lower_with_rubbish(S)), minus(lower_with_rubbish(S), 8), factor(A, 5);
      vector::add_outer(n, k, factor.data(), factor.stride(), plus.data(), plus.stride());
      vector::add_outer<false>(n, k, factor.data(), factor.stride(), minus.data(), minus.stride());
      CHECK(plus.intact() && minus.intact() && rubbish_stays(plus.inside()) && rubbish_stays(minus.inside()));
      Matrix numbers = lower_with_numbers(S);
      vector::add_outer(n, k, factor.data(), factor.stride(), numbers.data(), n);
      CHECK(numbers_stay(numbers));
      CHECK(apart(lower(Matrix(plus.inside())), lower(Matrix(S + A * A.transpose()))) < 1e-13);
      CHECK(apart(lower(Matrix(minus.inside())), lower(Matrix(S - A * A.transpose()))) < 1e-13);
    }
}

TEST(
    "vectors: the Cholesky factor is Eigen's, in place in the lower triangle; what is not positive definite "
    "is refused") {
  Random r(4);
  if (!supported()) return;
  for (Index n : sizes()) {
    const Matrix A = r.matrix(n, n + 3);
    const Matrix S = A * A.transpose() + Matrix::Identity(n, n);
    Within own(lower_with_rubbish(S));
    CHECK(vector::cholesky(n, own.data(), own.stride()));
    CHECK(own.intact() && rubbish_stays(own.inside()));
    Matrix numbers = lower_with_numbers(S);
    CHECK(vector::cholesky(n, numbers.data(), n) && numbers_stay(numbers));
    const Matrix C = lower(Matrix(own.inside()));
    CHECK(apart(C * C.transpose(), S) < 1e-14);
    CHECK(apart(C, Matrix(Eigen::LLT<Matrix>(S).matrixL())) < 1e-12);
    for (Index bad : {Index(0), n / 2, n - 1}) {
      if (bad < 0 || bad >= n) continue;
      for (double value : {-1.0, 0.0, std::nan("")}) {
        Matrix broken = S;
        broken(bad, bad) = value;
        CHECK(!vector::cholesky(n, broken.data(), n));
      }
    }
  }
  // as badly conditioned as kernel matrices are
  for (double spacing : {0.1, 0.03}) {
    const Matrix L = factor(300, spacing);
    Matrix K = L * L.transpose();
    const Matrix before = K;
    CHECK(vector::cholesky(300, K.data(), 300));
    CHECK(apart(lower(K) * lower(K).transpose(), before) < 1e-15);
  }
}

TEST(
    "vectors: solves for one vector and updates by one are Eigen's; nothing above the diagonal is read or "
    "written") {
  Random r(5);
  if (!supported()) return;
  for (Index n : sizes()) {
    Matrix L = r.matrix(n, n) / std::max<double>(1, static_cast<double>(n));
    L.diagonal().array() = 1 + r.matrix(n, 1).array().abs();
    const Matrix w = r.matrix(n, 1), clean = lower(L);
    Within factor(lower_with_rubbish(L)), x(w), t(w), S(lower_with_rubbish(L), 4),
        C(lower_with_rubbish(L), 5), used(w);
    vector::solve_lower(n, factor.data(), factor.stride(), x.data());
    vector::solve_lower_transposed(n, factor.data(), factor.stride(), t.data());
    const Matrix a = w;
    vector::add_outer(n, a.data(), S.data(), S.stride());
    vector::cholesky_update(n, C.data(), C.stride(), used.data());
    CHECK(x.intact() && t.intact() && used.intact() && S.intact() && C.intact());
    CHECK(rubbish_stays(S.inside()) && rubbish_stays(C.inside()));
    Matrix sum = lower_with_numbers(L), rotated_in = sum, v = w;
    vector::add_outer(n, a.data(), sum.data(), n);
    vector::cholesky_update(n, rotated_in.data(), n, v.data());
    CHECK(numbers_stay(sum) && numbers_stay(rotated_in));
    if (n == 0) continue;
    CHECK(apart(x.inside(), clean.triangularView<Eigen::Lower>().solve(w)) < 1e-14);
    CHECK(apart(t.inside(), clean.triangularView<Eigen::Lower>().transpose().solve(w)) < 1e-14);
    CHECK(apart(lower(Matrix(S.inside())), lower(Matrix(clean + w * w.transpose()))) < 1e-15);
    Matrix updated = clean;
    Vector rotated = w.col(0);
    gpstream::cholesky_update(updated, VectorView(rotated));
    CHECK(apart(lower(Matrix(C.inside())), updated) < 1e-14);
    CHECK(apart(lower(Matrix(C.inside())) * lower(Matrix(C.inside())).transpose(),
                clean * clean.transpose() + w * w.transpose()) < 1e-14);
  }
  // factors of nearly dependent points
  for (double spacing : {0.6, 0.1, 0.02}) {
    const Matrix L = factor(257, spacing), b = r.matrix(257, 1);
    Matrix x = b, t = b;
    vector::solve_lower(257, L.data(), 257, x.data());
    vector::solve_lower_transposed(257, L.data(), 257, t.data());
    CHECK(((L * x - b).cwiseAbs().array() <= 6e-14 * (L.cwiseAbs() * x.cwiseAbs()).array()).all());
    CHECK(((L.transpose() * t - b).cwiseAbs().array() <=
           6e-14 * (L.cwiseAbs().transpose() * t.cwiseAbs()).array())
              .all());
  }
}

TEST("vectors: the switch and what the processor has decide whether they are used") {
  const bool before = vector::wide_vectors();
  vector::use_wide_vectors(false);
  CHECK(!vector::available());
  vector::use_wide_vectors(true);
  CHECK(vector::available() == supported());
  vector::use_wide_vectors(before);
}
#endif
