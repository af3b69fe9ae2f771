// The box that a search stays in, and a place in it.
#ifndef GPSTREAM_LEARN_BOX_H
#define GPSTREAM_LEARN_BOX_H

#include <algorithm>
#include <cmath>

#include "../linear/types.h"

namespace gpstream {

struct Box {
  Vector lower, upper;  // which may be infinite, or the same

  Vector clamped(const Vector& p) const { return p.cwiseMax(lower).cwiseMin(upper); }

  bool outwards(const Vector& at, const Vector& d, Index i) const {
    return (d(i) <= 0 && at(i) <= lower(i)) || (d(i) >= 0 && at(i) >= upper(i));
  }
  bool inside(const Vector& at, Index i) const { return at(i) > lower(i) && at(i) < upper(i); }

  // What a parameter can be expected to move by: its range, where it has one.
  double range(const Vector& at, Index i) const {
    const double width = upper(i) - lower(i);
    return std::isfinite(width) ? width : 10 * std::max(1.0, std::abs(at(i)));
  }

  // The rise, were the slope the same to the ends of the box; for a concave function the most there can be.
  double promise(const Vector& at, const Vector& slope) const {
    double rise = 0;
    for (Index i = 0; i < at.size(); ++i) {
      const double room = slope(i) > 0 ? upper(i) - at(i) : at(i) - lower(i);
      rise += std::abs(slope(i)) * std::min(room, range(at, i));
    }
    return rise;
  }
};

struct Spot {
  Vector at, slope;
  double value;
  bool finite;  // value and slope
};

}  // namespace gpstream

#endif
