// Scale: what is chosen when the evidence is read, and can be chosen anew at any time.  [derivation 2, 3]
#ifndef GPSTREAM_SCALE_H
#define GPSTREAM_SCALE_H

#include "../evidence/trend.h"

namespace gpstream {

struct Scale {
  double v;           // amplitude of the kernel
  double dispersion;  // phi of the likelihood; for Gaussian noise its variance
  Vector trend;       // coefficients of the trend functions, f being measured from the model's offset

  double xi() const { return v / dispersion; }
};

}  // namespace gpstream

#endif
