// The objective of rows in shards is that of all rows in one place.
#include "golden_shards.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Part {
  Matrix X;
  Vector y, weights;
};

Part data(Random& r, Index n, Index D) {
  Part out{r.matrix(n, D) * 2, Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    out.y(i) = 3 + std::sin(2 * out.X(i, 0)) + out.X(i, D - 1) + 0.2 * r.normal();
    out.weights(i) = r.uniform(0.3, 3.0);
  }
  return out;
}

Part some(const Part& all, const std::vector<int>& which) {
  const Index n = static_cast<Index>(which.size());
  Part out{Matrix(n, all.X.cols()), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const Index from = which[static_cast<std::size_t>(i)];
    out.X.row(i) = all.X.row(from);
    out.y(i) = all.y(from);
    out.weights(i) = all.weights(from);
  }
  return out;
}

// f(batch) for each batch of a shard.
template <class Function>
void in_batches(const Part& rows, Index size, const Function& f) {
  for (Index from = 0; from < rows.y.size(); from += size) {
    const Index n = std::min(size, rows.y.size() - from);
    f(Part{rows.X.middleRows(from, n), rows.y.segment(from, n), rows.weights.segment(from, n)});
  }
}

SharedObjective shared(const std::vector<Part>& shards, const Trend& trend, double offset, Index batch) {
  const auto sums = [=](const View& view) {
    Evidence out(view.basis.size(), view.trend.size());
    for (const Part& rows : shards) {
      Evidence own(view.basis.size(), view.trend.size());
      in_batches(rows, batch,
                 [&](const Part& some) { add_rows(view, some.X, some.y, some.weights, nothing, own); });
      merge(own, out);
    }
    return out;
  };
  const auto slopes = [=](const View& view, const Adjoint& back, bool points) {
    RowSlopes out(*view.kernel, points ? view.basis.size() : 0, view.basis.Z.cols());
    for (const Part& rows : shards) {
      RowSlopes own = out;
      own.kernel.setZero();
      own.Z.setZero();
      in_batches(rows, batch, [&](const Part& some) {
        add_slopes(view, back, some.X, some.y, some.weights, nothing, own);
      });
      out.kernel += own.kernel;
      out.Z += own.Z;
    }
    return out;
  };
  return SharedObjective(trend, offset, sums, slopes);
}

Trend linear(Index D, std::initializer_list<double> ratio) {
  Trend out;
  for (Index d = 0; d < D; ++d) out.columns.push_back(d);
  out.centre = Vector::Constant(D, 0.4);
  out.scale = Vector::Constant(D, 1.7);
  out.ratio = Eigen::Map<const Vector>(ratio.begin(), D + 1);
  return out;
}

void check_same(const Slope& one, const Slope& other) {
  CHECK(std::abs(one.objective - other.objective) < 1e-10 * std::abs(one.objective));
  CHECK(std::abs(one.noise - other.noise) < 1e-10 * one.noise);
  CHECK(std::abs(one.log_noise - other.log_noise) < 1e-10 * std::abs(one.objective));
  CHECK_CLOSE(one.kernel, other.kernel, 1e-10);
  CHECK_CLOSE(one.Z, other.Z, 1e-10);
  if (one.log_ratio.size() > 0) CHECK_CLOSE(one.log_ratio, other.log_ratio, 1e-10);
}

}  // namespace

