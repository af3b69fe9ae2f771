// The objective of rows that need not be in one place, in pieces that add up.  [derivation 6, 23]
//   forwards    each row adds its site to the evidence (settle.h), under a kernel and points
//   at the end  from all of the evidence: F, the best noise, and an adjoint, which is all that a row has to
//               be told to say how F changes with its features
//   backwards   each row adds to the slopes by the parameters of the kernel and by the points; what k1(Z, Z)
//               and the amplitude add is known at the end
// With G = I + xi P, a = G^-1 b and Q = xi G^-1 P (= I - G^-1 without the cancellation), ga and b measured
// from the trend:
//   dF/dW = xi (Q W diag(om) + a (ga - xi om .* W'a)' / phi)
//   dF/dk1(Z, X) = L^-T dF/dW    dF/dk1(x, x) = -xi om / 2
//   dF/dk1(Z, Z) = -1/2 L^-T xi (Q P + a a'/phi) L^-1
// Where coefficients of the trend are integrated out, P, G, Q, b and a have them in front (in_front.h), and
// dF/dW are the rows of the points: W~ stands for W, Q loses its first rows, a in front of a transpose its
// first entries; dF/dk1(Z, Z) has the last block of Q P and of a a'. What is in front depends on the ratios
// only:
//   dF/dlog ratio_j = 1/2 (xi a_j^2 / phi - Q_jj)
#ifndef GPSTREAM_ADJOINT_H
#define GPSTREAM_ADJOINT_H

#include <optional>
#include <vector>

#include "../evidence/evidence.h"
#include "../evidence/site.h"
#include "../evidence/trend.h"
#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

struct Slope {
  double objective, noise;  // F, and the noise it holds for
  Vector kernel;            // dF/d(parameters of the kernel), the noise fixed
  double log_noise;
  Vector log_ratio;  // of the coefficients that are integrated out
  Matrix Z;
};

// What rows are told.
struct Adjoint {
  double xi, phi;
  Vector trend;     // what is known of it
  Vector a, alpha;  // G^-1 b, and xi L^-T times its part of the points
  Matrix Q;         // xi L^-T Q
};

// What rows answer: slopes by the kernel's parameters, and by points, where these are asked for.
struct RowSlopes {
  Vector kernel;
  Matrix Z;

  RowSlopes(const Kernel& of, Index points, Index columns);
};

// A <- L^-T A L^-1 for symmetric A
void both_sides(const Basis& basis, Matrix& A);

// The end: all but what the rows add to the slopes. `mean` is measured from the offset; without a noise, it
// is the best one, the kernel's variances being in units of it.  [derivation 3]
Slope read_slope(const Evidence& evidence, const Basis& basis, const Kernel& kernel, const Trend& trend,
                 double mean, const std::optional<double>& noise, double kappa, bool points, Adjoint& back);

// Backwards: rows with features A and sites S.
void pull_rows(const Basis& basis, const Kernel& kernel, const Trend& trend, const Adjoint& back,
               const ConstMatrixView& X, const Sites& S, Matrix A, RowSlopes& out);

// The slopes by the points that were kept, in the places that all had.
Matrix in_their_places(const Matrix& slopes, const std::vector<Index>& kept, Index all);

}  // namespace gpstream

#endif
