// A kernel for tests whose diagonal is not 1, which has no lengthscale, no radius and two extras whose order
// is not the alphabet's; inputs are positive:
//   k1(a, b) = slope a'b + brownian min(a_0, b_0)      k1(a, a) = slope |a|^2 + brownian a_0
// `slope` is positive, `brownian` may be 0: in one column, the product with another kernel is then that
// kernel with an amplitude that varies, a b k1(a, b), and has the same correlations.
#ifndef GPSTREAM_TEST_LINEAR_BROWNIAN_H
#define GPSTREAM_TEST_LINEAR_BROWNIAN_H

#include "../../src/core/core.h"

namespace reference {

using namespace gpstream;

// It is in the registry as long as one of these lives.
struct WithLinearBrownian {
  WithLinearBrownian();
  ~WithLinearBrownian();
};

KernelSpec linear_brownian(double slope, double brownian, double v = 1.0);

}  // namespace reference

#endif
