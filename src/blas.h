// R's own BLAS and LAPACK as a back end: slow where R came with the reference library, fast where it runs on
// a tuned one.
#ifndef GPSTREAM_BLAS_H
#define GPSTREAM_BLAS_H

#ifndef USE_FC_LEN_T
#define USE_FC_LEN_T
#endif
#include <Rconfig.h>
#include <R_ext/BLAS.h>
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include "core/linear/backends/backend.h"

namespace gpstream {

inline int blas_int(Index n) { return static_cast<int>(n); }

// B <- op(T) B or op(T)^-1 B, T a triangle; `call` is dtrmm or dtrsm.
template <class Call>
void blas_triangle(Call call, const char* triangle, const char* transposed, const ConstMatrixView& T,
                   MatrixView B) {
  const int m = blas_int(B.rows()), n = blas_int(B.cols()), ldt = blas_int(T.outerStride()),
            ldb = blas_int(B.outerStride());
  const double one = 1.0;
  call("L", triangle, transposed, "N", &m, &n, &one, T.data(), &ldt, B.data(), &ldb FCONE FCONE FCONE FCONE);
}

inline Backend blas_backend() {
  Backend out;
  out.name = "blas";
  out.own_threads = true;
  out.solve_lower = [](const ConstMatrixView& L, MatrixView B) {
    blas_triangle(F77_NAME(dtrsm), "L", "N", L, B);
  };
  out.solve_lower_transposed = [](const ConstMatrixView& L, MatrixView B) {
    blas_triangle(F77_NAME(dtrsm), "L", "T", L, B);
  };
  out.multiply_transposed = [](const ConstMatrixView& R, const ConstMatrixView& B, MatrixView product) {
    product = B;
    blas_triangle(F77_NAME(dtrmm), "U", "T", R, product);
  };
  out.multiply = [](const ConstMatrixView& A, const ConstMatrixView& B, MatrixView product) {
    const int m = blas_int(A.rows()), n = blas_int(B.cols()), k = blas_int(A.cols());
    const int lda = blas_int(A.outerStride()), ldb = blas_int(B.outerStride()),
              ldc = blas_int(product.outerStride());
    const double one = 1.0, zero = 0.0;
    F77_CALL(dgemm)
    ("N", "N", &m, &n, &k, &one, A.data(), &lda, B.data(), &ldb, &zero, product.data(), &ldc FCONE FCONE);
  };
  out.add_outer = [](MatrixView S, const ConstMatrixView& A) {
    const int n = blas_int(A.rows()), k = blas_int(A.cols()), lda = blas_int(A.outerStride()),
              lds = blas_int(S.outerStride());
    const double one = 1.0;
    F77_CALL(dsyrk)("L", "N", &n, &k, &one, A.data(), &lda, &one, S.data(), &lds FCONE FCONE);
  };
  out.cholesky = [](MatrixView S) {
    const int n = blas_int(S.rows()), lds = blas_int(S.outerStride());
    int info = 0;
    F77_CALL(dpotrf)("L", &n, S.data(), &lds, &info FCONE);
    return info == 0;
  };
  return out;
}

}  // namespace gpstream

#endif
