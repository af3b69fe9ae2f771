// Rows evenly spread, typical distances, the variance of outputs.
#include "../../src/core/learn/heuristics.h"
#include "../../src/core/learn/spread.h"
#include "given_example.h"
#include "reference.h"

using namespace gpstream;
using namespace example;
using reference::Random;

namespace {

double slow_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::vector<double> slow_distances(const Matrix& X) {
  std::vector<double> out;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < i; ++j) out.push_back((X.row(i) - X.row(j)).norm());
  return out;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-14 * std::abs(b); }

}  // namespace

TEST(
    "rows evenly spread: all of few; of many as R's round(seq(1, n, length.out = most)), halves to the "
    "even") {
  using Rows = std::vector<Index>;
  CHECK(spread_rows(0, 5).empty());
  CHECK(spread_rows(3, 3) == Rows({0, 1, 2}));
  CHECK(spread_rows(5, 1) == Rows({0}));
  CHECK(spread_rows(5, 2) == Rows({0, 4}));
  CHECK(spread_rows(10, 4) == Rows({0, 3, 6, 9}));
  CHECK(spread_rows(1000, 7) == Rows({0, 167, 333, 499, 666, 833, 999}));  // 167.5, 500.5 and 833.5 of 1 to n
  for (const Index n : {11, 200, 201, 999, 123457})
    for (const Index most : {3, 10, 200, 1000}) {
      const Rows rows = spread_rows(n, most);
      CHECK(static_cast<Index>(rows.size()) == std::min(n, most));
      CHECK(rows.front() == 0 && rows.back() == n - 1);
      const double gap = static_cast<double>(n - 1) / static_cast<double>(rows.size() - 1);
      for (std::size_t i = 1; i < rows.size(); ++i)
        CHECK(std::abs(static_cast<double>(rows[i] - rows[i - 1]) - gap) <= 1);
    }
  const Matrix X = inputs(9, 2);
  const Vector y = X.col(0);
  CHECK(rows_of(X, {8, 0}).row(0) == X.row(8));
  CHECK(entries_of(y, {8, 0})(1) == y(0));
}

TEST("the typical distance is the median of all distances [GFO21 App. E]") {
  for (const Index n : {2, 3, 5, 8, 40}) {
    const Matrix X = inputs(n, 3);
    CHECK(close(typical_distance(X), slow_median(slow_distances(X))));
    const Vector by_column = typical_distances(X);
    for (Index d = 0; d < 3; ++d)
      CHECK(close(by_column(d), std::sqrt(3.0) * slow_median(slow_distances(X.col(d)))));
  }
  // R's numbers; 1500 rows are more than are looked at
  CHECK(close(typical_distance(inputs(8, 3)), 1.8808749900971673));
  CHECK(close(typical_distance(inputs(1500, 3)), 16.531116941580549));
  CHECK_CLOSE(typical_distances(inputs(1500, 3)),
              numbers({7.7017646618390518, 15.265475754514002, 22.867202162301258}), 1e-14);
}

TEST("rows that coincide: the median of the distances above 0; 1 where there is none") {
  const Matrix X = inputs(7, 2);
  CHECK(close(typical_distance(rows_of(X, {0, 0, 0, 0, 0, 0, 1, 2})), 1.7131234699772202));
  CHECK(typical_distance(rows_of(X, {3, 3, 3})) == 1);
  CHECK(typical_distance(rows_of(X, {3})) == 1);
  CHECK(typical_distance(Matrix(0, 2)) == 1);
  Matrix huge(2, 1);
  huge << -1.5e308, 1.5e308;
  CHECK(std::isinf(typical_distance(huge)));
  CHECK(std::isnan(median({})) && median({3, 1}) == 2 && median({5, 1, 2}) == 2 &&
        median({1.6e308, 1.7e308}) > 1.6e308);
}

TEST("the variance of the outputs; 1 where it says nothing") {
  CHECK(close(output_variance(inputs(11, 1).col(0)), 0.58708032556787981));
  CHECK(output_variance(Vector::Ones(1)) == 1);
  CHECK(output_variance(Vector(0)) == 1);
  CHECK(output_variance(Vector::Constant(5, 3.0)) == 1);
  CHECK(output_variance(1e200 * inputs(5, 1).col(0)) == 1);
}

TEST(
    "moments far from 0 are those near it, merged and taken out again; without spread a column is constant") {
  Random r(9);
  Matrix X = r.matrix(60, 2);
  X.col(0) = (X.col(0) * 4096).array().round() / 4096;  // so that what is added rounds nothing
  X.col(1).setConstant(0.1);
  Matrix far = X;
  far.col(0).array() += 8589934592.0;
  Moments near(2), moved(2), rest(2);
  near.add(X);
  moved.add(far.topRows(25));
  rest.add(far.bottomRows(35));
  moved.merge(rest);
  CHECK_CLOSE(moved.scale(), near.scale(), 1e-13);
  CHECK(!moved.constant(0) && moved.constant(1) && near.constant(1));
  CHECK(moved.scale()(1) == 0.1 && std::abs(moved.mean()(0) - 8589934592.0 - near.mean()(0)) < 2e-6);
  moved.add(far.topRows(1));
  moved.remove(far.row(0).transpose());
  CHECK_CLOSE(moved.scale(), near.scale(), 1e-12);
  Moments none(1);
  none.add(Matrix::Zero(3, 1));
  CHECK(none.constant(0) && none.scale()(0) == 1.0);
}

TEST("ranges whose squares underflow are refused, for inputs and outputs") {
  Random r(10);
  const Matrix X = r.matrix(20, 2);
  CHECK_THROWS(typical_distance(1e-200 * X), "input");
  CHECK_THROWS(output_variance(1e-200 * X.col(0)), "input");
  CHECK(output_variance(Vector::Constant(5, 1e-200)) == 1.0 && typical_distance(1e-120 * X) > 0);
}
