// The search for kernel and noise, or for points: L-BFGS on the objective and its gradient, with as much of
// the scale profiled out as can be.  [derivation 3, 6]
#ifndef GPSTREAM_LEARN_SEARCH_H
#define GPSTREAM_LEARN_SEARCH_H

#include <functional>

#include "../read/gradient.h"
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

// The objective at a place; NaN where it has none.
inline Slope slope_at(const AnyObjective& F, const Place& place, bool points, Checkpoint check) {
  try {
    return F(place, points, check);
  } catch (const Error&) {
    Slope out;
    out.objective = out.noise = out.log_noise = std::nan("");
    out.kernel = Vector::Constant(place.kernel->parameter_count(), std::nan(""));
    out.log_ratio = Vector(0);
    out.Z = Matrix::Constant(place.Z.rows(), place.Z.cols(), std::nan(""));
    return out;
  }
}

// From `start` to the best kernel and noise within `range` after at most `steps` iterations, or when they rise
// by less than `tolerance`.
inline FoundKernel search_kernel(const AnyObjective& F, const Matrix& points, const FoundKernel& start,
                                 const OpenToLearn& open, const Box& range, int steps,
                                 const SearchPrior* prior, Checkpoint check,
                                 double tolerance = SearchOptions().tolerance) {
  const KernelSpec unit = open.relative ? scaled(start.kernel, 1.0 / start.noise) : start.kernel;
  const Vector here = log_parameters(unit), shift = here - log_parameters(start.kernel);
  const double log_noise = std::log(start.noise);
  FoundKernel best{start.kernel, start.noise, start.mean};
  const auto value = [&](const Vector& p, Vector& slope) {
    Vector all = here;
    Index at = 0;
    for (Index i = 0; i < all.size(); ++i)
      if (open.kernel[static_cast<std::size_t>(i)]) all(i) = p(at++);
    Place place{nullptr, points, std::nullopt, start.mean};
    if (!open.relative) place.noise = open.own_noise() ? std::exp(p(at)) : start.noise;
    Slope out;
    try {
      place.kernel = make_kernel(with_log_parameters(unit, all));
      out = slope_at(F, place, false, check);
    } catch (const Error&) {  // parameters beyond the number range
      return std::nan("");
    }
    slope = open_of(out.kernel, open, out.log_noise);
    const double total = out.objective + (prior ? prior->add(p, slope) : 0.0);
    if (std::isfinite(total) && slope.allFinite() && total > best.objective) {
      const KernelSpec kernel = place.kernel->spec();
      best = {open.relative ? scaled(kernel, out.noise) : kernel, out.noise, start.mean, total};
    }
    return total;
  };
  const Vector p = open_of(here, open, log_noise),
               lower = open_of(range.lower + shift, open, log_noise - std::log(1e6)),
               upper = open_of(range.upper + shift, open, log_noise + std::log(1e6));
  Vector slope(p.size());
  if (p.size() == 0 || steps == 0 || !p.allFinite() || p != Box{lower, upper}.clamped(p)) {
    if (p.allFinite() && !std::isfinite(value(p, slope))) return best;
    if (p.size() == 0 || steps == 0 || !p.allFinite()) return best;
  }
  SearchOptions options;
  options.steps = steps;
  options.tolerance = tolerance;
  maximise(value, p, lower, upper, options, check);
  return best;
}

// Where the bound is higher: within the range of rows and points, and a little beyond.
inline Found search_points(const AnyObjective& F, const StreamingGP& ahead, const Matrix& rows, int steps,
                           Checkpoint check) {
  const Matrix start = ahead.points();
  const Index M = start.rows(), D = start.cols();
  const auto value = [&](const Vector& p, Vector& slope) {
    const Matrix Z = Eigen::Map<const Matrix>(p.data(), M, D);
    const Slope out =
        slope_at(F, Place{ahead.state().kernel, Z, ahead.s2(), ahead.state().mean}, true, check);
    slope = Eigen::Map<const Vector>(out.Z.data(), out.Z.size());
    return out.objective;
  };
  Matrix lower(M, D), upper(M, D);
  for (Index d = 0; d < D; ++d) {
    const double low = std::min(start.col(d).minCoeff(),
                                rows.rows() > 0 ? rows.col(d).minCoeff() : start(0, d)),
                 high = std::max(start.col(d).maxCoeff(),
                                 rows.rows() > 0 ? rows.col(d).maxCoeff() : start(0, d));
    lower.col(d).setConstant(low - 0.05 * (high - low));
    upper.col(d).setConstant(high + 0.05 * (high - low));
  }
  const auto flat = [](const Matrix& A) -> Vector { return Eigen::Map<const Vector>(A.data(), A.size()); };
  SearchOptions options;
  options.steps = steps;
  return maximise(value, flat(start), flat(lower), flat(upper), options, check);
}

}  // namespace gpstream

#endif
