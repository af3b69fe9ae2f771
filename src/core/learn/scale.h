// Variance, noise and mean from the evidence alone, without the data.  [derivation 3]
//
// With P = Q diag(lambda) Q', g = Q'b, q = Q'h and xi = v / s2 the objective is an exact function of
// variance, noise and mean:
//   F = con - 1/2 sum log(1 + xi lambda) - kappa n log s2 - rss / (2 s2) - xi tau / 2
//   rss = sum of squares about the mean, less what the features explain of it
// The mean and s2 have closed forms given xi, which leaves a search in one dimension at O(M) an evaluation.
#ifndef GPSTREAM_LEARN_SCALE_H
#define GPSTREAM_LEARN_SCALE_H

#include "../linear/types.h"

namespace gpstream {

// Sums over the rows, in the eigenbasis of P. Outputs are measured from the offset; s2 is the dispersion.
struct ScaleSums {
  Vector lambda, g, q;
  double n, so, sg, yy, tau,
      con;  // rows; sums of weights, linear terms, squares, weighted residuals, constants
  double offset = 0;
  double kappa = 0.5;  // of the likelihood: how often a row counts log s2; 0 where there is no noise to learn
};

struct ScaleOpen {
  bool variance, noise, mean;
  bool any() const { return variance || noise || mean; }
};

struct ScaleValues {
  double variance, noise, mean;
};

struct BestScale {
  ScaleValues scale;
  double objective;
  bool no_signal = false, no_noise = false;  // the best was at an end of the range that is searched
};

double scale_objective(const ScaleSums& sums, const ScaleValues& at);

// The best over all xi, from a signal no one could see in a row of typical weight to a noise no one could
// measure, or that is lost in the rounding of P: on a grid in log xi, then between the neighbours of its
// best.
BestScale best_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open);

// Why there is no scale to learn, or null.
const char* nothing_to_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open);

// What the scale should become: the best, where it is better than the present one. By itself (`quiet`) a
// model does not take a mean that is farther than one standard deviation from the average output: it would
// come from the shape of the kernel, not from the data, and show wherever there are none.
BestScale learned_scale(const ScaleSums& sums, const ScaleValues& now, ScaleOpen open, bool quiet);

}  // namespace gpstream

#endif
