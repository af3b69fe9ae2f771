// Families of kernels compete for rows by their exact evidence: what is looked for, and what is found.
#include "given_example.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

using Starts = std::map<std::string, Vector>;

Columns columns_of(const Matrix& X) {
  Columns out;
  out.centre = X.colwise().mean();
  out.scale = ((X.rowwise() - X.colwise().mean()).colwise().squaredNorm() / static_cast<double>(X.rows() - 1))
                  .cwiseSqrt();
  return out;
}

LearnedKernel learned(const std::vector<Family>& families, const Sample& rows, const Columns& columns,
                      const LearnGiven& given = {}, const Starts& last = {}, Index few = 60) {
  return learn_exactly(families, part_of(rows, few), rows, columns, given, last, {}, nothing);
}

Sample wave(Index n, Index D, Random& r) {
  Sample out{r.matrix(n, D) * 3, Vector(n), Vector::Ones(n)};
  for (Index i = 0; i < n; ++i)
    out.y(i) = 2 + std::sin(2 * out.X(i, 0)) + 0.5 * out.X(i, D - 1) + 0.1 * r.normal();
  return out;
}

// Rows of a Gaussian process with this kernel.
Sample drawn(const KernelSpec& kernel, Index n, Index D, double noise, Random& r) {
  Sample out{r.matrix(n, D), Vector(n), Vector::Ones(n)};
  Matrix C = kernel.variance * make_kernel(kernel)->value(out.X, out.X);
  C.diagonal().array() += noise;
  const Matrix L = C.llt().matrixL();
  for (Index i = 0; i < n; ++i) out.y(i) = r.normal();
  out.y = L * out.y;
  return out;
}

Family family(const GivenKernel& given) { return {given.name, given}; }

// Is what the search follows the slope of what it climbs?
void check_slopes(const Family& family, const Sample& rows, const Columns& columns, const LearnGiven& given,
                  Random& r) {
  const OutputUnits units = output_units(rows, given.mean);
  ExactEvidence evidence = exact_evidence(rows, columns, units, given);
  const Unknowns unknowns(family, columns, units.variance, units.variance * units.weight, given.noise,
                          given.trend);
  const auto value = [&](const Vector& theta, Vector& slope) {
    const Chosen at = unknowns.at(theta);
    const ExactSlope out = evidence(*make_kernel(at.kernel), at.noise, at.trend);
    slope = unknowns.slope(out);
    return out.value + unknowns.add_prior(theta, slope);
  };
  Vector theta(unknowns.size()), slope, unused;
  for (Index i = 0; i < theta.size(); ++i)
    theta(i) = unknowns.all()[static_cast<std::size_t>(i)].start + r.uniform(-0.4, 0.4);
  value(theta, slope);
  Vector differences(theta.size());
  for (Index i = 0; i < theta.size(); ++i) {
    const auto difference = [&](double h) {
      Vector up = theta, down = theta;
      up(i) += h;
      down(i) -= h;
      return (value(up, unused) - value(down, unused)) / (2 * h);
    };
    differences(i) = (4 * difference(1e-3) - difference(2e-3)) / 3;
  }
  const double off = check::difference(slope, differences);
  check::report(off < 1e-6, "slopes == differences", __FILE__, __LINE__,
                family.name + ": off by " + std::to_string(off * 1e6) + " x 1e-6");
}

}  // namespace

TEST("what a search over families follows is the slope of what it climbs") {
  Random r(1);
  Sample rows = wave(40, 3, r);
  rows.weights = r.matrix(40, 1).array() + 0.3;
  Columns columns = columns_of(rows.X), grouped = columns;
  grouped.groups = {0, 1, 1};
  LearnGiven all_open, half;
  half.noise = 0.05;
  half.trend = false;
  LearnGiven mean;
  mean.mean = 1.9;
  std::vector<Family> families = default_families();
  for (const Family& one : default_families(false)) families.push_back(one);
  families.push_back(family(example::kernel()));
  families.push_back(family(example::leaf("rq", 0.7)));
  families.back().kernel.extras = {{"alpha", std::nullopt}};
  families.push_back(family(example::leaf("se", std::nullopt, 2.0)));
  for (const Family& one : families)
    for (const LearnGiven& given : {all_open, half, mean})
      for (const Columns& inputs : {columns, grouped}) check_slopes(one, rows, inputs, given, r);
}

