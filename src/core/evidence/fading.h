// Fading: how much a row counts after a while, half as much with every half-life.  [derivation 19]
//   share(t) = 2^-((now - t) / half_life)
// t is the number of the row in the stream, or its value in one of the columns of x; `now` is the latest
// there was, so that a row that comes late counts for what it would count by now.
#ifndef GPSTREAM_FADING_H
#define GPSTREAM_FADING_H

#include <cmath>
#include <limits>

#include "../linear/types.h"

namespace gpstream {

struct Fading {
  static constexpr Index by_rows = -1;

  double half_life = std::numeric_limits<double>::infinity();
  Index column = by_rows;
  double now = -std::numeric_limits<double>::infinity();  // before the first row

  bool fades() const { return std::isfinite(half_life); }
  double share(double t) const { return fades() ? std::exp2((t - now) / half_life) : 1.0; }
  Vector shares(const Vector& t) const;

  // The same once rows with these times have come.
  Fading after(const Vector& t) const;
  // What is left by then of everything so far.
  double left(const Fading& later) const;
  // Of rows that are told by their numbers; others do not fade by them.
  double in_rows() const;
  Fading with(double other_half_life) const { return {other_half_life, column, now}; }
};

}  // namespace gpstream

#endif
