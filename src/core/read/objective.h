// The collapsed variational objective, as a function of the evidence:  [derivation 5; Titsias09 for fixed Z]
//   F = -1/2 log|G| + (xi / 2 s2) b'a - (n/2) log(2 pi s2) - yy / (2 s2) - xi tau / 2
// Its increments are the streaming bounds of [GFO21 A.1]. With Z and the kernel fixed F is a lower bound on
// the log evidence; with growing Z it is an objective and no bound.
#ifndef GPSTREAM_BOUND_H
#define GPSTREAM_BOUND_H

#include "posterior.h"

namespace gpstream {

// b, yy measured from the mean; tau in all
inline double objective(const PosteriorFactor& factor, const PosteriorWeights& weights, const Vector& b,
                        double n, double yy, double tau, double v, double s2) {
  const double xi = v / s2, two_pi = 6.283185307179586;
  return -0.5 * log_determinant(factor.view()) + 0.5 * xi * (b.dot(weights.a) / s2) -
         0.5 * n * std::log(two_pi * s2) - 0.5 * yy / s2 - 0.5 * xi * tau;
}

// The evidence in the eigenbasis of P = Q diag(lambda) Q': as a function of (v, s2, mean) F needs no more.
// [derivation 3]
struct Spectrum {
  Vector lambda, g, q;  // eigenvalues, Q'b, Q'h
};

inline Spectrum spectrum(const Evidence& evidence) {
  Eigensystem P = eigensystem(evidence.P.view());
  return {std::move(P.values), P.vectors.transpose() * evidence.b.view(),
          P.vectors.transpose() * evidence.h.view()};
}

}  // namespace gpstream

#endif
