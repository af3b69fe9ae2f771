// Draws from the determinantal point process of tK, K = k1(X, X) of n rows: a set A with
// probability det(tK_A) / det(I + tK). No eigenvectors are needed, only the Cholesky factor C C' = I + tK.
//
// The rows are decided from the last to the first. Let A be those taken among the rows after j. The sum of
// det(tK_S) over all S that agree with what was decided is det(I + tK_{1..j}) det(S_j), where S_j is the
// Schur complement of those j rows in (tK + I_{1..j}) on {1..j} and A. C has its entries: S_j = sum_{i > j}
// c_i c_i' - I, c_i being column i of C at the rows A. Therefore
//   P(j is left out | what was decided) = det(S_{j-1}) / (C_jj^2 det(S_j)) = (1 + c_j'S_j^-1 c_j) / C_jj^2,
//   S_{j-1} = S_j + c_j c_j',
// and when j is taken, S grows by the row (C_jj c_j', C_jj^2 - 1). Its inverse Q is kept, O(|A|^2) a row.
// [derivation in the vignette "kdpp"; compare Launay, Galerne and Desolneux 2020, Poulson 2020]
#ifndef GPSTREAM_DPP_H
#define GPSTREAM_DPP_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/types.h"

namespace gpstream {

// The lower factor of I + tK. The upper triangle is not used.
Matrix dpp_factor(
    const Kernel& kernel, const ConstMatrixView& X, double t, Checkpoint check = [] {});

// One set, in increasing order; u are n uniform numbers.
std::vector<Index> dpp_draw(const ConstMatrixView& C, const ConstVectorView& u);

}  // namespace gpstream

#endif