TEST("the unknowns: how many, their kernel at the middle, and what two parts have in common") {
  Columns columns;
  columns.centre = Vector::Zero(3);
  columns.scale = example::numbers({1, 10, 100});
  const std::vector<Family> families = default_families();
  const auto unknowns = [&](const Family& one, bool trend = true) {
    return Unknowns(one, columns, 4.0, 4.0, std::nullopt, trend);
  };
  const Unknowns se = unknowns(families[0]), rough = unknowns(families[3]), both = unknowns(families[4]);
  CHECK(se.size() == 1 + 3 + 1 + 2 && both.size() == se.size() + 2);
  CHECK(unknowns(families[0], false).size() == se.size() - 1);
  CHECK_CLOSE(rough.at(Vector::Zero(7)).kernel.lengthscale, columns.scale, 1e-15);
  CHECK_CLOSE(se.at(Vector::Zero(7)).kernel.lengthscale, std::sqrt(2.0) * columns.scale, 1e-15);
  CHECK(se.at(Vector::Zero(7)).kernel.variance == 4.0 && se.at(Vector::Zero(7)).noise == 4.0);

  Vector theta(9);  // a, delta (3), log v, gap, log v2, log s2, log b
  theta << 0.1, 0.2, -0.3, 0.4, 0.5, 2.5, 0.6, 0, 0;
  const KernelSpec sum = both.at(theta).kernel;
  CHECK_CLOSE(std::exp(-2.5) * sum.parts[0].lengthscale, sum.parts[1].lengthscale, 1e-14);
  CHECK(std::abs(sum.parts[0].lengthscale(2) / (100 * std::exp(0.5)) - 1) < 1e-14);
  CHECK(std::abs(sum.parts[1].variance / (0.4 * std::exp(0.6)) - 1) < 1e-14);

  // one lengthscale for all means the same as one for each
  const Unknowns one = unknowns(default_families(false)[3]);
  CHECK(one.size() == rough.size() - 3);
  CHECK(std::abs(one.at(Vector::Zero(4)).kernel.lengthscale(0) - std::sqrt(10101 / 3.0)) < 1e-12);

  columns.groups = {7, 7, 7};
  CHECK(unknowns(families[0]).size() == se.size() - 3);
}

TEST(
    "columns are drawn together by Student's t with 3 degrees of freedom and the scale 0.2, the rest is "
    "normal") {
  const auto density = [](const Unknown& of, double at) {
    double slope;
    return of.log_density(at, slope);
  };
  for (const double at : {-3.0, -0.4, 0.1, 2.0}) {
    CHECK(std::abs(density(length_of_one(), at) + 2 * std::log(1 + at * at / (3 * 0.04))) < 1e-12);
    CHECK(std::abs(density(log_trend(), at) + std::pow(at - std::log(0.1), 2) / 8) < 1e-12);
  }
}

// Rows that estimate a delta as m, with the standard error e, have the log density -(x - m)^2 / (2 e^2); few
// rows have errors like these.
TEST("of a column's difference, what may be chance is mostly drawn in, and what cannot be is left alone") {
  const Unknown one = length_of_one();
  const auto mode = [&](double m, double e) {
    const auto value = [&](const Vector& at, Vector& slope) {
      double own;
      const double prior = one.log_density(at(0), own);
      slope = Vector::Constant(1, own - (at(0) - m) / (e * e));
      return prior - 0.5 * std::pow((at(0) - m) / e, 2);
    };
    const auto bound = [](double at) { return Vector::Constant(1, at); };
    return maximise(value, bound(one.start), bound(one.lower), bound(one.upper), {}, nothing).at(0);
  };
  for (const double e : {0.2, 0.3}) {
    CHECK(mode(e, e) > 0 && mode(e, e) < 0.5 * e);
    CHECK(mode(2.0, e) > 1.8 && mode(-2.0, e) < -1.8);
  }
}

