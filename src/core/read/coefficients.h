// The coefficients of the trend, as the data leave them.  [derivation 2]
//   mean  = (mean, 0, ...) + xi S (a~)_1        covariance  = v S (G~^-1)_11 S'
// Those that are known have no variance. The constant is that of f itself, not measured from the offset.
#ifndef GPSTREAM_COEFFICIENTS_H
#define GPSTREAM_COEFFICIENTS_H

#include "../linear/types.h"
#include "../model/streaming_gp.h"

namespace gpstream {

struct Coefficients {
  Vector mean;
  Matrix covariance;
};

Coefficients coefficients(const StreamingGP& model);

}  // namespace gpstream

#endif
