// What the user gave a model, and what was left open for it to learn.
#ifndef GPSTREAM_LEARN_WISHES_H
#define GPSTREAM_LEARN_WISHES_H

#include "../model/update.h"
#include "given.h"
#include "moments.h"
#include "sample.h"

namespace gpstream {

struct Wishes {
  enum Learns { nothing, at_first, always };

  GivenKernel kernel;
  std::optional<double> noise, mean;
  std::vector<std::optional<double>> noises = {}, means = {};  // of further outputs; none: those of the first
  SelectorSpec select;
  bool any_kernel = false;  // may the evidence choose its family, too?
  bool any_rho = false;     // may learning choose it?
  // The slopes of a linear trend: none, with a prior variance that is learned, or with a wide one.
  enum Slopes { flat, learned, wide };
  Slopes slopes = flat;
  std::vector<Index> trend_columns;  // none: all
  std::optional<Trend> trend;        // all of it, where it is known
  Index lookback = 100, warmup = 200, memory = 1000;
  Learns learns = nothing;
  bool calibrate = true;  // are intervals corrected by what they missed?
  double half_life = std::numeric_limits<double>::infinity();
  Index half_life_column = Fading::by_rows;
  bool any_half_life = false;  // is it to be found?
  std::vector<Index> groups;   // of the columns: those of one group have one lengthscale
  LikelihoodPtr likelihood = make_likelihood("gaussian");
  std::vector<std::string> open_likelihood = {};  // those of its parameters that are to be learned

  // What was wished for of output k.
  std::optional<double> noise_of(Index k) const {
    return k == 0 || noises.empty() ? noise : noises[static_cast<std::size_t>(k - 1)];
  }
  std::optional<double> mean_of(Index k) const {
    return k == 0 || means.empty() ? mean : means[static_cast<std::size_t>(k - 1)];
  }

  // Is there something to learn that the evidence alone cannot tell?
  bool needs_rows() const { return learns != nothing && open_shape(kernel); }
  // Does the model go on learning its kernel?
  bool follows() const {
    return learns == always && memory > 0 && open_shape(kernel) && !select.optimize_points &&
           likelihood->fixed();
  }
};

// How the model forgets. Half-lives to choose from, in rows, are each about a quarter of the one before: what
// lies between costs little.
inline void set_forgetting(const Wishes& wishes, Settings& out) {
  out.fading = {wishes.half_life, wishes.half_life_column};
  if (wishes.any_half_life) out.half_lives = {1000.0, 250.0, 60.0, 15.0};
}

constexpr double few_rows = 10;  // below this number, the heuristics

inline Sample open_rows(const StreamingGP& model) {
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

constexpr double noise_share = 0.01;  // of the noise that points may leave of a row

// With the limit that was wished for, what happens when it is reached, and the support a point needs.
inline SelectorSpec by_noise(double tol, const SelectorSpec& wished) {
  SelectorSpec out{"noise", wished.numbers, Matrix(), wished.words};
  out.numbers["tol"] = tol;
  return out;
}

// A trend in the columns that are wished for, with the prior variances of its coefficients over that of the
// kernel: next to nothing is known of them where they are `wide`.
constexpr double wide_variance = 100;  // in units of the outputs' own
inline Trend trend_in(const Wishes& wishes, const Moments& columns, double constant, double slope) {
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

// Columns that had no spread so far: what happens when one varies, a level of a factor comes that was not
// there say, no row has told. Of those that a kernel or the trend looks at; of a factor's columns, of which one
// is 1, those that are 0.
inline std::vector<Index> untold_columns(const Wishes& wishes, const KernelSpec& kernel,
                                         const Moments& columns) {
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

// What such a column does, by as much as its size, is about as uncertain as y: as a coefficient of that prior
// variance (over the kernel's), until it has varied and more is learned.
inline Trend with_untold(Trend trend, const std::vector<Index>& untold, const Moments& columns,
                         double spread) {
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

// Outputs on the scale of f, as far as rows tell by themselves.
inline Vector latent_outputs(const Wishes& wishes, const ConstVectorView& y, const Told& told) {
  if (wishes.likelihood->location()) return y;
  return wishes.likelihood->start({y, Vector(), told.more, told.offset}, 1.0).mean.head(y.size());
}

// The rule for points where none was given: what the noise asks, finely where the model learns, and where
// correlation does not tell.
inline SelectorSpec own_selector(const Wishes& wishes, const Kernel& kernel) {
  if (!wishes.any_rho) return wishes.select;
  if (wishes.learns != Wishes::nothing) return by_noise(noise_share, wishes.select);
  return kernel.correlation_tells() ? wishes.select : by_noise(1.0, wishes.select);
}

// Where f is expected before anything is learned, by such outputs. Of the functions of classes none is
// preferred to another.
inline double centre_of(const Likelihood& likelihood, const Vector& y) {
  if (y.size() == 0 || (likelihood.latents() > 1 && !likelihood.location())) return 0.0;
  return likelihood.fixed() || !likelihood.location() ? y.mean() : middle_of(y);
}

// Where an output was observed.
inline Vector observed(const ConstVectorView& y) {
  Vector out(y.size());
  Index n = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y(i))) out(n++) = y(i);
  return out.head(n);
}

// What outputs after the first begin with.
inline std::vector<LatentScale> further_outputs(const Wishes& wishes, const ConstMatrixView& X,
                                                const Told& told) {
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

// Does a parameter have the units of y?
inline bool likelihood_in_units(const Likelihood& likelihood) {
  return likelihood.location() && likelihood.kappa() == 0.0;
}

inline LikelihoodPtr with_parameter(const Likelihood& likelihood, const std::string& name, double value) {
  LikelihoodSpec spec = likelihood.spec();
  spec.numbers[name] = value;
  return make_likelihood(spec);
}

// The likelihood to begin with, of outputs with this variance: a noise that is a parameter begins like others.
inline LikelihoodPtr likelihood_for(const Wishes& wishes, double variance) {
  LikelihoodPtr out = wishes.likelihood;
  if (likelihood_in_units(*out))
    for (const std::string& name : wishes.open_likelihood)
      out = with_parameter(*out, name, typical_noise * variance);
  return out;
}

// Outputs in the unit of f whose differences have no squares would pass for equal.
inline void require_spread(const Likelihood& likelihood, const ConstVectorView& y) {
  if (likelihood.fixed() || !likelihood.location() || y.size() == 0) return;
  const double range = y.maxCoeff() - y.minCoeff();
  require(range == 0 || range >= least_size, "input",
          "`y` must vary by at least 1e-140, not by less. Give it in a smaller unit.");
}

// A model's settings with everything that is open taken from rows.
inline Settings settings_for(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& outputs,
                             const Told& told = Told()) {
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

#endif
