// What a search over a family of kernels looks for, and what is thought of it before the rows have spoken.
// Parameters of the kernel, noise s2 and trend b are linear in the unknowns theta, on the scale of slopes:
//   (parameters, log s2, log b) = centre + J theta        log l_d = log scale_d + a + delta_d, say
// so that one `a` moves all lengthscales, and each delta says only how its column differs from the others.
// The centre has the units of inputs and outputs; theta has none, and is the same whatever they are.
#ifndef GPSTREAM_LEARN_UNKNOWNS_H
#define GPSTREAM_LEARN_UNKNOWNS_H

#include <optional>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "beliefs.h"
#include "exact.h"
#include "families.h"

namespace gpstream {

struct Chosen {
  KernelSpec kernel;
  double noise, trend;
};

class Unknowns {
 public:
  // `variance` of the outputs; `row`, that times the weight of a typical row, is the unit of the noise.
  Unknowns(const Family& family, const Columns& columns, double variance, double row,
           std::optional<double> noise, bool trend);

  Index size() const { return static_cast<Index>(all_.size()); }
  const std::vector<Unknown>& all() const { return all_; }

  // What does not depend on theta is to the last bit what was given.
  Chosen at(const Vector& theta) const;

  Vector slope(const ExactSlope& by) const;

  // The log density, but for a constant; its slope is added.
  double add_prior(const Vector& theta, Vector& slope) const { return add_log_density(all_, theta, slope); }

 private:
  struct Entry {
    Index row, column;
    double by;
  };

  Index add(const Unknown& one);

  void look_for_parameters(const std::vector<bool>& open, bool tied, const Columns& columns);

  KernelSpec kernel_;
  std::optional<double> noise_;
  bool trend_;
  std::vector<Unknown> all_;
  std::vector<Entry> entries_;
  double row_, variance_;  // the units of noise and trend
  Matrix J_;
};

}  // namespace gpstream

#endif
