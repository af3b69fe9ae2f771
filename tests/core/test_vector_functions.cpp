// Functions of several numbers at once, in both widths: against extended precision, against each other, and
// at every place.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

// Vectors of four, or the baseline, until the end of the block; the same where the processor has no other.
struct Width {
  explicit Width(bool wide) : before(vector::wide_vectors()) { vector::use_wide_vectors(wide); }
  ~Width() { vector::use_wide_vectors(before); }
  bool before;
};

Vector exp_minus(Vector x) {
  vector::each(x.data(), x.size(), [](auto& t) GPSTREAM_ALWAYS { vector::exp_minus(t); });
  return x;
}

Vector log_one_plus(Vector x) {
  vector::each(x.data(), x.size(), [](auto& t) GPSTREAM_ALWAYS { vector::log_one_plus(t); });
  return x;
}

// units in the last place
double units(double got, long double truth) {
  const double near = static_cast<double>(truth);
  return static_cast<double>(std::abs(got - truth)) / (std::nextafter(near, HUGE_VAL) - near);
}
double off(double got, double x) { return units(got, std::exp(-static_cast<long double>(x))); }

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && (a.array() == b.array()).all();
}

}  // namespace

TEST("exp(-x) to one unit in the last place, from 0 to where it is no longer a normal number") {
  Random r(1);
  for (bool wide : {false, true}) {
    const Width width(wide);
    for (double top : {1e-10, 0.4, 1.0, 30.0, 708.396}) {
      const Vector x = top * r.matrix(20000, 1).cwiseAbs().col(0), got = exp_minus(x);
      double worst = 0;
      for (Index i = 0; i < x.size(); ++i) worst = std::max(worst, off(got(i), x(i)));
      CHECK(worst < 1.02);
    }
    Vector ends(8);
    ends << 0.0, -0.0, 5e-324, 708.3964, 708.3965, 745.2, 1e300, HUGE_VAL;
    const Vector got = exp_minus(ends);
    CHECK((got.head(3).array() == 1).all() && got(3) > 0 && (got.tail(4).array() == 0).all());
    // not a number stays so, whatever else its bits say
    CHECK(std::isnan(exp_minus(Vector::Constant(1, std::nan("1954")))(0)) &&
          std::isnan(exp_minus(Vector::Constant(5, std::nan("")))(4)));
  }
}

TEST("log(1 + x) to two and a half units in the last place, from 0 to the end of the number range") {
  Random r(3);
  for (bool wide : {false, true}) {
    const Width width(wide);
    for (double top : {1e-300, 1e-17, 1e-8, 0.4, 3.0, 1e6, 1e20, 1e300}) {
      const Vector x = top * r.matrix(20000, 1).cwiseAbs().col(0), got = log_one_plus(x);
      double worst = 0;
      for (Index i = 0; i < x.size(); ++i)
        worst = std::max(worst, units(got(i), std::log1p(static_cast<long double>(x(i)))));
      CHECK(worst < 2.5);
    }
    Vector ends(4);
    ends << 0.0, 1.0, 0x1p53, 1e300;
    const Vector got = log_one_plus(ends);
    CHECK(got(0) == 0 && units(got(1), std::log(2.0L)) < 1 && units(got(3), std::log(1e300L)) < 1);
  }
}

TEST("the end of an array is treated as the rest, wherever it starts; nothing beyond it is touched") {
  Random r(2);
  const Vector x = 10 * r.matrix(64, 1).cwiseAbs().col(0);
  Vector alone(x.size());
  for (Index i = 0; i < x.size(); ++i) alone(i) = exp_minus(x.segment(i, 1))(0);
  for (bool wide : {false, true}) {
    const Width width(wide);
    for (Index start = 0; start < 5; ++start)
      for (Index n = 0; n <= 17; ++n) {
        Vector some = x;
        vector::each(some.data() + start, n, [](auto& t) GPSTREAM_ALWAYS { vector::exp_minus(t); });
        Vector expected = x;
        expected.segment(start, n) = alone.segment(start, n);
        CHECK(same_bits(some, expected));
      }
  }
}

TEST("both widths give the same kernel matrices and slopes to the last bit, and so does every pair alone") {
  Random r(3);
  for (const auto& one : kernel_registry())
    for (Index rows = 1; rows <= 19; ++rows) {
      const Index D = 1 + rows % 9;
      const KernelPtr k = make_kernel(random_kernel(one.first, D, r));
      const Matrix many = r.matrix(rows + 3, D) * 3, B = r.matrix(6, D) * 3;
      const auto A = many.middleRows(2, rows);  // a view with a stride, of any alignment
      Matrix wide, narrow, storage = Matrix::Constant(rows + 5, 6, 7.0);
      const Matrix bar = r.matrix(rows, 6);
      Vector slope[2] = {Vector::Zero(k->parameter_count()), Vector::Zero(k->parameter_count())};
      Matrix moves[2] = {Matrix::Zero(rows, D), Matrix::Zero(rows, D)};
      {
        const Width width(true);
        wide = k->value(A, B);
        k->value(A, B, storage.middleRows(1, rows));
        k->pull_back(A, B, bar, slope[0], moves[0]);
      }
      {
        const Width width(false);
        narrow = k->value(A, B);
        k->pull_back(A, B, bar, slope[1], moves[1]);
      }
      CHECK(same_bits(wide, narrow) && same_bits(slope[0], slope[1]) && same_bits(moves[0], moves[1]));
      CHECK(same_bits(wide, storage.middleRows(1, rows)));
      CHECK((storage.topRows(1).array() == 7).all() && (storage.bottomRows(4).array() == 7).all());
      Matrix alone(rows, 6);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < 6; ++j) alone(i, j) = k->value(A.row(i).eval(), B.row(j).eval())(0, 0);
      CHECK(same_bits(wide, alone));
    }
}

TEST("equal rows have correlation 1 and no distance, at the ends of the number range, too") {
  for (double lengthscale : {1e-320, 1e-308, 1.0, 1e308})
    for (double at : {0.0, 1e-320, 1.0, -1e308}) {
      const Matrix A = Matrix::Constant(7, 1, at);
      for (const char* name : {"se", "matern12", "matern32", "matern52", "rq"})
        CHECK((make_kernel(simple(name, lengthscale))->value(A, A).array() == 1).all());
    }
}
