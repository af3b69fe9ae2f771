// The objective under another kernel, other points, other scalars, and its gradient, collapsed over q.
// [derivation 6]
//
// A model and a batch at hand come apart into evidence of rows that have settled, (Z_old, P_old, b_old,
// H_old), which can only be projected, and rows that are here (open rows and batch), which are seen anew:
//   W = L^-1 k1(Z, X)    S = L^-1 k1(Z, Z_old) L_old^-T    P = W diag(om) W' + S P_old S'
//   b = W ga + S b_old   tau = carried + om'r + tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))
// Backwards the rows and k1(Z, Z) are those of adjoint.h; the old evidence, as there, has
//   dF/dS = xi (Q S P_old + a (b_old - xi P_old S'a)' / phi)
//   dF/dk1(Z, Z_old) = L^-T dF/dS L_old^-1            dF/dk1(Z_old, Z_old) = -xi/2 L_old^-T P_old L_old^-1
// and the kernel pulls each back to its parameters and to Z. A small multiple of the cost of F itself. Where
// coefficients of the trend are integrated out, (S'H_old'; S P_old) stands for S P_old.
#ifndef GPSTREAM_GRADIENT_H
#define GPSTREAM_GRADIENT_H

#include <optional>

#include "../evidence/evidence.h"
#include "../evidence/project.h"
#include "../evidence/site.h"
#include "../evidence/trend.h"
#include "../kernels/kernel.h"
#include "../likelihoods/likelihood.h"
#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "../points/basis.h"
#include "adjoint.h"

namespace gpstream {

// Where the objective is asked for. Without a noise, it is the best one, the kernel's variances being in
// units of it.  [derivation 3]
struct Place {
  KernelPtr kernel;
  Matrix Z;
  std::optional<double> noise;
  double mean;
};

class Objective {
 public:
  Objective(const StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y,
            const Vector& weights = Vector());

  // The gradient with respect to Z is left out unless asked for.
  Slope operator()(const Place& at, bool points, Checkpoint check) const;

 private:
  void pull_settled(const Projection& onto, const Kernel& kernel, const Adjoint& back, RowSlopes& out) const;

  KernelPtr kernel_;
  LikelihoodPtr likelihood_;
  Trend trend_;
  double offset_;
  Basis old_;  // of the settled rows, and their evidence
  Evidence settled_;
  Matrix X_;  // the rows at hand
  Sites S_;
};

}  // namespace gpstream

#endif
