// A kernel from a few hundred rows: several families compete by their exact evidence times a prior, at its
// highest, less what an unknown costs that the rows have to settle: half the log of their number. A sum of
// two kernels has two more of them, and would else be taken wherever its shorter one can pass for noise. All
// compete on few rows and from several starts; the best of them go on, from what they found, on more rows.
#ifndef GPSTREAM_LEARN_COMPETE_H
#define GPSTREAM_LEARN_COMPETE_H

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "climb.h"
#include "exact.h"
#include "families.h"
#include "outputs.h"
#include "sample.h"

namespace gpstream {

// What is not looked for: noise and mean where they are given, the linear trend where it is not wanted, and
// the prior variance of its slopes where that is wide. Units, where the rows do not tell them.
struct LearnGiven {
  std::optional<double> noise, mean;
  bool trend = true, wide = false;
  std::vector<Index> trend_columns = {};  // none: all
  std::optional<OutputUnits> units = {};
  std::vector<std::optional<double>> noises = {}, means = {};  // of further outputs

  bool learns_trend() const { return trend && !wide; }
  // What is given of output k.
  LearnGiven of(Index k) const;
};

struct LearnStages {
  int few_steps = 20, many_steps = 12;
  std::size_t top = 2;  // families that go on to many rows
};

// Noise, prior variances of trend and constant, and where outputs are measured from: of a further output.
struct LearnedOutput {
  double variance, noise, trend, constant, centre;
  double spread;  // the variance of the outputs themselves
};

struct LearnedKernel {
  KernelSpec kernel;
  double noise;
  double trend;     // prior variance of the coefficient of (x_d - centre_d) / scale_d; 0 without a trend
  double constant;  // that of the constant, which is measured from `centre`; 0 where the mean is given
  double centre;
  double spread = 1.0;  // the variance of the outputs themselves
  std::string family;
  Vector theta;
  double objective;                         // of the last stage, for outputs of variance 1
  std::map<std::string, double> by_family;  // that of the first, for all
  std::map<std::string, Vector> starts;     // where each ended: to start from the next time
  std::vector<LearnedOutput> others = {};
};

OutputUnits output_units(const Sample& rows, const std::optional<double>& mean);

ExactEvidence exact_evidence(const Sample& rows, const Columns& columns, const OutputUnits& units,
                             const LearnGiven& given);

double cost_of(const OutputUnknowns& unknowns, const Sample& rows);

// The evidences of these outputs, and how they are measured.
Evidences evidences(const Sample& rows, const std::vector<Index>& which, const Columns& columns,
                    const std::vector<OutputUnits>& units, const LearnGiven& given);

LearnedKernel learn_exactly(const std::vector<Family>& families, const Sample& few, const Sample& many,
                            const Columns& columns, const LearnGiven& given,
                            const std::map<std::string, Vector>& last, const LearnStages& stages,
                            Checkpoint check);

}  // namespace gpstream

#endif
