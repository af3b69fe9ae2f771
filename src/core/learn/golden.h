// The highest place of a function of one number that rises to it and falls from it, between two ends: one new
// value a step, of which each leaves 0.618 of the range.
#ifndef GPSTREAM_LEARN_GOLDEN_H
#define GPSTREAM_LEARN_GOLDEN_H

namespace gpstream {

template <class Value>
double golden_section(const Value& value, double low, double high, double tolerance) {
  const double golden = 0.6180339887498949;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = value(left), at_right = value(right);
  while (high - low > tolerance) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      at_left = value(left = high - golden * (high - low));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      at_right = value(right = low + golden * (high - low));
    }
  }
  return 0.5 * (low + high);
}

}  // namespace gpstream

#endif
