// Scale: what is chosen when the evidence is read, and can be chosen anew at any time.  [derivation 2, 3]
#ifndef GPSTREAM_SCALE_H
#define GPSTREAM_SCALE_H

#include "../evidence/trend.h"
#include "../linear/types.h"

namespace gpstream {

struct Scale {
  double v;           // amplitude of the kernel
  double dispersion;  // phi of the likelihood; for Gaussian noise its variance
  Vector trend;       // prior means of the trend's coefficients, f being measured from the model's offset

  double xi() const { return v / dispersion; }
};

// All of the trend that is known beforehand is the mean, so much above the offset.
Vector known_trend(const Trend& trend, double mean);

}  // namespace gpstream

#endif
