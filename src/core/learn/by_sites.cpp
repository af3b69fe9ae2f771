#include "by_sites.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../read/in_front.h"
#include "beliefs.h"
#include "change.h"
#include "compete.h"
#include "exact.h"
#include "families.h"
#include "golden.h"
#include "heuristics.h"
#include "outputs.h"
#include "scale.h"
#include "settings.h"
#include "unknowns.h"
#include "warmup.h"

namespace gpstream {

Latent latent_of_open(const StreamingGP& model) {
  const State& state = model.state();
  Matrix A = in_front(state.trend.features(state.open.inputs()), state.open.features());
  Latent out;
  out.mean = (state.mean - state.offset) + (model.xi() * (A.transpose() * model.weights().a)).array();
  solve_lower(model.factor(), MatrixView(A));
  out.variance = model.v() * (state.open.residuals() + A.colwise().squaredNorm().transpose());
  return out;
}

namespace {

// Parameters of the likelihood, one after the other, where the open rows are most likely on average over what
// is known of f; or, on the scale that they are looked for on, a share of the way there.
void learn_likelihood(StreamingGP& model, const Wishes& wishes, Checkpoint check, double share = 1.0) {
  const std::vector<std::string>& names = wishes.open_likelihood;
  if (names.empty() || model.state().open.size() < 5) return;
  const std::map<std::string, double> begun = wishes.likelihood->spec().numbers;
  const Latent at = latent_of_open(model);
  const Responses rows = model.state().open.responses();
  for (const std::string& name : names) {
    check();
    const Likelihood& now = *model.state().likelihood;
    const std::vector<LikelihoodParameter> all = now.parameters();
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
    require(own != all.end(), "parameter", "the likelihood has no parameter \"" + name + "\".");
    const auto value_of = [&](double t) { return own->log ? std::exp(t) : t; };
    const bool in_units = likelihood_in_units(now);
    const auto value = [&](double t) {
      const LikelihoodPtr one = with_parameter(now, name, value_of(t));
      // one that the rows hardly tell, a class that has not been seen say, stays about where it began
      const auto start = begun.find(name);
      const bool held = own->log && !in_units && start != begun.end();
      const double away = held ? (t - std::log(start->second)) / 2.0 : 0.0;
      const double sum = one->telling(rows, at, model.s2()).sum() - 0.5 * away * away;
      return std::isfinite(sum) ? sum : -std::numeric_limits<double>::infinity();
    };
    // within a factor of ten, or a distance of two, of what it was; a noise not below what rounding leaves of
    // f
    const double least = in_units ? 1e-10 * model.v() : own->lower;
    const double here = own->log ? std::log(own->value) : own->value, far = own->log ? std::log(10.0) : 2.0;
    const double low = std::max(here - far, own->log ? std::log(least) : least),
                 high = std::min(here + far, own->log ? std::log(own->upper) : own->upper);
    const double best = golden_section(value, low, high, 1e-3);
    if (value(best) > value(here))
      model.set_likelihood(with_parameter(now, name, value_of(here + share * (best - here))));
  }
}

}  // namespace

void follow_likelihood(StreamingGP& model, const Wishes& wishes) {
  const State& state = model.state();
  if (state.fresh > 0 || wishes.learns == Wishes::nothing || wishes.open_likelihood.empty()) return;
  const double rows = static_cast<double>(std::min(state.open.size(), state.open.limit()));
  const double share = rows / std::max(state.counters.held(), 1.0);
  learn_likelihood(
      model, wishes, [] {}, std::min(share, 1.0));
}

namespace {

// Where y is not on the scale of f, rows that all say the same know no end of it.
void hold_amplitude(StreamingGP& model, double standard) {
  const double unit = standard * standard;
  const double v = std::min(std::max(model.v(), 1e-6 * unit), 25.0 * unit);
  if (v != model.v()) model.set_scale(v, model.s2(), model.state().mean);
}

// The scale of one latent function. What is known of the trend beforehand stays what it is.
void learn_scale_of(StreamingGP& model, const ScaleOpen& open, std::optional<double> unit) {
  const Vector trend = model.v() * model.state().trend.ratio;
  learn_scale(model, StreamingGP(model), open, true);
  if (unit) hold_amplitude(model, *unit);
  model.set_trend(trend / model.v());
}

// That of each of them.
void learn_scales(StreamingGP& model, const Wishes& wishes) {
  const Likelihood& likelihood = *model.state().likelihood;
  const ScaleOpen open = open_scale(wishes);
  const std::optional<double> unit =
      likelihood.location() ? std::nullopt : std::optional<double>(likelihood.unit());
  learn_scale_of(model, open, unit);
  const ScaleOpen others{open.variance || likelihood.location(), false, true};
  model.each_sister([&](StreamingGP& one) { learn_scale_of(one, others, likelihood.unit()); });
}

}  // namespace

void learn_scale_and_sites(StreamingGP& model, const Wishes& wishes, Checkpoint check) {
  if (model.state().likelihood->fixed()) {
    model.each_output(
        [&](StreamingGP& one, Index) { learn_scale(one, StreamingGP(one), open_scale(wishes), true); });
    return;
  }
  const bool all_here = model.state().settled.n == 0;
  for (int round = 0; round < 3; ++round) {
    check();
    learn_scales(model, wishes);
    if (all_here) learn_likelihood(model, wishes, check);
    model.refresh(check);
  }
}

namespace {

// The open rows as Gaussian ones.
Sample rows_by_sites(const State& state) {
  const Window& open = state.open;
  const Sites S = open.sites();
  const Vector om = S.col(site::om).cwiseMax(1e-10 * (S.col(site::om).maxCoeff() + 1e-290));
  return {open.inputs(), S.col(site::ga).cwiseQuotient(om).array() + state.offset, om};
}

// The latent function that tells most of the kernel that all have: that of y itself, or the one of which the
// rows know most.
const State& most_telling(const State& state) {
  if (state.likelihood->location()) return state;
  const auto known = [](const State& one) { return one.open.sites().col(site::om).sum(); };
  const State* best = &state;
  for (const State& one : state.sisters)
    if (known(one) > known(*best)) best = &one;
  return *best;
}

// Where y is not on the scale of f, the centre is what rows say by themselves: what they say with others
// would run away where all say the same.
OutputUnits units_by_sites(const Wishes& wishes, const Sample& rows, const Sample& gaussian) {
  const Likelihood& likelihood = *wishes.likelihood;
  const double weight = gaussian.weights.mean(), unit = likelihood.unit();
  if (!likelihood.location()) {
    const double centre = centre_of(likelihood, latent_outputs(wishes, rows.y, rows.told));
    return {wishes.mean.value_or(centre), unit * unit, weight};
  }
  const double total = gaussian.weights.sum(), centre = gaussian.weights.dot(gaussian.y) / total;
  const double spread = gaussian.weights.dot((gaussian.y.array() - centre).square().matrix()) / total;
  return {wishes.mean.value_or(centre), spread > 0 ? spread : robust_variance(rows.y), weight};
}

}  // namespace

Settings settings_by_sites(const Wishes& given, const Sample& all, Checkpoint check) {
  Wishes wishes = given;
  const Sample rows = part_of(all, 500);
  Moments columns(rows.X.cols());
  columns.add(rows.X);
  Settings settings = settings_for(wishes, rows.X, rows.y, rows.told);
  std::map<std::string, Vector> starts;
  const bool own_noise = wishes.likelihood->kappa() > 0 && !wishes.noise;
  for (int round = 0; round < 3; ++round) {
    settings.lookback = unlimited;
    StreamingGP model(settings, rows.X.cols());
    model.update(rows.X, rows.y, check, false, rows.weights, Vector(), rows.told);
    learn_likelihood(model, given, check);
    wishes.likelihood = model.state().likelihood;
    model.refresh(check);
    Sample gaussian = rows_by_sites(most_telling(model.state()));
    // where noise varies, the dispersion is what it typically is
    const double typical =
        model.latents() > 1 && wishes.likelihood->location() ? 1.0 / gaussian.weights.mean() : 1.0;
    gaussian.weights *= typical;
    const OutputUnits units = units_by_sites(wishes, rows, gaussian);
    Wishes there = wishes;
    if (!own_noise) there.noise = typical * model.s2();
    const LearnedKernel found =
        learned_kernel(there, columns, part_of(gaussian, 200), gaussian, starts, round == 0, check, units);
    starts = found.starts;
    if (model.latents() > 1) learn_scales(model, wishes);
    settings = settings_from(found, wishes, columns, all, check);
    settings.others.clear();
    for (const State& one : model.state().sisters)
      settings.others.push_back({one.kernel->variance(), one.mean - std::log(typical)});
  }
  return settings;
}

OutputUnknowns::OutputUnknowns(const Family& family, const Columns& columns,
                               const std::vector<OutputUnits>& units,
                               const std::vector<std::optional<double>>& noise, bool trend)
    : first_(family, columns, units[0].variance, units[0].variance * units[0].weight, noise[0], trend),
      all_(first_.all()),
      trend_(trend),
      amplitude_(open_amplitude(family.kernel)) {
  for (std::size_t k = 1; k < units.size(); ++k) {
    Output one{units[k].variance * units[k].weight, units[k].variance, noise[k]};
    if (amplitude_) one.variance = add(log_variance());
    if (!noise[k]) one.log_noise = add(gpstream::log_noise());
    if (trend) one.log_trend = add(gpstream::log_trend());
    others_.push_back(one);
  }
}

std::vector<Chosen> OutputUnknowns::at(const Vector& theta) const {
  std::vector<Chosen> out{first_.at(theta.head(first_.size()))};
  const KernelSpec kernel = out.front().kernel;
  for (const Output& one : others_) {
    const double v = amplitude_ ? one.own * std::exp(theta(one.variance)) : kernel.variance;
    out.push_back({with_variance(kernel, v),
                   one.noise ? *one.noise : one.row * std::exp(theta(one.log_noise)),
                   trend_ ? one.own * std::exp(theta(one.log_trend)) : 0.0});
  }
  return out;
}

Vector OutputUnknowns::slope(const std::vector<ExactSlope>& by) const {
  Vector out = Vector::Zero(size());
  out.head(first_.size()) = first_.slope(by.front());
  for (std::size_t k = 0; k < others_.size(); ++k) {
    const Output& one = others_[k];
    ExactSlope shape = by[k + 1];
    shape.log_noise = shape.log_trend = 0.0;
    if (amplitude_) shape.kernel = shape.shape;
    out.head(first_.size()) += first_.slope(shape);
    if (one.variance >= 0) out(one.variance) = by[k + 1].log_amplitude;
    if (one.log_noise >= 0) out(one.log_noise) = by[k + 1].log_noise;
    if (one.log_trend >= 0) out(one.log_trend) = by[k + 1].log_trend;
  }
  return out;
}

Index OutputUnknowns::add(const Unknown& one) {
  all_.push_back(one);
  return size() - 1;
}

double rows_alike(const State& state, const Sample& batch) {
  const Likelihood& likelihood = *state.likelihood;
  const bool tells = !likelihood.location() && !likelihood.parameters().empty();
  if (likelihood.fixed() || tells || batch.told.offset.size() > 0) return 0.0;
  const Vector own = state.open.outputs(), added = batch.y.array() - state.offset;
  const double first = own.size() > 0 ? own(0) : added(0);
  const auto run = [&](const Vector& y) {
    Index count = 0;
    while (count < y.size() && y(count) == first) ++count;
    return count;
  };
  Index alike = run(own);
  if (alike == own.size()) alike += run(added);
  const double count = static_cast<double>(alike);
  return count < few_rows ? 0.0 : count + state.counters.seen - static_cast<double>(own.size());
}

namespace {

// Of rows that begin with so many of one value, as many of these as there are others: what the kernel is
// learned from.
Sample telling_rows(const Sample& rows, Index alike) {
  const Index others = rows.size() - alike;
  if (alike <= others) return rows;
  return both(part_of(piece_of(rows, 0, alike), others), piece_of(rows, alike, others));
}

}  // namespace

Settings learned_settings(const Wishes& wishes, const Sample& rows, Checkpoint check) {
  if (!wishes.likelihood->fixed()) return settings_by_sites(wishes, rows, check);
  if (!varies(rows)) return settings_for(wishes, rows.X, rows.y, rows.told);
  Moments columns(rows.X.cols());
  columns.add(rows.X);
  const LearnedKernel found =
      learned_kernel(wishes, columns, part_of(rows, 200), part_of(rows, 500), {}, false, check);
  return settings_from(found, wishes, columns, rows, check);
}

StreamingGP warmed_up(const StreamingGP* before, const Sample& rows, double all, double alike,
                      const Wishes& wishes, Checkpoint check) {
  const double telling = all - alike;
  const bool over = telling >= static_cast<double>(wishes.warmup);
  const Index first = static_cast<Index>(rows.count() - std::min(telling, rows.count()));
  Settings settings = telling < few_rows ? settings_for(wishes, rows.X, rows.y, rows.told)
                                         : learned_settings(wishes, telling_rows(rows, first), check);
  const Index most = std::max({wishes.memory, wishes.warmup, wishes.lookback});
  if (!over) settings.lookback = rows.size() > most ? most : unlimited;
  StreamingGP model(settings, rows.X.cols());
  if (before) model.set_history(before->state().history);
  model.set_learning({true, !over, all, 0.0, all, 0.0});
  return model;
}

}  // namespace gpstream
