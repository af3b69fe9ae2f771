#include "search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "../read/objective.h"
#include "../select/point_set.h"
#include "../select/selectors.h"
#include "change.h"
#include "scale.h"
#include "wishes.h"

namespace gpstream {

OpenToLearn open_to_learn(const GivenKernel& given, bool noise, const KernelSpec& spec) {
  return {open_parameters(given, spec), noise, noise && open_amplitude(given)};
}

Box search_range(const KernelSpec& spec, const ConstMatrixView& X) {
  require(X.rows() > 0 && X.cols() > 0, "input", "without rows there is no range to search in.");
  require(make_kernel(spec)->fits(X.cols()), "dimension", "the kernel does not fit the number of columns.");
  const RowVector span = X.colwise().maxCoeff() - X.colwise().minCoeff();
  const double gap = 0.25 / std::pow(static_cast<double>(X.rows()), 1.0 / static_cast<double>(X.cols()));
  std::vector<double> lower, upper;
  each_leaf(spec, [&](const KernelSpec& leaf, const std::vector<Parameter>& own, Index) {
    const bool one_for_all = leaf.lengthscale.size() == 1;
    double all = 0.0;  // the span of the columns that it looks at
    for (Index d = 0; d < span.size(); ++d)
      if (leaf.columns.empty() || std::count(leaf.columns.begin(), leaf.columns.end(), d) > 0)
        all += span(d) * span(d);
    Index column = 0;
    for (const Parameter& p : own) {
      double wide =
          one_for_all || p.role != Parameter::lengthscale ? std::sqrt(all) : span(column_of(leaf, column++));
      if (!(wide > 0 && std::isfinite(wide))) wide = 1.0;
      const double near = 0.3 * std::abs(p.value);  // of one with many peaks
      const double low = p.role == Parameter::lengthscale ? wide * gap
                         : p.role == Parameter::variance  ? 1e-8 * p.value
                         : p.narrow                       ? p.value - near
                                                          : p.lower;
      const double high = p.role == Parameter::lengthscale ? wide * 20
                          : p.role == Parameter::variance  ? 1e8 * p.value
                          : p.narrow                       ? p.value + near
                                                           : p.upper;
      lower.push_back(p.log ? std::log(low) : low);
      upper.push_back(p.log ? std::log(high) : high);
    }
  });
  return {Eigen::Map<const Vector>(lower.data(), static_cast<Index>(lower.size())),
          Eigen::Map<const Vector>(upper.data(), static_cast<Index>(upper.size()))};
}

Box trust_region(const Box& range, const KernelSpec& spec, double far) {
  const Vector here = log_parameters(spec);
  return {range.lower.cwiseMin(here).cwiseMax((here.array() - far).matrix()),
          range.upper.cwiseMax(here).cwiseMin((here.array() + far).matrix())};
}

namespace {

// The heuristics are far less sure of the scale than of the lengthscale.
constexpr double shape_sd = 1.5, scale_sd = 2.5;

}  // namespace

Vector prior_sd(const KernelSpec& spec) {
  const std::vector<Parameter> all = make_kernel(spec)->parameters();
  Vector out(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    out(static_cast<Index>(i)) = all[i].role == Parameter::variance ? scale_sd : shape_sd;
  return out;
}

Vector open_of(const Vector& all, const OpenToLearn& open, double own_noise) {
  std::vector<double> out;
  for (std::size_t i = 0; i < open.kernel.size(); ++i)
    if (open.kernel[i]) out.push_back(all(static_cast<Index>(i)));
  if (open.own_noise()) out.push_back(own_noise);
  return Eigen::Map<const Vector>(out.data(), static_cast<Index>(out.size()));
}

double SearchPrior::add(const Vector& p, Vector& slope) const {
  const Eigen::ArrayXd away = (p - mean).array() / sd.array();
  slope.array() -= away / sd.array();
  return -0.5 * away.square().sum();
}

SearchPrior search_prior(const KernelSpec& heuristic, double noise, const OpenToLearn& open) {
  const KernelSpec relative = open.relative ? scaled(heuristic, 1.0 / noise) : heuristic;
  return {open_of(log_parameters(relative), open, std::log(noise)),
          open_of(prior_sd(heuristic), open, scale_sd)};
}

namespace {

// The objective at a place; NaN where it has none.
Slope slope_at(const AnyObjective& F, const Place& place, bool points, Checkpoint check) {
  try {
    return F(place, points, check);
  } catch (const Error&) {
    Slope out;
    out.objective = out.noise = out.log_noise = std::nan("");
    out.kernel = Vector::Constant(place.kernel->parameter_count(), std::nan(""));
    out.log_ratio = Vector(0);
    out.Z = Matrix::Constant(place.Z.rows(), place.Z.cols(), std::nan(""));
    return out;
  }
}

}  // namespace

FoundKernel search_kernel(const AnyObjective& F, const Matrix& points, const FoundKernel& start,
                          const OpenToLearn& open, const Box& range, int steps, const SearchPrior* prior,
                          Checkpoint check, double tolerance) {
  const KernelSpec unit = open.relative ? scaled(start.kernel, 1.0 / start.noise) : start.kernel;
  const Vector here = log_parameters(unit), shift = here - log_parameters(start.kernel);
  const double log_noise = std::log(start.noise);
  FoundKernel best{start.kernel, start.noise, start.mean};
  const auto value = [&](const Vector& p, Vector& slope) {
    Vector all = here;
    Index at = 0;
    for (Index i = 0; i < all.size(); ++i)
      if (open.kernel[static_cast<std::size_t>(i)]) all(i) = p(at++);
    Place place{nullptr, points, std::nullopt, start.mean};
    if (!open.relative) place.noise = open.own_noise() ? std::exp(p(at)) : start.noise;
    Slope out;
    try {
      place.kernel = make_kernel(with_log_parameters(unit, all));
      out = slope_at(F, place, false, check);
    } catch (const Error&) {  // parameters beyond the number range
      return std::nan("");
    }
    slope = open_of(out.kernel, open, out.log_noise);
    const double total = out.objective + (prior ? prior->add(p, slope) : 0.0);
    if (std::isfinite(total) && slope.allFinite() && total > best.objective) {
      const KernelSpec kernel = place.kernel->spec();
      best = {open.relative ? scaled(kernel, out.noise) : kernel, out.noise, start.mean, total};
    }
    return total;
  };
  const Vector p = open_of(here, open, log_noise),
               lower = open_of(range.lower + shift, open, log_noise - std::log(1e6)),
               upper = open_of(range.upper + shift, open, log_noise + std::log(1e6));
  Vector slope(p.size());
  if (p.size() == 0 || steps == 0 || !p.allFinite() || p != Box{lower, upper}.clamped(p)) {
    if (p.allFinite() && !std::isfinite(value(p, slope))) return best;
    if (p.size() == 0 || steps == 0 || !p.allFinite()) return best;
  }
  SearchOptions options;
  options.steps = steps;
  options.tolerance = tolerance;
  maximise(value, p, lower, upper, options, check);
  return best;
}

Found search_points(const AnyObjective& F, const StreamingGP& ahead, const Matrix& rows, int steps,
                    Checkpoint check) {
  const Matrix start = ahead.points();
  const Index M = start.rows(), D = start.cols();
  const auto value = [&](const Vector& p, Vector& slope) {
    const Matrix Z = Eigen::Map<const Matrix>(p.data(), M, D);
    const Slope out =
        slope_at(F, Place{ahead.state().kernel, Z, ahead.s2(), ahead.state().mean}, true, check);
    slope = Eigen::Map<const Vector>(out.Z.data(), out.Z.size());
    return out.objective;
  };
  Matrix lower(M, D), upper(M, D);
  for (Index d = 0; d < D; ++d) {
    const double low = std::min(start.col(d).minCoeff(),
                                rows.rows() > 0 ? rows.col(d).minCoeff() : start(0, d)),
                 high = std::max(start.col(d).maxCoeff(),
                                 rows.rows() > 0 ? rows.col(d).maxCoeff() : start(0, d));
    lower.col(d).setConstant(low - 0.05 * (high - low));
    upper.col(d).setConstant(high + 0.05 * (high - low));
  }
  const auto flat = [](const Matrix& A) -> Vector { return Eigen::Map<const Vector>(A.data(), A.size()); };
  SearchOptions options;
  options.steps = steps;
  return maximise(value, flat(start), flat(lower), flat(upper), options, check);
}

StreamingGP with_points(StreamingGP model, const Sample& batch, Checkpoint check) {
  if (batch.size() > 0) model.grow(batch.X, batch.y, check);
  return model;
}

StreamingGP with_rows(StreamingGP ahead, const Sample& batch, Checkpoint check) {
  if (batch.size() > 0) ahead.absorb(batch.X, batch.y, check, batch.weights, batch.told);
  return ahead;
}

bool rises(double value, const StreamingGP& ahead, const Sample& batch, double gain, Checkpoint check) {
  const double before = with_rows(ahead, batch, check).objective();
  return value > before + std::max(gain, 1e-8 * std::abs(before));
}

ScaleSums scale_sums(const StreamingGP& model) {
  const State& state = model.state();
  const Totals sums = model.totals();
  const Spectrum parts = spectrum(total_P(state.settled, state.open, state.trend), sums, state.trend);
  return {parts.lambda, parts.g,  parts.q.col(0), sums.n,       sums.Phi(0, 0),           sums.s(0),
          sums.yy,      sums.tau, sums.con,       state.offset, state.likelihood->kappa()};
}

BestScale learn_scale(StreamingGP& model, const StreamingGP& after, ScaleOpen open, bool quiet) {
  open.mean = open.mean && model.state().trend.ratio(0) == 0;
  const BestScale best =
      learned_scale(scale_sums(after), {model.v(), model.s2(), model.state().mean}, open, quiet);
  const double before = model.v();
  model.set_scale(best.scale.variance, best.scale.noise, best.scale.mean);
  // of columns that have no spread the rows tell nothing, of how uncertain their effects are neither
  Vector ratio = model.state().trend.ratio;
  if (ratio.size() > 1 && model.v() != before) {
    const Vector said = after.totals().Phi.diagonal();
    for (Index j = 1; j < ratio.size(); ++j)
      if (said(j) == 0) ratio(j) *= before / model.v();
    model.set_trend(ratio);
  }
  return best;
}

ScaleOpen open_scale(const Wishes& wishes) {
  return {open_amplitude(wishes.kernel), !wishes.noise && wishes.likelihood->kappa() > 0, !wishes.mean};
}

Matrix closer_points(const KernelSpec& now, const Selector& selector, const Wishes& wishes,
                     const Matrix& points, const Matrix& rows, Checkpoint check) {
  if (selector.spec().numbers.count("max_points") == 0) return points;
  const KernelPtr shorter = make_kernel(stretched(now, wishes.kernel, 0.5, 1.0));
  SelectorSpec alone = selector.spec();
  alone.numbers.erase("support");  // the points had it when they joined
  PointSet set(shorter, make_selector(alone), points.cols());
  set.update(points, check);
  PointSet more(shorter, make_selector(selector.spec()), set.points(), set.index(), set.seen());
  more.update(rows, check);
  return more.points();
}

bool learn_kernel(StreamingGP& model, const StreamingGP& ahead, const Sample& batch, const Wishes& wishes,
                  const Reach& reach, Checkpoint check) {
  const Sample part = std::isfinite(reach.far) ? part_of(batch, 2000) : batch;  // where time matters
  const Objective F(ahead, part.X, part.y, part.weights);
  const Matrix rows = both(open_rows(ahead), part).X, points = ahead.points();
  const KernelSpec now = ahead.kernel().spec();
  FoundKernel best;
  for (const double start : reach.starts) {
    const KernelSpec from = stretched(now, wishes.kernel, start, 1.0);
    const Matrix near = closer_points(from, *ahead.state().selector, wishes, points, rows, check);
    Matrix all(near.rows() + rows.rows(), rows.cols());
    all << near, rows;
    const FoundKernel found =
        search_kernel(std::cref(F), near, {from, ahead.s2(), ahead.state().mean},
                      open_to_learn(wishes.kernel, !wishes.noise, now),
                      trust_region(search_range(from, all), from, reach.far), reach.steps, nullptr, check);
    StreamingGP moved = model;
    moved.rebase(make_kernel(found.kernel), Matrix(model.points()));
    moved.set_scale(found.kernel.variance, found.noise, found.mean);
    const double value = with_rows(with_points(std::move(moved), batch, check), batch, check).objective();
    if (value > best.objective) best = {found.kernel, found.noise, found.mean, value};
  }
  if (!rises(best.objective, ahead, batch, reach.gain, check)) return false;
  model.rebase(make_kernel(best.kernel), Matrix(model.points()));
  model.set_scale(best.kernel.variance, best.noise, best.mean);
  return true;
}

bool learn_points(StreamingGP& model, const StreamingGP& ahead, const Sample& batch, int steps,
                  Checkpoint check) {
  if (ahead.size() == 0) return false;
  const Objective F(ahead, batch.X, batch.y, batch.weights);
  const Found found = search_points(std::cref(F), ahead, both(open_rows(ahead), batch).X, steps, check);
  if (!rises(found.value, ahead, batch, 0.0, check)) return false;
  model.rebase(ahead.state().kernel,
               Eigen::Map<const Matrix>(found.at.data(), ahead.size(), ahead.columns()));
  return true;
}

}  // namespace gpstream
