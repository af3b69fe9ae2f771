#include "settings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "../likelihoods/parameters.h"
#include "../select/point_set.h"
#include "../select/selectors.h"
#include "density.h"
#include "heuristics.h"
#include "periods.h"

namespace gpstream {

SelectorPtr dense_enough(const Settings& settings, const Matrix& rows, const SelectorSpec& wished,
                         Checkpoint check) {
  double tol = noise_share, v = settings.kernel->variance(),
         noise = settings.likelihood->noise_variance(settings.noise);
  if (settings.likelihood->fixed())  // the output of which least is noise
    for (const LatentScale& one : settings.others)
      if (one.noise && one.variance / *one.noise > v / noise) v = one.variance, noise = *one.noise;
  const double half = std::max(1.0, std::floor(0.5 * wished.numbers.at("max_points")));
  if (static_cast<double>(rows.rows()) > half) {
    const auto fits = [&] {
      SelectorSpec some = by_noise(tol, wished);
      some.numbers["max_points"] = half;
      PointSet set(settings.kernel, make_selector(some), rows.cols());
      return set.update(rows, check, v, noise) == 0;
    };
    while (tol * noise < v && !fits()) tol *= 3.0;
    if (tol > noise_share) {  // no larger than it need be
      for (double step = std::sqrt(3.0); step > 1.1; step = std::sqrt(step)) {
        tol /= step;
        if (!fits()) tol *= step;
      }
    }
  }
  SelectorSpec out = by_noise(tol, wished);
  if (tol > noise_share) out.words["left"] = "noise";
  return make_selector(out);
}

std::vector<Family> families_of(const Wishes& wishes, const Sample& rows, bool few) {
  if (!wishes.any_kernel) return families_of(wishes.kernel, rows, few);
  std::vector<Family> out = default_families();
  if (few) out.resize(2);  // so few rows cannot tell more of them apart
  return out;
}

LearnedKernel learned_kernel(const Wishes& wishes, const Moments& columns, const Sample& few,
                             const Sample& more, const std::map<std::string, Vector>& last, bool young,
                             Checkpoint check, const std::optional<OutputUnits>& units) {
  require_spread_of_columns(few.X);
  LearnStages stages;
  if (young) stages.top = 1;
  const LearnGiven given{wishes.noise,
                         wishes.mean,
                         wishes.slopes != Wishes::flat,
                         wishes.slopes == Wishes::wide,
                         wishes.trend_columns,
                         units,
                         wishes.noises,
                         wishes.means};
  return learn_exactly(families_of(wishes, more.size() > few.size() ? more : few, young), few, more,
                       {columns.mean(), columns.scale(), wishes.groups}, given, last, stages, check);
}

Settings settings_from(const LearnedKernel& found, const Wishes& wishes, const Moments& columns,
                       const Sample& rows, Checkpoint check) {
  Settings out;
  out.kernel = make_kernel(found.kernel);
  out.noise = found.noise;
  out.mean = found.centre;
  out.likelihood = wishes.likelihood;
  out.lookback = wishes.lookback;
  set_forgetting(wishes, out);
  const double v = found.kernel.variance;
  const std::vector<Index> untold = untold_columns(wishes, found.kernel, columns);
  const auto trend = [&](const auto& one, double variance) {
    Trend all = trend_in(wishes, columns, one.constant / variance, one.trend / variance);
    return with_untold(std::move(all), untold, columns, one.spread / variance);
  };
  out.trend = trend(found, v);
  for (const LearnedOutput& one : found.others)
    out.others.push_back({one.variance, one.centre, one.noise, trend(one, one.variance).ratio});
  out.selector =
      wishes.any_rho ? dense_enough(out, rows.X, wishes.select, check) : make_selector(wishes.select);
  return out;
}

std::optional<double> Wishes::noise_of(Index k) const {
  return k == 0 || noises.empty() ? noise : noises[static_cast<std::size_t>(k - 1)];
}

std::optional<double> Wishes::mean_of(Index k) const {
  return k == 0 || means.empty() ? mean : means[static_cast<std::size_t>(k - 1)];
}

bool Wishes::follows() const {
  return learns == always && memory > 0 && open_shape(kernel) && !select.optimize_points &&
         likelihood->fixed();
}

void set_forgetting(const Wishes& wishes, Settings& out) {
  out.fading = {wishes.half_life, wishes.half_life_column};
  if (wishes.any_half_life) out.half_lives = {1000.0, 250.0, 60.0, 15.0};
}

Sample open_rows(const StreamingGP& model) {
  const Window& open = model.state().open;
  const Responses rows = open.responses();
  Sample out{open.inputs(), rows.y.array() + model.state().offset,
             open.tells() ? rows.weights : Vector(open.own_sites().col(site::om))};
  out.told = {rows.more, rows.offset};
  const State& state = model.state();
  if (state.outputs() == 1) return out;
  out.told.others.resize(out.size(), state.outputs() - 1);
  for (Index k = 1; k < state.outputs(); ++k) {
    const State& one = state.sisters[static_cast<std::size_t>(k - 1)];
    out.told.others.col(k - 1) = one.open.outputs().array() + one.offset;
    out.weights =
        out.weights.cwiseMax(one.open.own_sites().col(site::om));  // where the first was not observed
  }
  return out;
}

SelectorSpec by_noise(double tol, const SelectorSpec& wished) {
  SelectorSpec out{"noise", wished.numbers, Matrix(), wished.words};
  out.numbers["tol"] = tol;
  return out;
}

Trend trend_in(const Wishes& wishes, const Moments& columns, double constant, double slope) {
  Trend out;
  out.ratio(0) = constant;
  if (wishes.slopes == Wishes::flat) return out;
  out.columns = wishes.trend_columns;
  if (out.columns.empty())
    for (Index d = 0; d < columns.first.size(); ++d) out.columns.push_back(d);
  const Index q = out.size();
  const Vector centre = columns.mean(), scale = columns.scale();
  out.centre.resize(q - 1);
  out.scale.resize(q - 1);
  for (Index j = 0; j + 1 < q; ++j) {
    out.centre(j) = centre(out.columns[static_cast<std::size_t>(j)]);
    out.scale(j) = scale(out.columns[static_cast<std::size_t>(j)]);
  }
  out.ratio = Vector::Constant(q, slope);
  out.ratio(0) = constant;
  return out;
}

std::vector<Index> untold_columns(const Wishes& wishes, const KernelSpec& kernel, const Moments& columns) {
  std::vector<char> used(static_cast<std::size_t>(columns.first.size()), 0);
  const auto use = [&](const std::vector<Index>& some) {
    if (some.empty()) std::fill(used.begin(), used.end(), 1);
    for (const Index d : some) used[static_cast<std::size_t>(d)] = 1;
  };
  each_leaf(kernel, [&](const KernelSpec& leaf, const std::vector<Parameter>&, Index) {
    if (leaf.name != "constant") use(leaf.columns);
  });
  if (wishes.slopes != Wishes::flat) use(wishes.trend_columns);
  std::vector<Index> out;
  for (Index d = 0; d < columns.first.size(); ++d) {
    const auto& groups = wishes.groups;
    const bool alone =
        groups.empty() || std::count(groups.begin(), groups.end(), groups[static_cast<std::size_t>(d)]) == 1;
    if (used[static_cast<std::size_t>(d)] && columns.constant(d) && (alone || columns.first(d) == 0))
      out.push_back(d);
  }
  return out;
}

Trend with_untold(Trend trend, const std::vector<Index>& untold, const Moments& columns, double spread) {
  const std::vector<Index> asked = trend.columns;
  const Vector scale = columns.scale(), ratio = trend.ratio;
  for (const Index d : untold)
    if (std::count(asked.begin(), asked.end(), d) == 0) trend.columns.push_back(d), ++trend.untold;
  const Index q = trend.size(), own = ratio.size();
  trend.centre.conservativeResize(q - 1);
  trend.scale.conservativeResize(q - 1);
  trend.ratio.conservativeResize(q);
  for (Index j = 1; j < q; ++j) {
    const Index d = trend.columns[static_cast<std::size_t>(j - 1)];
    if (j >= own) trend.centre(j - 1) = columns.mean()(d), trend.scale(j - 1) = scale(d);
    if (columns.constant(d)) trend.ratio(j) = std::count(untold.begin(), untold.end(), d) > 0 ? spread : 0.0;
  }
  return trend;
}

Vector latent_outputs(const Wishes& wishes, const ConstVectorView& y, const Told& told) {
  if (wishes.likelihood->location()) return y;
  return wishes.likelihood->start({y, Vector(), told.more, told.offset}, 1.0).mean.head(y.size());
}

namespace {

// The rule for points where none was given: what the noise asks, finely where the model learns, and where
// correlation does not tell.
SelectorSpec own_selector(const Wishes& wishes, const Kernel& kernel) {
  if (!wishes.any_rho) return wishes.select;
  if (wishes.learns != Wishes::nothing) return by_noise(noise_share, wishes.select);
  return kernel.correlation_tells() ? wishes.select : by_noise(1.0, wishes.select);
}

}  // namespace

double centre_of(const Likelihood& likelihood, const Vector& y) {
  if (y.size() == 0 || (likelihood.latents() > 1 && !likelihood.location())) return 0.0;
  return likelihood.fixed() || !likelihood.location() ? y.mean() : middle_of(y);
}

Vector observed(const ConstVectorView& y) {
  Vector out(y.size());
  Index n = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y(i))) out(n++) = y(i);
  return out.head(n);
}

