// What a search looks for where there are several outputs: one kernel up to its amplitude, and of each output
// an amplitude, a noise and a trend, in units of its own. The first output's are among the unknowns of the
// kernel.  [derivation 21]
#ifndef GPSTREAM_LEARN_OUTPUTS_H
#define GPSTREAM_LEARN_OUTPUTS_H

#include <optional>
#include <vector>

#include "../linear/types.h"
#include "beliefs.h"
#include "exact.h"
#include "families.h"
#include "unknowns.h"

namespace gpstream {

// Outputs are measured from `centre`; a typical row has this variance and this weight.
struct OutputUnits {
  double centre, variance, weight;
};

class OutputUnknowns {
 public:
  OutputUnknowns(const Family& family, const Columns& columns, const std::vector<OutputUnits>& units,
                 const std::vector<std::optional<double>>& noise, bool trend);

  Index size() const { return static_cast<Index>(all_.size()); }
  Index outputs() const { return static_cast<Index>(others_.size()) + 1; }
  const std::vector<Unknown>& all() const { return all_; }

  // Of each output.
  std::vector<Chosen> at(const Vector& theta) const;

  Vector slope(const std::vector<ExactSlope>& by) const;

  // The log density, but for a constant; its slope is added.
  double add_prior(const Vector& theta, Vector& slope) const { return add_log_density(all_, theta, slope); }

 private:
  struct Output {
    double row, own;  // the unit of its noise, its variance
    std::optional<double> noise;
    Index variance = -1, log_noise = -1, log_trend = -1;  // which of the unknowns
  };

  Index add(const Unknown& one);

  Unknowns first_;
  std::vector<Unknown> all_;
  bool trend_, amplitude_;
  std::vector<Output> others_;
};

}  // namespace gpstream

#endif
