// The collapsed variational objective, as a function of the evidence:  [derivation 5; Titsias09 for fixed Z]
//   F = -1/2 log|G| + (xi / 2 phi) b'a - xi tau / 2 + con - kappa n log phi
//       - (yy - 2 s'beta + beta'Phi beta) / (2 phi)
// beta is what is known of the trend; where coefficients are integrated out, G, b and a have them in front,
// and F needs no other term: their prior is that of nu.
// Its increments are the streaming bounds of [GFO21 A.1]. With Z and the kernel fixed F is a lower bound on
// the log evidence; with growing Z it is an objective and no bound.
#ifndef GPSTREAM_OBJECTIVE_H
#define GPSTREAM_OBJECTIVE_H

#include "../evidence/trend.h"
#include "../linear/types.h"
#include "scale.h"
#include "totals.h"

namespace gpstream {

// b measured from what is known of the trend
double objective(const ConstMatrixView& C, const Vector& b, const Vector& a, const Totals& sums,
                 const Scale& scale, double kappa);

// The evidence in the eigenbasis of P~ = Q diag(lambda) Q': as a function of the scale F needs no more.
// [derivation 3]
struct Spectrum {
  Vector lambda, g;  // eigenvalues, Q'b~
  Matrix q;          // Q'(S'Phi; H), the first column: what a step of the mean takes from g
};

Spectrum spectrum(const ConstMatrixView& P, const Totals& sums, const Trend& trend);

}  // namespace gpstream

#endif
