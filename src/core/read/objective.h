// The collapsed variational objective, as a function of the evidence:  [derivation 5; Titsias09 for fixed Z]
//   F = -1/2 log|G| + (xi / 2 phi) b'a - xi tau / 2 + con - kappa n log phi
//       - (yy - 2 s'beta + beta'Phi beta) / (2 phi)
// beta is what is known of the trend; where coefficients are integrated out, G, b and a have them in front,
// and F needs no other term: their prior is that of nu.
// Its increments are the streaming bounds of [GFO21 A.1]. With Z and the kernel fixed F is a lower bound on
// the log evidence; with growing Z it is an objective and no bound.
#ifndef GPSTREAM_OBJECTIVE_H
#define GPSTREAM_OBJECTIVE_H

#include "posterior.h"

namespace gpstream {

// b measured from what is known of the trend
inline double objective(const ConstMatrixView& C, const Vector& b, const Vector& a, const Totals& sums,
                        const Scale& scale, double kappa) {
  const double phi = scale.dispersion, xi = scale.xi();
  return -0.5 * log_determinant(C) + 0.5 * xi * (b.dot(a) / phi) - 0.5 * xi * sums.tau + sums.con -
         kappa * sums.n * std::log(phi) - 0.5 * sums.about(scale) / phi;
}

// The evidence in the eigenbasis of P~ = Q diag(lambda) Q': as a function of the scale F needs no more.
// [derivation 3]
struct Spectrum {
  Vector lambda, g;  // eigenvalues, Q'b~
  Matrix q;          // Q'(S'Phi; H), the first column: what a step of the mean takes from g
};

inline Spectrum spectrum(const ConstMatrixView& P, const Totals& sums, const Trend& trend) {
  Eigensystem parts = eigensystem(P);
  const Matrix step = in_front(trend, sums.Phi.col(0), sums.H.col(0));
  return {std::move(parts.values), parts.vectors.transpose() * in_front(trend, sums.s, sums.b),
          parts.vectors.transpose() * step};
}

}  // namespace gpstream

#endif
