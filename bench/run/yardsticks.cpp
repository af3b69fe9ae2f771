// What the machine allows: the bare operations inside an update, a prediction and a selection, with Eigen as
// R's own flags compile it, and the triangular product by R's BLAS.
// [[Rcpp::depends(RcppEigen)]]
#include <RcppEigen.h>
#include <R_ext/BLAS.h>
#include <chrono>
#include <cstring>
#include <ctime>
#ifndef FCONE
#define FCONE
#endif

using Eigen::Index;
using Eigen::Lower;
using Eigen::MatrixXd;
using View = Eigen::Map<MatrixXd>;

// Seconds: of the clock on the wall, and of the processors that worked for this process.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector fine_clocks() {
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#ifdef _WIN32
  return Rcpp::NumericVector::create(wall, wall);
#else
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return Rcpp::NumericVector::create(wall,
                                     static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec));
#endif
}

// B <- L^-1 B, S <- S + c B B'
// [[Rcpp::export(rng = false)]]
void eigen_solve_and_update(const View L, View B, View S) {
  L.triangularView<Lower>().solveInPlace(B);
  S.selfadjointView<Lower>().rankUpdate(B, 1e-9);
}

// out <- L B
// [[Rcpp::export(rng = false)]]
void eigen_multiply(const View L, const View B, View out) { out.noalias() = L.triangularView<Lower>() * B; }

// B <- L B
// [[Rcpp::export(rng = false)]]
void blas_multiply(const View L, View B) {
  const int M = static_cast<int>(B.rows()), N = static_cast<int>(B.cols());
  const double one = 1.0;
  F77_CALL(dtrmm)("L", "L", "N", "N", &M, &N, &one, L.data(), &M, B.data(), &M FCONE FCONE FCONE FCONE);
}

// S <- T: 8 M^2 bytes read and as many written. The least a rank-one update can do is as much: it reads a
// triangular factor and a symmetric matrix, and reads and writes the latter once more, each of half a square.
// [[Rcpp::export(rng = false)]]
void copy_over(View S, const View T) { std::memcpy(S.data(), T.data(), sizeof(double) * S.size()); }

// Squared distance of each row of X to the nearest row of Z, by matrix products over blocks of 256 rows.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd eigen_scan(const View X, const View Z) {
  const Index n = X.rows(), D = X.cols(), M = Z.rows(), width = 256;
  const Eigen::VectorXd zz = Z.rowwise().squaredNorm();
  const MatrixXd Zt = -2 * Z;
  MatrixXd G(M, width);
  Eigen::VectorXd out(n);
  for (Index i = 0; i < n; i += width) {
    const Index b = std::min(width, n - i);
    const MatrixXd block = X.middleRows(i, b).transpose();
    G.leftCols(b).noalias() = Zt * block;
    G.leftCols(b).colwise() += zz;
    for (Index j = 0; j < b; ++j) out(i + j) = G.col(j).minCoeff() + block.col(j).squaredNorm();
  }
  return out;
}
