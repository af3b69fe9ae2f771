// A kernel from a few hundred rows: several families compete by their exact evidence times a prior, at its
// highest, less what an unknown costs that the rows have to settle: half the log of their number. A sum of
// two kernels has two more of them, and would else be taken wherever its shorter one can pass for noise. All
// compete on few rows and from several starts; the best of them go on, from what they found, on more rows.
#ifndef GPSTREAM_LEARN_COMPETE_H
#define GPSTREAM_LEARN_COMPETE_H

#include <algorithm>

#include "climb.h"
#include "wishes.h"

namespace gpstream {

// Outputs are measured from `centre`; a typical row has this variance and this weight.
struct OutputUnits {
  double centre, variance, weight;
};

// What is not looked for: noise and mean where they are given, the linear trend where it is not wanted, and
// the prior variance of its slopes where that is wide. Units, where the rows do not tell them.
struct LearnGiven {
  std::optional<double> noise, mean;
  bool trend = true, wide = false;
  std::vector<Index> trend_columns = {};  // none: all
  std::optional<OutputUnits> units = {};

  bool learns_trend() const { return trend && !wide; }
};

struct LearnStages {
  int few_steps = 20, many_steps = 12;
  std::size_t top = 2;  // families that go on to many rows
};

struct LearnedKernel {
  KernelSpec kernel;
  double noise;
  double trend;     // prior variance of the coefficient of (x_d - centre_d) / scale_d; 0 without a trend
  double constant;  // that of the constant, which is measured from `centre`; 0 where the mean is given
  double centre;
  std::string family;
  Vector theta;
  double objective;                         // of the last stage, for outputs of variance 1
  std::map<std::string, double> by_family;  // that of the first, for all
  std::map<std::string, Vector> starts;     // where each ended: to start from the next time
};

inline OutputUnits output_units(const Sample& rows, const std::optional<double>& mean) {
  require(rows.size() > 0, "input", "without rows there is nothing to learn from.");
  const double centre = mean.value_or(rows.y.mean()), few = std::max(rows.count() - 1.0, 1.0);
  const double least = 1e-8 * (1.0 + std::abs(centre));  // where all outputs are the same
  const double variance = std::max((rows.y.array() - centre).square().sum() / few, least * least);
  return {centre, std::isfinite(variance) ? variance : 1.0,
          rows.weights.size() > 0 ? rows.weights.mean() : 1.0};
}

inline ExactEvidence exact_evidence(const Sample& rows, const Columns& columns, const OutputUnits& units,
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

inline double cost_of(const Unknowns& unknowns, const Sample& rows) {
  return 0.5 * std::log(rows.count()) * static_cast<double>(unknowns.size());
}

inline LearnedKernel learn_exactly(const std::vector<Family>& families, const Sample& few, const Sample& many,
                                   const Columns& columns, const LearnGiven& given,
                                   const std::map<std::string, Vector>& last, const LearnStages& stages,
                                   Checkpoint check) {
  require(!families.empty(), "input", "without a family of kernels there is nothing to choose from.");
  struct Candidate {
    const Family* family;
    Unknowns unknowns;
    Found found;
  };
  const auto higher = [](const Candidate& a, const Candidate& b) { return a.found.value > b.found.value; };
  const bool again = many.size() > few.size();
  const OutputUnits units = given.units ? *given.units : output_units(again ? many : few, given.mean);
  const double v = units.variance;
  LearnedKernel out;

  ExactEvidence first = exact_evidence(few, columns, units, given);
  const double spacing = std::pow(few.count(), -1.0 / static_cast<double>(columns.size()));
  std::vector<Candidate> all;
  for (const Family& family : families) {
    const Unknowns unknowns(family, columns, v, v * units.weight, given.noise, given.learns_trend());
    std::optional<Found> best;
    for (const Vector& start : starts_of(family, first, unknowns, v, last, spacing, check)) {
      const Found one = climb(first, unknowns, start, v, stages.few_steps, check);
      if (!best || one.value > best->value) best = one;
    }
    best->value -= cost_of(unknowns, few);
    out.by_family[family.name] = best->value;
    all.push_back({&family, unknowns, *best});
  }
  std::stable_sort(all.begin(), all.end(), higher);
  for (const Candidate& one : all) out.starts[one.family->name] = one.found.at;

  if (again) {
    ExactEvidence second = exact_evidence(many, columns, units, given);
    const std::size_t top = std::min(std::max<std::size_t>(stages.top, 1), all.size());
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(top), all.end());
    for (Candidate& one : all) {
      one.found = climb(second, one.unknowns, one.found.at, v, stages.many_steps, check);
      one.found.value -= cost_of(one.unknowns, many);
      out.starts[one.family->name] = one.found.at;
    }
    std::stable_sort(all.begin(), all.end(), higher);
  }

  const Candidate& best = all.front();
  const Chosen chosen = best.unknowns.at(best.found.at);
  out.kernel = chosen.kernel;
  out.noise = chosen.noise;
  out.trend = given.wide ? wide_variance * v : chosen.trend;
  out.constant = given.mean ? 0.0 : wide_variance * v;
  out.centre = units.centre;
  out.family = best.family->name;
  out.theta = best.found.at;
  out.objective = best.found.value;
  return out;
}

}  // namespace gpstream

#endif
