// Eigenvalues of the matrix K = k1(X, X) of many rows.
//
// K of a smooth kernel has far fewer eigenvalues above rounding than rows. Pivoted Cholesky finds F with K -
// F F' >= 0; F F' and the small matrix F'F have the same eigenvalues other than 0, and K is never formed.
// Only when F would be a third as wide as K, K itself is taken.
#ifndef GPSTREAM_KERNEL_SPECTRUM_H
#define GPSTREAM_KERNEL_SPECTRUM_H

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

struct KernelSpectrum {
  Vector values;          // from the largest on, without those that are lost in rounding
  double rounding = 0.0;  // what rounding can have done to their sum, and those that are lost
  double left = 0.0;      // tr(K - F F'), where the rank was limited
};

// F no wider than `most_rank`, no matrix of more than `most_entries`.
KernelSpectrum kernel_spectrum(const Kernel& kernel, const ConstMatrixView& X, double most_rank,
                               double most_entries, Checkpoint check);

}  // namespace gpstream

#endif
