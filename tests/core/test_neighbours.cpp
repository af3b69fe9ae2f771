// Is a row near a point? By cells, by a scan, and by the kernel itself.
#include "../../src/core/linear/vector/near.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

bool near_any(const Ball& ball, const Matrix& Z, const RowVector& x) {
  for (Index j = 0; j < Z.rows(); ++j)
    if (((Z.row(j) - x).array() * ball.inverse.transpose().array()).square().sum() <= ball.r2) return true;
  return false;
}

}  // namespace

TEST("cells and scan give what every distance gives, while points join, near the origin and far from it") {
  Random r(1);
  for (int run = 0; run < 300; ++run) {
    const Index D = 1 + run % 9, n = 150;
    const double away = run % 4 == 3 ? std::pow(10, r.uniform(3, 12)) : 0,
                 scale = std::pow(10, r.uniform(-3, 3));
    Ball ball{Vector(D), r.uniform(0.01, 0.4)};
    for (Index d = 0; d < D; ++d) ball.inverse(d) = r.uniform(0.5, 2) / scale;
    const Matrix X = ((r.matrix(n, D).array() * 3 - 1.5 + away) * scale).matrix();
    Matrix Z(0, D);
    Neighbours few(ball, Z, 1), many(ball, Z, n);
    int differ = 0;
    for (Index i = 0; i < n; ++i) {
      const bool expected = near_any(ball, Z, X.row(i));
      differ += few.near(Z, X, i) != expected;
      differ += many.near(Z, X, i) != expected;
      if (expected) continue;
      Z.conservativeResize(Z.rows() + 1, D);
      Z.bottomRows(1) = X.row(i);
      few.joined(Z);
      many.joined(Z);
    }
    CHECK(differ == 0);
    // and from points that were there before
    Neighbours later(ball, Z, n);
    for (Index i = 0; i < n; ++i) differ += !later.near(Z, X, i);
    CHECK(differ == 0);
  }
}

TEST("a point just beyond the outermost cell is near a row just within it") {
  for (double side : {-1.0, 1.0})
    for (double r2 : {1.0, 1e-12}) {
      const Ball ball{Vector::Constant(1, 1.0), r2};
      const double edge = side * 1e9 * std::sqrt(r2) * (1 + 1e-6), step = side * 0.3 * std::sqrt(r2);
      for (double from : {-2.0, -1.0, 1.0, 2.0, 8.0}) {
        const Matrix Z = Matrix::Constant(1, 1, edge + from * step);
        Matrix X(40, 1);
        for (Index i = 0; i < 40; ++i) X(i, 0) = Z(0, 0) + 0.2 * static_cast<double>(i - 20) * step;
        Neighbours cells(ball, Z, 40);
        for (Index i = 0; i < 40; ++i) CHECK(cells.near(Z, X, i) == near_any(ball, Z, X.row(i)));
      }
    }
}

TEST("the first near row is found in both widths, among any number of rows, and none where there is none") {
  Random r(4);
  const bool before = vector::wide_vectors();
  for (bool wide : {false, true}) {
    vector::use_wide_vectors(wide);
    for (Index n = 0; n <= 40; ++n)
      for (Index D : {1, 3, 4, 9}) {
        Matrix A = (r.matrix(n + 2, D).array() + 5).matrix();  // all far from the origin
        const Vector inverse = Vector::Constant(D, 2.0);
        const Matrix b = Matrix::Zero(3, D);
        const auto ask = [&] {
          return vector::near_row({A.data() + 1, n, A.rows()}, {b.data() + 1, 3}, {inverse.data(), 1}, D,
                                  1.0);
        };
        A.row(0).setZero();
        A.row(n + 1).setZero();  // near, but not asked about
        CHECK(ask() == -1);
        for (Index near = 0; near < n; ++near) {
          const RowVector was = A.row(near + 1);
          A.row(near + 1).setConstant(0.49 / std::sqrt(static_cast<double>(D)));
          const Index found = ask();
          CHECK(found == near);
          A.row(near + 1).setZero();
          A(near + 1, D - 1) = 0.5;  // on the rim, exactly
          CHECK(ask() == near);
          A(near + 1, D - 1) = std::nextafter(0.5, 1.0);
          CHECK(ask() == -1);
          A.row(near + 1) = was;
        }
      }
  }
  vector::use_wide_vectors(before);
}

TEST("the ball of a kernel is where it is at least rho; others have none") {
  Random r(2);
  for (const std::string& name : kernel_names()) {
    for (int run = 0; run < 200; ++run) {
      const Index D = 1 + run % 4;
      const double rho = r.uniform(0.05, 0.99);
      const KernelPtr k = make_kernel(random_kernel(name, D, r));
      const std::optional<Ball> ball = k->ball(rho, D);
      const std::vector<std::string> with = {"matern12", "matern32", "matern52", "rq", "se"};
      CHECK(ball.has_value() == (std::count(with.begin(), with.end(), name) > 0));
      if (!ball) continue;
      const Matrix x = r.matrix(1, D), z = r.matrix(1, D);
      const double value = k->value(x, z)(0, 0);
      if (std::abs(value - rho) > 1e-12) CHECK(near_any(*ball, z, x.row(0)) == (value >= rho));
    }
  }
  CHECK(!make_kernel(simple("se", 1e-320))->ball(0.5, 1));
}

TEST("with cells and without, OIPS chooses the same rows") {
  Random r(3);
  for (Index D = 1; D <= 3; ++D) {
    const Matrix X = r.matrix(3000, D);
    PointSet at_once(make_kernel(simple("matern32", 0.3)), make_selector(oips(0.8, 1e9)), D),
        in_pieces = at_once;
    at_once.update(X, nothing);
    for (Index i = 0; i < X.rows(); ++i) in_pieces.update(X.middleRows(i, 1), nothing);
    CHECK(at_once.index() == in_pieces.index() && at_once.index().size() > 5);
  }
}
