// The box that a search stays in, and a place in it.
#ifndef GPSTREAM_LEARN_BOX_H
#define GPSTREAM_LEARN_BOX_H

#include "../linear/types.h"

namespace gpstream {

struct Box {
  Vector lower, upper;  // which may be infinite, or the same

  Vector clamped(const Vector& p) const;

  bool outwards(const Vector& at, const Vector& d, Index i) const;
  bool inside(const Vector& at, Index i) const { return at(i) > lower(i) && at(i) < upper(i); }

  // What a parameter can be expected to move by: its range, where it has one.
  double range(const Vector& at, Index i) const;

  // The rise, were the slope the same to the ends of the box; for a concave function the most there can be.
  double promise(const Vector& at, const Vector& slope) const;
};

struct Spot {
  Vector at, slope;
  double value;
  bool finite;  // value and slope
};

}  // namespace gpstream

#endif
