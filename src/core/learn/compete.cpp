#include "compete.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heuristics.h"
#include "wishes.h"

namespace gpstream {

LearnGiven LearnGiven::of(Index k) const {
  LearnGiven out = *this;
  const auto other = static_cast<std::size_t>(k) - 1;
  if (k > 0) out.noise = noises.empty() ? noise : noises[other];
  if (k > 0) out.mean = means.empty() ? mean : means[other];
  return out;
}

OutputUnits output_units(const Sample& rows, const std::optional<double>& mean) {
  require(rows.size() > 0, "input", "without rows there is nothing to learn from.");
  require_spread(rows.y, "`y`");
  const double first = rows.y(0);  // far from 0, a sum would lose the last digits of what outputs differ by
  const double centre = mean.value_or(first + (rows.y.array() - first).mean());
  const double few = std::max(rows.count() - 1.0, 1.0);
  const double least = varies(rows.y) ? 0.0 : 1e-8 * (1.0 + std::abs(centre));
  const double variance = std::max((rows.y.array() - centre).square().sum() / few, least * least);
  return {centre, std::isfinite(variance) ? variance : 1.0,
          rows.weights.size() > 0 ? rows.weights.mean() : 1.0};
}

ExactEvidence exact_evidence(const Sample& rows, const Columns& columns, const OutputUnits& units,
                             const LearnGiven& given) {
  const Index n = rows.size(), D = columns.size(), first = given.mean ? 0 : 1;
  require(rows.X.cols() == D && columns.centre.size() == D && (columns.scale.array() > 0).all() &&
              (columns.groups.empty() || static_cast<Index>(columns.groups.size()) == D),
          "dimension", "every column needs a centre and a positive scale.");
  std::vector<Index> slopes = given.trend_columns;
  if (slopes.empty())
    for (Index d = 0; d < D; ++d) slopes.push_back(d);
  const Index q = given.trend ? static_cast<Index>(slopes.size()) : 0;
  Matrix T = Matrix::Ones(n, first + q);
  for (Index j = 0; j < q; ++j) {
    const Index d = slopes[static_cast<std::size_t>(j)];
    T.col(first + j) = (rows.X.col(d).array() - columns.centre(d)) / columns.scale(d);
  }
  const bool faded = rows.shares.size() > 0;
  return {rows.X,
          rows.y.array() - units.centre,
          faded ? Vector(rows.weights.cwiseProduct(rows.shares)) : rows.weights,
          T,
          Vector::Constant(first + (given.wide ? q : 0), wide_variance * units.variance),
          faded ? rows.count() - rows.shares.sum() : 0.0};
}

double cost_of(const OutputUnknowns& unknowns, const Sample& rows) {
  return 0.5 * std::log(rows.count()) * static_cast<double>(unknowns.size());
}

Evidences evidences(const Sample& rows, const std::vector<Index>& which, const Columns& columns,
                    const std::vector<OutputUnits>& units, const LearnGiven& given) {
  Evidences out;
  for (std::size_t i = 0; i < which.size(); ++i) {
    out.each.push_back(exact_evidence(of_output(rows, which[i]), columns, units[i], given.of(which[i])));
    out.variance.push_back(units[i].variance);
  }
  return out;
}

namespace {

// Outputs that tell something: they vary in these rows. A single one need not.
std::vector<Index> telling_outputs(const Sample& few, const Sample& many) {
  std::vector<Index> out;
  for (Index k = 0; k < few.outputs(); ++k)
    if (few.outputs() == 1 || (varies(of_output(few, k).y) && varies(of_output(many, k).y))) out.push_back(k);
  if (out.empty()) out.push_back(0);
  return out;
}

}  // namespace

LearnedKernel learn_exactly(const std::vector<Family>& families, const Sample& few, const Sample& many,
                            const Columns& columns, const LearnGiven& given,
                            const std::map<std::string, Vector>& last, const LearnStages& stages,
                            Checkpoint check) {
  require(!families.empty(), "input", "without a family of kernels there is nothing to choose from.");
  struct Candidate {
    const Family* family;
    OutputUnknowns unknowns;
    Found found;
  };
  const auto higher = [](const Candidate& a, const Candidate& b) { return a.found.value > b.found.value; };
  const bool again = many.size() > few.size();
  const std::vector<Index> which = telling_outputs(few, many);
  std::vector<OutputUnits> units;
  std::vector<std::optional<double>> noise;
  for (const Index k : which) {
    const Sample rows = of_output(again ? many : few, k);
    units.push_back(given.units ? *given.units : output_units(rows, given.of(k).mean));
    noise.push_back(given.of(k).noise);
  }
  LearnedKernel out;

  Evidences first = evidences(few, which, columns, units, given);
  const double spacing = std::pow(few.count(), -1.0 / static_cast<double>(columns.size()));
  std::vector<Candidate> all;
  for (const Family& family : families) {
    const OutputUnknowns unknowns(family, columns, units, noise, given.learns_trend());
    std::optional<Found> best;
    for (const Vector& start : starts_of(family, first, unknowns, last, spacing, check)) {
      const Found one = climb(first, unknowns, start, stages.few_steps, check);
      if (!best || one.value > best->value) best = one;
    }
    best->value -= cost_of(unknowns, few);
    out.by_family[family.name] = best->value;
    all.push_back({&family, unknowns, *best});
  }
  std::stable_sort(all.begin(), all.end(), higher);
  for (const Candidate& one : all) out.starts[one.family->name] = one.found.at;

  if (again) {
    Evidences second = evidences(many, which, columns, units, given);
    const std::size_t top = std::min(std::max<std::size_t>(stages.top, 1), all.size());
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(top), all.end());
    for (Candidate& one : all) {
      one.found = climb(second, one.unknowns, one.found.at, stages.many_steps, check);
      one.found.value -= cost_of(one.unknowns, many);
      out.starts[one.family->name] = one.found.at;
    }
    std::stable_sort(all.begin(), all.end(), higher);
  }