namespace {

// What outputs after the first begin with.
std::vector<LatentScale> further_outputs(const Wishes& wishes, const ConstMatrixView& X, const Told& told) {
  std::vector<LatentScale> out;
  for (Index k = 1; k < wishes.likelihood->latents(); ++k) {
    const Vector y = told.others.cols() >= k ? observed(told.others.col(k - 1)) : Vector();
    const double v = output_variance(y), variance = resolve(wishes.kernel, X, v).variance;
    LatentScale one{variance, wishes.mean_of(k).value_or(y.size() > 0 ? y.mean() : 0.0),
                    wishes.noise_of(k).value_or(0.1 * v)};
    if (wishes.slopes == Wishes::wide && X.rows() > 0) {
      const double wide = wide_variance * v / variance;
      const Index q =
          wishes.trend_columns.empty() ? X.cols() : static_cast<Index>(wishes.trend_columns.size());
      one.trend = Vector::Constant(q + 1, wide);
      if (wishes.mean_of(k)) (*one.trend)(0) = 0.0;
    }
    out.push_back(one);
  }
  return out;
}

}  // namespace

LikelihoodPtr with_parameter(const Likelihood& likelihood, const std::string& name, double value) {
  LikelihoodSpec spec = likelihood.spec();
  spec.numbers[name] = value;
  return make_likelihood(spec);
}

