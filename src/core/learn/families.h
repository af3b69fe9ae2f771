// Families of kernels that compete for the rows, and the middle of each: where the search for its parameters
// measures them from.
#ifndef GPSTREAM_LEARN_FAMILIES_H
#define GPSTREAM_LEARN_FAMILIES_H

#include <cstddef>
#include <string>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "given.h"

namespace gpstream {

struct Family {
  std::string name;
  GivenKernel kernel;
  bool tied = false;  // the lengthscales of every part are those of the first, times an e^-gap of its own
};

// Smooth to rough, and one that is smooth with something rough and short upon it.
std::vector<Family> default_families(bool ard = true);

// Of the inputs: where they are, how far they spread, and which belong together, being of one factor.
struct Columns {
  Vector centre, scale;
  std::vector<Index> groups;  // by number, those of a group share one lengthscale; none: each its own

  Index size() const { return scale.size(); }
  Index group(Index d) const { return groups.empty() ? d : groups[static_cast<std::size_t>(d)]; }
  double common_scale() const;
  // Those that a kernel looks at.
  Columns of(const std::vector<Index>& some) const;
  Vector group_scales() const;
};

// The kernel of a family where all logarithms that are looked for are 0, outputs having this variance.
KernelSpec central_kernel(const Family& family, const Columns& columns, double variance);

}  // namespace gpstream

#endif