TEST(
    "F and its gradient from shards are those of one process: lengthscales, sums, weights, trend known and "
    "integrated out, a point refused [derivation 23]") {
  const Index D = 2, n = 230;
  KernelSpec ard = simple("matern32", 0.8, 1.3, D);
  ard.lengthscale = Vector(2);
  ard.lengthscale << 0.7, 1.1;
  KernelSpec other = ard;
  other.name = "se";
  other.lengthscale *= 2.0;
  const std::vector<KernelSpec> kernels = {ard, composite("sum", other, ard)};
  const std::vector<Trend> trends = {Trend(), linear(D, {4, 2, 0.3}), linear(D, {0, 5, 0})};
  Random r(5);
  const Part all = data(r, n, D);
  std::vector<Part> shards(5);
  std::vector<std::vector<int>> where(5);
  for (int i = 0; i < static_cast<int>(n); ++i) where[static_cast<std::size_t>(i * i % 5)].push_back(i);
  for (std::size_t s = 0; s < 5; ++s) shards[s] = some(all, where[s]);  // some of them without rows
  Matrix Z(13, D);
  Z << all.X.topRows(12), all.X.row(3);
  for (const KernelSpec& k : kernels)
    for (const Trend& trend : trends) {
      Settings settings{make_kernel(k), make_selector(oips(0.5)), 0.05, 2.5, 0};
      settings.trend = trend;
      const StreamingGP empty(settings, D);
      const Objective whole(empty, all.X, all.y, all.weights);
      const SharedObjective parts = shared(shards, trend, 2.5, 17), one = shared({all}, trend, 2.5, 1000);
      for (const std::optional<double>& noise : {std::optional<double>(0.07), std::optional<double>()}) {
        const Place at{make_kernel(k), Z, noise, 2.9};
        const Slope expected = whole(at, true, nothing);
        check_same(expected, parts(at, true, nothing));
        check_same(expected, one(at, true, nothing));
        CHECK(parts(at, false, nothing).Z.rows() == 0 && expected.Z.row(12).norm() == 0);
      }
    }
}

TEST("reference numbers of three shards: points, restricted likelihood, slopes [derivation 23]") {
  namespace gold = golden_shards;
  const Index n = static_cast<Index>(gold::y.size()), M = static_cast<Index>(gold::covered.size()) / 2;
  using ByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Part all{Eigen::Map<const ByRow>(gold::X.data(), n, 2), Eigen::Map<const Vector>(gold::y.data(), n),
                 Vector::Ones(n)};
  const Matrix Z = Eigen::Map<const ByRow>(gold::covered.data(), M, 2);
  KernelSpec k = simple("se", 1.0, gold::v, 2);
  k.lengthscale = Eigen::Map<const Vector>(gold::lengthscale.data(), 2);
  std::vector<Part> shards;
  for (const auto& which : gold::shards) shards.push_back(some(all, which));

  // points: each shard's own, the union, and what rows are still missing
  const auto chosen = [&](const Matrix& from, const Matrix& rows) -> Matrix {
    PointSet set(make_kernel(k), make_selector(oips(gold::rho)), from,
                 std::vector<double>(static_cast<std::size_t>(from.rows()), 0.0), 0.0);
    set.update(rows, nothing);
    return set.points();
  };
  const Matrix none(0, 2);
  Matrix united(0, 2);
  for (const Part& rows : shards) united = chosen(united, chosen(none, rows.X));
  CHECK(united.rows() == gold::united && united == Z.topRows(gold::united));
  Matrix complete = united;
  for (const Part& rows : shards) {
    const Matrix found = chosen(united, rows.X);
    const Index before = complete.rows(), more = found.rows() - united.rows();
    complete.conservativeResize(before + more, 2);
    complete.bottomRows(more) = found.bottomRows(more);
  }
  CHECK(complete == Z);

  // a flat prior of the constant is the limit of wide ones: 1/2 log(2 pi v ratio) lower
  const double wide = 1e6, about = all.y.mean();
  Trend trend;
  trend.ratio(0) = wide;
  const SharedObjective F = shared(shards, trend, 0.0, 9);
  const Slope out = F(Place{make_kernel(k), Z, gold::s2, about}, true, nothing);
  const double flat = out.objective + 0.5 * std::log(6.283185307179586 * gold::v * wide);
  CHECK(std::abs(flat - gold::F) < 1e-6);
  const std::vector<Parameter> named = make_kernel(k)->parameters();
  std::vector<double> by_length;
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i].role == Parameter::lengthscale) by_length.push_back(out.kernel(static_cast<Index>(i)));
  CHECK_CLOSE(Eigen::Map<const Vector>(by_length.data(), 2), Eigen::Map<const Vector>(gold::slopes.data(), 2),
              1e-6);
  CHECK_CLOSE(Vector(out.Z.row(0)), Eigen::Map<const Vector>(gold::first.data(), 2), 1e-6);
}
