// Yes or no: y = 1 with probability Phi(f), the normal distribution function.  e = E log p exactly; at
// N(t m, s2), t = 2 y - 1, with lam = phi / Phi.  [derivation 20]
//   e = E log Phi(x)      g = t E lam(x) + p m      p = E lam(x) (x + lam(x))
#ifndef GPSTREAM_LIKELIHOODS_PROBIT_H
#define GPSTREAM_LIKELIHOODS_PROBIT_H

#include "normal.h"

namespace gpstream {

// E log Phi, E lam, E lam (x + lam) of x ~ N(m, s2).
LogNormalProbability expected_log_normal(double m, double s2);

}  // namespace gpstream

#endif
