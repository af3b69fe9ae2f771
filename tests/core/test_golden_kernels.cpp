// Every kernel and three streams against the numbers of a reference implementation.
#include "golden_kernels.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

Matrix by_rows(const golden::Numbers& all, Index rows) {
  const Index columns = rows > 0 ? static_cast<Index>(all.size()) / rows : 0;
  Matrix out(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) out(i, j) = all[static_cast<std::size_t>(i * columns + j)];
  return out;
}
Vector vector_of(const golden::Numbers& all) {
  return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

Vector slopes_of(const golden::Numbers& all) { return all.empty() ? Vector::Zero(1) : vector_of(all); }

KernelSpec leaf(const std::string& name, std::vector<Index> columns = {}) {
  KernelSpec out;
  out.name = name;
  out.columns = std::move(columns);
  return out;
}
KernelSpec with_values(KernelSpec k, const std::string& name, const golden::Numbers& p, std::size_t from,
                       Index along, const Vector& knots) {
  k.fixed["knots"] = knots;
  k.fixed["along"] = Vector::Constant(1, static_cast<double>(along));
  for (int i = 2; i <= 4; ++i) k.extras[name + std::to_string(i)] = p[from + static_cast<std::size_t>(i) - 2];
  return k;
}
KernelSpec with_lengths(KernelSpec k, const golden::Numbers& p, std::size_t from, Index count) {
  k.lengthscale.resize(count);
  for (Index d = 0; d < count; ++d) k.lengthscale(d) = std::exp(p[from + static_cast<std::size_t>(d)]);
  return k;
}
KernelSpec from_origin(KernelSpec k, double origin, double scale) {
  k.fixed["origin"] = Vector::Constant(1, origin);
  k.fixed["scale"] = Vector::Constant(1, scale);
  return k;
}
KernelSpec of_parts(const std::string& name, std::vector<KernelSpec> parts) {
  KernelSpec out = leaf(name);
  out.parts = std::move(parts);
  return completed(std::move(out));
}

// The kernel of a case, which of its parameters the slopes of the fixture are by, and by what they differ:
// of a kernel with the amplitude, where it is `whole`, or of the unit kernel.
struct Described {
  KernelSpec kernel;
  std::vector<std::string> by;
  bool whole = false;
  Vector factors = Vector();
};
Described known(const golden::KernelCase& one) {
  const golden::Numbers& p = one.p;
  const Vector knots = vector_of(golden::knots());
  if (one.name == "periodic") {
    KernelSpec a = with_lengths(leaf("periodic", {0}), p, 0, 1),
               b = with_lengths(leaf("periodic", {1}), p, 1, 1);
    a.extras["period"] = std::exp(p[2]);
    b.extras["period"] = std::exp(p[3]);
    return {of_parts("product", {a, b}),
            {"periodic.lengthscale", "periodic1.lengthscale", "periodic.period", "periodic1.period"}};
  }
  if (one.name == "cosine") {
    KernelSpec k = leaf("cosine");
    k.extras = {{"frequency1", p[0]}, {"frequency2", p[1]}};
    return {k, {"frequency1", "frequency2"}};
  }
  if (one.name == "constant") return {leaf("constant"), {}};
  if (one.name == "linear") {
    KernelSpec a = from_origin(leaf("linear", {0}), 1, 1), b = from_origin(leaf("linear", {1}), 2, 1);
    a.variance = std::exp(p[0]);
    b.variance = std::exp(p[1]);
    return {of_parts("sum", {a, b}), {"linear.variance", "linear1.variance"}, true};
  }
  if (one.name == "wiener") return {from_origin(leaf("brownian"), -0.1, 4), {}};
  if (one.name == "integrated_wiener") return {from_origin(leaf("integrated_brownian"), -0.1, 4), {}};
  if (one.name == "gibbs")
    return {with_values(with_lengths(leaf("gibbs"), p, 0, 2), "stretch", p, 2, 2, knots),
            {"lengthscale1", "lengthscale2", "stretch2", "stretch3", "stretch4"}};
  if (one.name == "warped_se")
    return {with_values(of_parts("warped", {with_lengths(leaf("se"), p, 0, 2)}), "warp", p, 2, 1, knots),
            {"lengthscale1", "lengthscale2", "warp2", "warp3", "warp4"}};
  if (one.name == "amplitude")
    return {with_values(leaf("amplitude"), "amplitude", p, 0, 1, knots),
            {"amplitude2", "amplitude3", "amplitude4"}};
  if (one.name == "spectral") {
    KernelSpec wave = leaf("cosine");
    wave.extras["frequency"] = p[3];
    return {
        of_parts("product", {with_values(leaf("amplitude"), "amplitude", p, 0, 1, knots),
                             with_values(of_parts("warped", {wave}), "warp", p, 4, 1, knots),
                             with_values(with_lengths(leaf("gibbs"), p, 7, 1), "stretch", p, 8, 1, knots)}),
        {"amplitude.amplitude2", "amplitude.amplitude3", "amplitude.amplitude4", "warped.frequency",
         "warped.warp2", "warped.warp3", "warped.warp4", "gibbs.lengthscale", "gibbs.stretch2",
         "gibbs.stretch3", "gibbs.stretch4"}};
  }
  if (one.name == "factor_x_se") {
    KernelSpec levels = leaf("factor", {2});
    const double c = 1 / (1 + std::exp(-p[0]));
    levels.extras["correlation"] = c;
    return {of_parts("product", {levels, with_lengths(leaf("se", {0, 1}), p, 1, 2)}),
            {"factor.correlation", "se.lengthscale1", "se.lengthscale2"},
            false,
            (Vector(3) << c * (1 - c), 1, 1).finished()};
  }
  if (one.name == "additive") {
    KernelSpec a = with_lengths(leaf("se", {0}), p, 1, 1), b = with_lengths(leaf("se", {1}), p, 3, 1);
    a.variance = std::exp(p[0]);
    b.variance = std::exp(p[2]);
    return {of_parts("sum", {a, b}), {"se.variance", "se.lengthscale", "se1.variance", "se1.lengthscale"}};
  }
  CHECK(one.name == "quasi_periodic");
  KernelSpec wave = with_lengths(leaf("periodic"), p, 0, 1);
  wave.extras["period"] = std::exp(p[1]);
  return {of_parts("product", {wave, with_lengths(leaf("se"), p, 2, 1)}),
          {"periodic.lengthscale", "periodic.period", "se.lengthscale"}};
}

Vector by_name(const Kernel& kernel, const Vector& slopes, const Described& known, double total) {
  if (known.by.empty()) return Vector::Zero(1);
  const std::vector<Parameter> all = kernel.parameters();
  const Vector amplitude = kernel.amplitude_slope();
  Vector out(static_cast<Index>(known.by.size()));
  for (Index i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      if (all[j].name == known.by[static_cast<std::size_t>(i)]) {
        const Index at = static_cast<Index>(j);
        out(i) = known.whole ? kernel.variance() * (slopes(at) + amplitude(at) * total) : slopes(at);
      }
  return known.factors.size() > 0 ? Vector(out.cwiseProduct(known.factors)) : out;
}

}  // namespace

TEST("kernels: values, diagonals and pull-backs are those of the fixtures") {
  for (const golden::KernelCase& one : golden::kernel_cases()) {
    const Described all = known(one);
    const KernelPtr k = make_kernel(all.kernel);
    const double v = all.whole ? k->variance() : 1.0;
    const Matrix A = by_rows(one.A, 3), B = by_rows(one.B, 4), bar = by_rows(golden::bar(), 3);
    const Vector own_bar = vector_of(golden::bar_diagonal());
    CHECK_CLOSE(Matrix(v * k->value(A, B)), by_rows(one.value, 3), 1e-12);
    Vector d(3), slope = Vector::Zero(k->parameter_count());
    k->diagonal(A, d);
    CHECK_CLOSE(Vector(v * d), vector_of(one.diagonal), 1e-12);
    Matrix moves = Matrix::Zero(3, A.cols());
    k->pull_back(A, B, bar, slope, moves);
    const double total = k->value(A, B).cwiseProduct(bar).sum(), own_total = d.dot(own_bar);
    CHECK_CLOSE(by_name(*k, slope, all, total), slopes_of(one.slopes), 1e-9);
    CHECK_CLOSE(Matrix(v * moves), by_rows(one.moves, 3), 1e-9);
    slope.setZero();
    moves.setZero();
    k->pull_diagonal(A, own_bar, slope, moves);
    CHECK_CLOSE(by_name(*k, slope, all, own_total), slopes_of(one.diagonal_slopes), 1e-9);
    CHECK_CLOSE(Matrix(v * moves), by_rows(one.diagonal_moves, 3), 1e-9);
  }
}

TEST("kernels: streams with look-backs are those of the fixtures") {
  const Vector knots = vector_of(golden::knots());
  const Vector x = vector_of(golden::stream_x()), y = vector_of(golden::stream_y());
  for (const golden::StreamCase& one : golden::stream_cases()) {
    KernelSpec k;
    if (one.name == "wiener") k = from_origin(leaf("brownian"), -0.1, 4);
    if (one.name == "gibbs")
      k = with_values(with_lengths(leaf("gibbs"), one.p, 0, 1), "stretch", one.p, 1, 1, knots);
    if (one.name == "linear_plus_se") {
      KernelSpec line = from_origin(leaf("linear"), 1, 1), se = with_lengths(leaf("se"), one.p, 3, 1);
      line.variance = std::exp(one.p[0]);  // its slope has variance 1
      se.variance = std::exp(one.p[2]);
      k = of_parts("sum", {line, se});
    }
    k = with_variance(k, 1.3);
    const auto learned = [&](double mean) {
      StreamingGP gp = model(k, oips(0.8), 0.05, one.lookback < 0 ? unlimited : one.lookback, 1, mean);
      stream(gp, x, y, 4);
      return gp;
    };
    // the objective is a parabola in the mean
    const double low = learned(-1).objective(), middle = learned(0).objective(),
                 high = learned(1).objective();
    const double bend = high + low - 2 * middle, tilt = 0.5 * (high - low), mean = -tilt / bend;
    CHECK(std::abs(middle + 0.5 * tilt * mean - one.objective) <= 1e-8 * std::abs(one.objective));
    const StreamingGP gp = learned(mean);
    CHECK_CLOSE(Vector(gp.points().col(0)), vector_of(one.Z), 1e-15);
    CHECK(std::abs(gp.totals().tau - one.tau) <= 1e-8 * one.tau);
    const Vector at = (Vector(3) << 0.3, 1.7, 3.9).finished();
    const Prediction p = predict(gp, at, true, nothing);
    CHECK_CLOSE(p.mean, vector_of(one.mean), 1e-8);
  }
}