namespace {

// The likelihood to begin with, of outputs with this variance: a noise that is a parameter begins like
// others.
LikelihoodPtr likelihood_for(const Wishes& wishes, double variance) {
  LikelihoodPtr out = wishes.likelihood;
  if (likelihood_in_units(*out))
    for (const std::string& name : wishes.open_likelihood)
      out = with_parameter(*out, name, typical_noise * variance);
  return out;
}

}  // namespace

void require_spread(const Likelihood& likelihood, const ConstVectorView& y) {
  if (likelihood.fixed() || !likelihood.location() || y.size() == 0) return;
  const double range = y.maxCoeff() - y.minCoeff();
  require(range == 0 || range >= least_size, "input",
          "`y` must vary by at least 1e-140, not by less. Give it in a smaller unit.");
}

Settings settings_for(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& outputs,
                      const Told& told) {
  const bool several = wishes.likelihood->fixed() && wishes.likelihood->latents() > 1;
  const Vector y = several ? observed(outputs) : latent_outputs(wishes, outputs, told);
  const Likelihood& likelihood = *wishes.likelihood;
  const double v = !likelihood.location() ? likelihood.unit() * likelihood.unit()
                   : likelihood.fixed()   ? output_variance(y)
                                          : robust_variance(y);
  require_spread(likelihood, y);
  Settings out;
  out.kernel = make_kernel(resolve(wishes.kernel, X, v));
  out.selector = make_selector(own_selector(wishes, *out.kernel));
  const double typical = likelihood.typical_dispersion(v);
  out.noise = likelihood.kappa() > 0 ? wishes.noise.value_or(typical) : typical;
  out.others = likelihood.others(out.kernel->variance());
  if (likelihood.fixed() && likelihood.latents() > 1) out.others = further_outputs(wishes, X, told);
  out.likelihood = likelihood_for(wishes, v);
  out.mean = wishes.mean.value_or(centre_of(likelihood, y));
  if (!likelihood.location())  // functions of classes are alike
    for (LatentScale& one : out.others) one.mean = out.mean;
  out.lookback = wishes.lookback;
  set_forgetting(wishes, out);
  if (wishes.trend) out.trend = *wishes.trend;
  if (wishes.slopes == Wishes::wide && X.rows() > 0) {
    Moments columns(X.cols());
    columns.add(X);
    const double wide = wide_variance * v / out.kernel->variance();
    out.trend = trend_in(wishes, columns, wishes.mean ? 0.0 : wide, wide);
  }
  return out;
}

}  // namespace gpstream
