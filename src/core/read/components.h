// The parts that add up to f: the constant, each column of the trend, and each kernel of a sum.
// [derivation 2]
// With the features w_c = L^-1 k_c(Z, x) of a part, all of them together those of f, and w~_c the same with
// zeros in front (of the trend, its own entry of the front alone),
//   mean_c = k_c(x, Z) alpha        cov(c, c') = v (k_cc'(x, x) - w_c'w_c' + (C^-1 w~_c)'(C^-1 w~_c'))
// where the first two terms are those of kernels only, and k_cc' = [c = c'] k_c.
// Centred, a kernel's part is what it is beside its mean over the points, and the constant has these means:
//   k_c(x, .) - mean_j k_c(z_j, .)  and  sum_c mean_j k_c(z_j, .)  instead of k_c(x, .) and nothing.
#ifndef GPSTREAM_COMPONENTS_H
#define GPSTREAM_COMPONENTS_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"

namespace gpstream {

struct Components {
  Matrix mean;        // a row each, a column for each part
  Matrix covariance;  // of the parts in a row, column after column; empty where it was not asked for
};

// The kernels that are added up, and their shares of the amplitude.
struct KernelShare {
  KernelPtr kernel;
  double share;
};
std::vector<KernelShare> kernel_shares(const KernelPtr& kernel);

Components components(const StreamingGP& model, const ConstMatrixView& X, bool covariance, bool centred,
                      Checkpoint check);

}  // namespace gpstream

#endif