TEST("a column that says nothing gets the longer lengthscale; the right family is no worse than another") {
  Random r(11);
  KernelSpec truth = simple("matern52", 0.1, 1.0, 2);
  truth.lengthscale(1) = 1e6;
  const Sample rows = drawn(truth, 200, 2, 0.01, r);
  LearnGiven given;
  given.trend = false;
  const std::vector<Family> all = default_families(), se = {all[0]}, right = {all[1]};
  const LearnedKernel best = learned(right, rows, columns_of(rows.X), given);
  CHECK(best.kernel.lengthscale(1) > 4 * best.kernel.lengthscale(0));
  CHECK(std::abs(std::log(best.kernel.lengthscale(0) / 0.1)) < 0.5);
  CHECK(std::abs(std::log(best.noise / 0.01)) < 0.5);
  const LearnedKernel smooth = learned(se, rows, columns_of(rows.X), given);
  CHECK(best.objective > smooth.objective - 1e-6);
  const LearnedKernel winner = learned(all, rows, columns_of(rows.X), given);
  CHECK(winner.objective > best.objective - 1e-6 && winner.by_family.size() == 5);
  CHECK(winner.starts.size() == 5 && winner.starts.at(winner.family) == winner.theta);
}

TEST("the objective is the penalised evidence of outputs of variance 1, less what unknowns cost") {
  Random r(12);
  const Sample rows = wave(50, 2, r);
  const Columns columns = columns_of(rows.X);
  const std::vector<Family> one = {default_families()[2]};
  const LearnedKernel found = learned(one, rows, columns);
  Sample unit = rows;
  const OutputUnits units = output_units(rows, std::nullopt);
  const double sd = std::sqrt(units.variance);
  unit.y = (rows.y.array() - units.centre) / sd;
  ExactEvidence evidence = exact_evidence(unit, columns, {0.0, 1.0, 1.0}, {});
  const Unknowns unknowns(one[0], columns, 1.0, 1.0, std::nullopt, true);
  const Chosen at = unknowns.at(found.theta);
  Vector unused = Vector::Zero(unknowns.size());
  const double value = evidence(*make_kernel(at.kernel), at.noise, at.trend).value;
  const double prior = unknowns.add_prior(found.theta, unused),
               cost = 0.5 * std::log(50.0) * static_cast<double>(unknowns.size());
  CHECK(std::abs(value + prior - cost - found.objective) < 1e-8);
  CHECK(std::abs(found.trend / (at.trend * units.variance) - 1) < 1e-12);
  CHECK(found.centre == units.centre && found.constant == 100 * units.variance);
}

TEST("what is given stays to the last bit") {
  Random r(13);
  Sample rows = wave(60, 2, r);
  rows.y *= 3.7;
  const Columns columns = columns_of(rows.X);
  GivenKernel rq = example::leaf("rq", 0.7);
  rq.extras = {{"alpha", 1.3}};
  LearnGiven given;
  given.noise = 0.123;
  given.mean = 1.7;
  const LearnedKernel a = learned({family(rq)}, rows, columns, given);
  CHECK(a.kernel.lengthscale(0) == 0.7 && a.kernel.extras.at("alpha") == 1.3 && a.kernel.variance != 1.0);
  CHECK(a.noise == 0.123 && a.centre == 1.7 && a.constant == 0.0 && a.theta.size() == 2);

  const LearnedKernel b = learned({family(example::kernel())}, rows, columns);
  CHECK(b.kernel.parts[1].parts[1].variance == 2.0);
  CHECK(b.kernel.parts[0].lengthscale.size() == 2 && b.kernel.parts[1].parts[0].extras.at("alpha") != 1.0);

  GivenKernel all = example::leaf("se", 0.3, 0.9);
  given.trend = false;
  const LearnedKernel c = learned({family(all)}, rows, columns, given);
  CHECK(c.kernel.lengthscale(0) == 0.3 && c.kernel.variance == 0.9 && c.trend == 0.0);
  CHECK(c.theta.size() == 0 && std::isfinite(c.objective));
}

