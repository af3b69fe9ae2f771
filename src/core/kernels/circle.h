// Points on a circle of radius 1/2. The squared distance of two that are t turns apart is sin(pi t)^2,
// whatever whole turns lie between them, and four times their outer product sin(2 pi t).
#ifndef GPSTREAM_KERNELS_CIRCLE_H
#define GPSTREAM_KERNELS_CIRCLE_H

#include <cmath>

#include "../linear/types.h"

namespace gpstream {

// One at a time: where a row lies must not depend on where it stands.
inline void put_on_circle(const Vector& turns, VectorView across, VectorView up) {
  for (Index i = 0; i < turns.size(); ++i) {
    const double angle = 6.283185307179586 * turns(i);
    across(i) = 0.5 * std::cos(angle);
    up(i) = 0.5 * std::sin(angle);
  }
}

}  // namespace gpstream

#endif
