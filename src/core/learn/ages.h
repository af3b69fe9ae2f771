// Rows to learn a kernel from, where older ones count less: by as much as in the model, but all of them
// together for no fewer than some 200 rows, which it takes to learn a kernel.  [derivation 19]
#ifndef GPSTREAM_LEARN_AGES_H
#define GPSTREAM_LEARN_AGES_H

#include "../evidence/fading.h"
#include "sample.h"

namespace gpstream {

constexpr double rows_to_learn_from = 200;

inline Sample aged(Sample rows, const Fading& fading) {
  if (!fading.fades() || rows.size() == 0) return rows;
  const Vector times = fading.column == Fading::by_rows ? rows.numbers : Vector(rows.X.col(fading.column));
  const Vector age = (times.array() - times.maxCoeff()).matrix() / fading.half_life;
  const double enough = std::min(rows_to_learn_from, 0.999 * rows.count());
  const auto counts = [&](double power) { return Vector((power * age.array() * std::log(2.0)).exp()); };
  double low = 0.0, high = 1.0;
  if (counts(high).sum() >= enough)
    low = high;
  else
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (low + high);
      (counts(middle).sum() >= enough ? low : high) = middle;
    }
  rows.shares = counts(low).cwiseMax(1e-10);
  return rows;
}

}  // namespace gpstream

#endif