TEST("the columns of a factor share one lengthscale, whatever their spread") {
  Random r(14);
  Sample rows = wave(80, 3, r);
  rows.X.col(2) *= 5;
  Columns columns = columns_of(rows.X);
  columns.groups = {0, 1, 1};
  const LearnedKernel found = learned({default_families()[1]}, rows, columns);
  CHECK(found.kernel.lengthscale(1) == found.kernel.lengthscale(2));
  CHECK(found.kernel.lengthscale(0) != found.kernel.lengthscale(1));
}

TEST("other units of inputs, outputs and weights, the same kernel") {
  Random r(15);
  const Sample rows = wave(90, 3, r);
  Sample other = rows;
  const Vector by = example::numbers({1e-3, 7.0, 1e5});
  other.X = rows.X * by.asDiagonal();
  other.y = 1000 * rows.y.array() + 5;
  other.weights = Vector::Constant(90, 40.0);
  const LearnedKernel a = learned(default_families(), rows, columns_of(rows.X)),
                      b = learned(default_families(), other, columns_of(other.X));
  CHECK(a.family == b.family && std::abs(a.objective - b.objective) < 1e-6);
  CHECK_CLOSE(a.theta, b.theta, 1e-6);
  CHECK(std::abs(b.noise / (40e6 * a.noise) - 1) < 1e-6 && std::abs(b.trend / (1e6 * a.trend) - 1) < 1e-6);
  const Vector p = log_parameters(a.kernel), q = log_parameters(b.kernel);
  CHECK(p.size() == q.size() && std::abs((q - p)(0) - std::log(by(0))) < 1e-6);
}

TEST("powers of two as units of inputs and outputs: the same kernel to the last bit") {
  Random r(16);
  const Sample rows = wave(90, 2, r);
  Sample other = rows;
  other.X = rows.X * 1048576.0;
  other.y = rows.y / 1024.0;
  const LearnedKernel a = learned(default_families(), rows, columns_of(rows.X)),
                      b = learned(default_families(), other, columns_of(other.X));
  CHECK(a.family == b.family && a.objective == b.objective && a.theta == b.theta);
  CHECK(b.kernel.lengthscale == 1048576.0 * a.kernel.lengthscale && b.noise * 1048576.0 == a.noise);
}

TEST("a family starts from where it ended, where that fits, and is then no worse") {
  Random r(16);
  const Sample rows = wave(90, 2, r);
  const Columns columns = columns_of(rows.X);
  const std::vector<Family> one = {default_families()[1]};
  const auto once = [&](const Starts& last, int steps) {
    return learn_exactly(one, rows, rows, columns, {}, last, {steps, 0, 1}, nothing);
  };
  const LearnedKernel before = once({}, 30), after = once(before.starts, 0);
  CHECK(after.objective == before.objective && after.theta == before.theta);
  CHECK(once({{"matern52", Vector::Zero(2)}}, 0).objective == once({}, 0).objective);
}

TEST("no evidence anywhere is no error, and an interrupt is one") {
  Random r(17);
  Sample rows = wave(30, 2, r);
  const Columns columns = columns_of(rows.X);
  Sample bad = rows;
  bad.y *= 1e200;
  const LearnedKernel nothing_found = learned(default_families(), bad, columns);
  CHECK(nothing_found.objective == -std::numeric_limits<double>::infinity());
  rows.y.setConstant(4.0);
  const LearnedKernel flat = learned(default_families(), rows, columns);
  CHECK(std::isfinite(flat.objective) && flat.noise > 0 && flat.noise < 1e-10);
  static int calls;
  calls = 0;
  const Checkpoint stop = [] {
    if (++calls > 5) throw std::runtime_error("stop");
  };
  bool stopped = false;
  try {
    learn_exactly(default_families(), rows, rows, columns, {}, {}, {}, stop);
  } catch (const std::runtime_error&) {
    stopped = true;
  }
  CHECK(stopped && calls == 6);
  CHECK_THROWS(learn_exactly({}, rows, rows, columns, {}, {}, {}, nothing), "input");
}
