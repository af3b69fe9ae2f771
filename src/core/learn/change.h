// What learning does to a model: other scale, kernel or points where the bound is higher for it. Each works
// on a model that takes the old one's place at the end, so that a search that is stopped changes nothing.
#ifndef GPSTREAM_LEARN_CHANGE_H
#define GPSTREAM_LEARN_CHANGE_H

#include <limits>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "../select/selector.h"
#include "sample.h"
#include "scale.h"
#include "wishes.h"

namespace gpstream {

// The model once the points of the batch have joined; once its rows have been absorbed, too. No batch:
// nothing is ahead.
StreamingGP with_points(StreamingGP model, const Sample& batch, Checkpoint check);
StreamingGP with_rows(StreamingGP ahead, const Sample& batch, Checkpoint check);

// Is a value of the bound above that of the model as it is, by more than rounding?
bool rises(double value, const StreamingGP& ahead, const Sample& batch, double gain, Checkpoint check);

ScaleSums scale_sums(const StreamingGP& model);

// The best scale, from the evidence of `after`, becomes that of the model. A constant that is integrated out
// leaves no mean to learn.
BestScale learn_scale(StreamingGP& model, const StreamingGP& after, ScaleOpen open, bool quiet);
ScaleOpen open_scale(const Wishes& wishes);

// The points, and those that the rows at hand would add if lengthscales were halved: with points as far apart
// as the present kernel wants them, no shorter lengthscale could show its worth.
Matrix closer_points(const KernelSpec& now, const Selector& selector, const Wishes& wishes,
                     const Matrix& points, const Matrix& rows, Checkpoint check);

// How far a search for the kernel goes.
struct Reach {
  int steps;
  double far = std::numeric_limits<double>::infinity();  // of each log parameter
  double gain = 0.0;                                     // by how much the bound must rise
  std::vector<double> starts = {1.0};                    // factors of the lengthscales
};

// Learn what is open of the kernel, with the noise; the model takes over the best that is found from the
// starts where the bound rises. Did it?
bool learn_kernel(StreamingGP& model, const StreamingGP& ahead, const Sample& batch, const Wishes& wishes,
                  const Reach& reach, Checkpoint check);

// Move the points, those of the batch included, to where the bound is higher.
bool learn_points(StreamingGP& model, const StreamingGP& ahead, const Sample& batch, int steps,
                  Checkpoint check);

}  // namespace gpstream

#endif
