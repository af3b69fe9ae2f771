// A linear algebra back end: the operations whose cost is cubic. Symmetric matrices live in their lower
// triangle; what lies above the diagonal of a lower factor is neither read nor written.
#ifndef GPSTREAM_BACKENDS_BACKEND_H
#define GPSTREAM_BACKENDS_BACKEND_H

#include <string>

#include "../types.h"

namespace gpstream {

struct Backend {
  std::string name;
  bool own_threads;                                             // decides itself how many threads it uses
  void (*solve_lower)(const ConstMatrixView& L, MatrixView B);  // B <- L^-1 B
  void (*solve_lower_transposed)(const ConstMatrixView& L, MatrixView B);  // B <- L^-T B
  void (*multiply_transposed)(const ConstMatrixView& R, const ConstMatrixView& B,
                              MatrixView out);  // out <- R'B, R upper triangular
  void (*multiply)(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out);  // out <- A B
  void (*add_outer)(MatrixView S, const ConstMatrixView& A);                             // S <- S + A A'
  bool (*cholesky)(MatrixView S);  // S <- its lower factor; false: not positive definite
};

}  // namespace gpstream

#endif
