// The search for kernel and noise, or for points: L-BFGS on the objective and its gradient, with as much of
// the scale profiled out as can be.  [derivation 3, 6]
#ifndef GPSTREAM_LEARN_SEARCH_H
#define GPSTREAM_LEARN_SEARCH_H

#include <functional>
#include <limits>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "../read/adjoint.h"
#include "../read/gradient.h"
#include "box.h"
#include "lbfgs.h"
#include "prior.h"

namespace gpstream {

struct FoundKernel {
  KernelSpec kernel;
  double noise, mean;
  double objective = -std::numeric_limits<double>::infinity();
};

// The objective of a model (Objective), or of rows elsewhere.
using AnyObjective = std::function<Slope(const Place&, bool, Checkpoint)>;

// From `start` to the best kernel and noise within `range` after at most `steps` iterations, or when they
// rise by less than `tolerance`.
FoundKernel search_kernel(const AnyObjective& F, const Matrix& points, const FoundKernel& start,
                          const OpenToLearn& open, const Box& range, int steps, const SearchPrior* prior,
                          Checkpoint check, double tolerance = SearchOptions().tolerance);

// Where the bound is higher: within the range of rows and points, and a little beyond.
Found search_points(const AnyObjective& F, const StreamingGP& ahead, const Matrix& rows, int steps,
                    Checkpoint check);

}  // namespace gpstream

#endif
