// Shift: the same rows with y measured from elsewhere, or with the trend's columns from another centre in
// other units. Both are exact.  [derivation 18]
//   y measured from d further on      b -= H delta, yy -= 2 s'delta - delta'Phi delta, s -= Phi delta,
//                                     delta = (d, 0, ...)
//   t <- A t                          H A'    A Phi A'    A s
#ifndef GPSTREAM_SHIFT_H
#define GPSTREAM_SHIFT_H

#include "../linear/machine.h"
#include "evidence.h"
#include "trend.h"
#include "window.h"

namespace gpstream {

void shift(double d, Evidence& settled);

void shift(double d, Window& open);

void change_trend(const Trend& from, const Trend& to, Evidence& settled);

}  // namespace gpstream

#endif
