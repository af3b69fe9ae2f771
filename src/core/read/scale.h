// Scale: what is chosen when the evidence is read, and can be chosen anew at any time.  [derivation 2, 3]
#ifndef GPSTREAM_SCALE_H
#define GPSTREAM_SCALE_H

#include "../evidence/trend.h"

namespace gpstream {

struct Scale {
  double v;           // amplitude of the kernel
  double dispersion;  // phi of the likelihood; for Gaussian noise its variance
  Vector trend;       // prior means of the trend's coefficients, f being measured from the model's offset

  double xi() const { return v / dispersion; }
};

// All of the trend that is known beforehand is the mean, so much above the offset.
inline Vector known_trend(const Trend& trend, double mean) {
  Vector out = Vector::Zero(trend.size());
  out(0) = mean;
  return out;
}

}  // namespace gpstream

#endif
