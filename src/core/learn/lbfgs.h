// The highest value of a smooth function in a box: steps of limited-memory BFGS, bent along the bounds. A
// parameter at a bound is held while the slope, or the step that the others suggest, points outwards.
#ifndef GPSTREAM_LEARN_LBFGS_H
#define GPSTREAM_LEARN_LBFGS_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "box.h"
#include "curvature.h"
#include "path.h"

namespace gpstream {

struct SearchOptions {
  int steps = 100;  // at most so many; most of them ask for one value
  double tolerance =
      1e8 * std::numeric_limits<double>::epsilon();  // the rise, relative, that ends the search
  int memory = 7;
};

struct Found {
  Vector at;  // the best that was seen
  double value;
  int evaluations;
  bool converged;
};

// To the top of the model over the parameters that are free; those at a bound that it would push outwards are
// not, which changes it for the others.
Vector way_up(const Spot& x, const Box& box, Curvature& curvature);

// The first step has no model: a tenth of the ranges, those with most of the slope counting most.
double first_length(const Spot& x, const Box& box, const Vector& d);

// `f`: double(const Vector& at, Vector& slope), which sets the slope. A value or slope that is not finite is
// no error: the search goes back; where it starts there, its value is -infinity.
template <class Function>
Found maximise(Function&& f, const Vector& start, const Vector& lower, const Vector& upper,
               const SearchOptions& options, Checkpoint check) {
  require(start.size() == lower.size() && start.size() == upper.size(), "dimension",
          "a search needs a lower and an upper bound for every parameter.");
  const Box box{lower, upper};
  Found best{start, -std::numeric_limits<double>::infinity(), 0, false};
  if (!start.allFinite()) return best;
  const auto look = [&](Vector at) {
    check();
    Spot out{std::move(at), Vector::Zero(start.size()), 0, false};
    out.value = f(out.at, out.slope);
    out.finite = std::isfinite(out.value) && out.slope.allFinite();
    ++best.evaluations;
    if (out.finite && out.value > best.value) {
      best.at = out.at;
      best.value = out.value;
    }
    return out;
  };
  const auto little = [&](double rise, double value) {
    return rise <= options.tolerance * std::max(std::abs(value), 1.0);
  };

  best.at = box.clamped(start);
  Spot x = look(best.at);
  if (!x.finite) return best;
  Curvature curvature(start.size(), options.memory);
  for (int done = 0; done < options.steps && !best.converged;) {
    best.converged = little(box.promise(x.at, x.slope), x.value);
    if (best.converged) break;
    const Vector d = way_up(x, box, curvature);
    // half of d'slope is what the model promises: it would be the last rise, and could be lost in rounding
    best.converged = !curvature.empty() && little(5 * d.dot(x.slope), x.value);
    if (best.converged) break;
    const double t = curvature.empty() ? first_length(x, box, d) : 1.0;
    Spot next = along_path(look, box, x, d, t, 0.01 * options.tolerance * std::max(std::abs(x.value), 1.0));
    if (next.value > x.value) {
      ++done;
      best.converged = little(next.value - x.value, std::max(std::abs(x.value), std::abs(next.value)));
      curvature.see(next.at - x.at, x.slope - next.slope);
      x = std::move(next);
    } else if (!curvature.empty()) {
      curvature.forget();
    } else {
      break;  // not even straight uphill
    }
  }
  return best;
}

}  // namespace gpstream

#endif