  const Candidate& best = all.front();
  const std::vector<Chosen> chosen = best.unknowns.at(best.found.at);
  std::vector<LearnedOutput> outputs;
  for (Index k = 0; k < few.outputs(); ++k) {
    const auto found = std::find(which.begin(), which.end(), k);
    const auto i = static_cast<std::size_t>(found == which.end() ? 0 : found - which.begin());
    OutputUnits own = units[i];
    double by = 1.0;
    if (found == which.end()) {  // as the first of those that tell something, in units of its own
      const Sample rows = of_output(again ? many : few, k);
      own = rows.size() > 0 ? output_units(rows, given.of(k).mean)
                            : OutputUnits{given.of(k).mean.value_or(0.0), 1.0, 1.0};
      by = own.variance / units[i].variance;
    }
    const bool open = open_amplitude(best.family->kernel);
    outputs.push_back({(open ? by : 1.0) * chosen[i].kernel.variance,
                       given.of(k).noise.value_or(by * chosen[i].noise),
                       given.wide ? wide_variance * own.variance : by * chosen[i].trend,
                       given.of(k).mean ? 0.0 : wide_variance * own.variance, own.centre, own.variance});
  }
  out.kernel = outputs[0].variance == chosen[0].kernel.variance
                   ? chosen[0].kernel
                   : with_variance(chosen[0].kernel, outputs[0].variance);
  out.noise = outputs[0].noise;
  out.trend = outputs[0].trend;
  out.constant = outputs[0].constant;
  out.centre = outputs[0].centre;
  out.spread = outputs[0].spread;
  outputs.erase(outputs.begin());
  out.others = std::move(outputs);
  out.family = best.family->name;
  out.theta = best.found.at;
  out.objective = best.found.value;
  return out;
}

}  // namespace gpstream
