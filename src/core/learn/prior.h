// Where the search for a kernel may go, and what is thought of it before the rows have spoken. All in the
// order of log_parameters.
#ifndef GPSTREAM_LEARN_PRIOR_H
#define GPSTREAM_LEARN_PRIOR_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "box.h"
#include "given.h"

namespace gpstream {

// What is looked for: some of the kernel's parameters, and the noise or not. When noise and amplitude both
// are, the variances are measured in units of the noise (`relative`), which then has a closed form.
struct OpenToLearn {
  std::vector<bool> kernel;
  bool noise, relative;
  bool own_noise() const {
    return noise && !relative;
  }  // a parameter of the search, after those of the kernel
};

OpenToLearn open_to_learn(const GivenKernel& given, bool noise, const KernelSpec& spec);

// A lengthscale between the spacing of the rows of X and many times their range.
Box search_range(const KernelSpec& spec, const ConstMatrixView& X);

// Only so far from here, which is always within.
Box trust_region(const Box& range, const KernelSpec& spec, double far);

Vector prior_sd(const KernelSpec& spec);

// The open ones of all values, and the noise where it is a parameter of its own.
Vector open_of(const Vector& all, const OpenToLearn& open, double own_noise);

// A weak normal prior on the log parameters that are open, for when rows are few: around the heuristics.
struct SearchPrior {
  Vector mean, sd;

  // The log density, but for a constant; its slope is added.
  double add(const Vector& p, Vector& slope) const;
};

SearchPrior search_prior(const KernelSpec& heuristic, double noise, const OpenToLearn& open);

}  // namespace gpstream

#endif
