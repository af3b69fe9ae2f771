// Points on a circle of radius 1/2. The squared distance of two that are t turns apart is sin(pi t)^2,
// whatever whole turns lie between them, and four times their outer product sin(2 pi t).
#ifndef GPSTREAM_KERNELS_CIRCLE_H
#define GPSTREAM_KERNELS_CIRCLE_H

#include "../linear/types.h"

namespace gpstream {

// One at a time: where a row lies must not depend on where it stands.
void put_on_circle(const Vector& turns, VectorView across, VectorView up);

}  // namespace gpstream

#endif
