// How far to go: along the path x(t) = clamp(x + t d), bent at the bounds, to where a ten-thousandth of what
// the slope promises has been gained and the path is less steep (Wolfe's conditions). Back where the function
// is not finite.
#ifndef GPSTREAM_LEARN_PATH_H
#define GPSTREAM_LEARN_PATH_H

#include <algorithm>
#include <optional>
#include <utility>

#include "../linear/types.h"
#include "box.h"

namespace gpstream {

// Where on 0 to 1 the cubic with these slopes at its ends, and this rise between them, is highest, well
// within; half way where there is no such cubic.
double cubic_top(double left, double right, double rise);

// The place on the path that is good enough, the first one tried being x(t); x where there is none. `look`:
// Spot(Vector). A promise of no more than `nothing` is not pursued.
template <class Look>
Spot along_path(const Look& look, const Box& box, const Spot& x, const Vector& d, double t, double nothing) {
  struct End {
    double t, value, slope;
  };
  const double steepest = d.dot(x.slope);
  End low{0, x.value, steepest};
  std::optional<End> high;
  Spot good = x;
  for (int tries = 0; tries < 20; ++tries) {
    Spot here = look(box.clamped(x.at + t * d));
    const double promised = x.slope.dot(here.at - x.at);
    End end{t, here.finite ? here.value : std::nan(""), 0};
    for (Index i = 0; i < d.size(); ++i)
      if (box.inside(here.at, i)) end.slope += here.slope(i) * d(i);  // those at a bound move no more
    if (here.finite && promised > 0 && here.value >= std::max(good.value, x.value + 1e-4 * promised)) {
      good = std::move(here);
      if (end.slope <= 0.9 * steepest) break;
      const double stride = end.t - low.t, fall = low.slope - end.slope;
      low = end;
      // on, to where the slope would be none
      if (!high) t += stride * (fall > 0 ? std::min(std::max(end.slope / fall, 1.0), 10.0) : 10.0);
    } else {
      high = end;
      if (here.finite && promised >= 0 && promised <= nothing) break;
    }
    if (!high) continue;
    const double width = high->t - low.t;
    t = low.t + width * cubic_top(low.slope * width, high->slope * width, high->value - low.value);
  }
  return good;
}

}  // namespace gpstream

#endif
