// Variance, noise and mean from the evidence alone, without the data.  [derivation 3]
//
// With P = Q diag(lambda) Q', g = Q'b, q = Q'h and xi = v / s2 the objective is an exact function of
// variance, noise and mean:
//   F = con - 1/2 sum log(1 + xi lambda) - kappa n log s2 - rss / (2 s2) - xi tau / 2
//   rss = sum of squares about the mean, less what the features explain of it
// The mean and s2 have closed forms given xi, which leaves a search in one dimension at O(M) an evaluation.
#ifndef GPSTREAM_LEARN_SCALE_H
#define GPSTREAM_LEARN_SCALE_H

#include <algorithm>
#include <cmath>
#include <limits>

#include "../linear/require.h"
#include "../linear/types.h"
#include "golden.h"

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

// F at its maximum over the noise and the mean, where these are open, for a given xi; of outputs measured in
// units of which the square is `unit`.
inline BestScale profile_scale(double xi, const ScaleSums& sums, const ScaleValues& now,
                               const ScaleOpen& open, double unit = 1.0) {
  const Eigen::ArrayXd shrink = xi / (1.0 + xi * sums.lambda.array());
  const double yy = sums.yy - (shrink * sums.g.array().square()).sum();
  const double y1 = sums.sg - (shrink * sums.g.array() * sums.q.array()).sum();
  const double one = sums.so - (shrink * sums.q.array().square()).sum();
  const double shift = open.mean ? y1 / one : now.mean - sums.offset;
  const double rss = yy - 2.0 * shift * y1 + shift * shift * one;
  double noise = now.noise;
  if (open.noise)
    noise = open.variance ? std::max(rss, 1e-14 * sums.yy) / (2.0 * sums.kappa * sums.n) : now.variance / xi;
  const double F = sums.con - 0.5 * (xi * sums.lambda.array()).log1p().sum() -
                   sums.kappa * sums.n * std::log(noise / unit) - 0.5 * rss / noise - 0.5 * xi * sums.tau;
  return {{open.variance ? xi * noise : now.variance, noise, open.mean ? sums.offset + shift : now.mean}, F};
}

inline double scale_objective(const ScaleSums& sums, const ScaleValues& at) {
  return profile_scale(at.variance / at.noise, sums, at, {false, false, false}).objective;
}

// The best over all xi, from a signal no one could see in a row of typical weight to a noise no one could
// measure, or that is lost in the rounding of P: on a grid in log xi, then between the neighbours of its best.
inline BestScale best_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open) {
  require(sums.kappa > 0 || !open.noise, "input", "this likelihood has no noise to learn.");
  if (!open.variance && !open.noise) return profile_scale(now.variance / now.noise, sums, now, open);
  const auto value = [&](double log_xi) {
    return profile_scale(std::exp(log_xi), sums, now, open, now.noise).objective;
  };
  const double largest = sums.lambda.size() > 0 ? std::max(sums.lambda.maxCoeff(), 0.0) : 0.0;
  const double row = sums.so > 0 ? sums.so / sums.n : 1.0;
  const double most = std::min(1e10 / row, 0.01 / (std::numeric_limits<double>::epsilon() * largest));
  constexpr int count = 80;
  const double from = std::log(1e-8 / row), step = (std::log(most) - from) / (count - 1);
  int top = -1;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const double here = value(from + i * step);
    if (here > highest) {
      top = i;
      highest = here;
    }
  }
  if (top < 0) return {now, highest};  // sums beyond all range
  const double best = golden_section(value, from + std::max(top - 1, 0) * step,
                                     from + std::min(top + 1, count - 1) * step, 1e-10);
  BestScale out = profile_scale(std::exp(best), sums, now, open);
  out.no_signal = top == 0;
  out.no_noise = top == count - 1;
  return out;
}

// Why there is no scale to learn, or null.
inline const char* nothing_to_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open) {
  if (sums.n < 2) return "one observation says nothing of the variance and the noise.";
  if (sums.kappa == 0) return nullptr;  // the sums of such a likelihood are no squares
  const double shift = open.mean ? sums.sg / sums.so : now.mean - sums.offset;
  const double about_mean = sums.yy - 2.0 * shift * sums.sg + sums.so * shift * shift;
  if (about_mean > 1e-14 * sums.yy) return nullptr;
  return "the outputs so far all equal the mean, which says nothing of the variance and the noise.";
}

// What the scale should become: the best, where it is better than the present one. By itself (`quiet`) a
// model does not take a mean that is farther than one standard deviation from the average output: it would
// come from the shape of the kernel, not from the data, and show wherever there are none.
inline BestScale learned_scale(const ScaleSums& sums, const ScaleValues& now, ScaleOpen open, bool quiet) {
  const BestScale before{now, scale_objective(sums, now)};
  if (!open.any()) return before;
  if (const char* nothing = nothing_to_scale(sums, now, open)) {
    require(quiet, "input", nothing);
    return before;
  }
  BestScale best = best_scale(sums, now, open);
  const double average = sums.sg / sums.so, spread = sums.yy / sums.so - average * average;
  if (quiet && open.mean && sums.kappa > 0 &&
      std::abs(best.scale.mean - sums.offset - average) > std::sqrt(std::max(spread, 0.0))) {
    open.mean = false;
    best = best_scale(sums, {now.variance, now.noise, sums.offset + average}, open);
  }
  if (!(best.objective >= before.objective)) best.scale = now, best.objective = before.objective;
  return best;
}

}  // namespace gpstream

#endif
