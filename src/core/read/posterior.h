// Posterior: prior times evidence, for given amplitude v and dispersion phi, xi = v / phi.  [derivation 2]
//   u = f(Z) - trend = sqrt(v) L nu,  nu ~ N(0, I) a priori
//   nu | data ~ N((sqrt(v)/phi) a, G^-1),   G = I + xi P = C C',   a = G^-1 b
// Where coefficients of the trend are integrated out, P~ and b~ of in_front.h, nu having theirs in front.
#ifndef GPSTREAM_POSTERIOR_H
#define GPSTREAM_POSTERIOR_H

#include "../evidence/evidence.h"
#include "../evidence/trend.h"
#include "../evidence/window.h"
#include "../linear/growing.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "../points/basis.h"

namespace gpstream {

// The same in every case: [I; sqrt(xi P)] is factored by rotations instead, P made semi-definite again.
Matrix factor_of(const ConstMatrixView& P, double xi);

// The factor C of all rows. Derived, but which of its roundings it has depends on when it was asked for, so
// it belongs to the state: built in O(M^3) when first asked for, then kept up to date in O(M^2) a row. Rows
// that came since it was last asked for wait.
class PosteriorFactor {
 public:
  PosteriorFactor() = default;
  PosteriorFactor(const ConstMatrixView& C, const ConstMatrixView& waiting)
      : made_(true), C_(C), waiting_(waiting) {}

  bool made() const { return made_; }
  Index waiting() const { return waiting_.cols(); }
  ConstMatrixView C() const { return C_.view(); }
  ConstMatrixView waiting_rows() const { return waiting_.view(); }

  ConstMatrixView read(const Evidence& settled, const Window& open, const Trend& trend, double xi);

  void forget();

  // Is it cheaper to start anew than to rotate these in, too? One factorisation costs about as much as M / 16
  // rows.
  bool too_many(Index rows) const { return waiting() + rows > 1 && 16 * (waiting() + rows) > C_.rows(); }

  // Room for `wait`; the only step of it that can fail.
  void reserve(Index rows) { waiting_.reserve(C_.rows(), waiting() + rows); }
  void wait(const ConstMatrixView& front, const ConstMatrixView& A, const ConstVectorView& om);

  // A point joins, before the open rows extend their features W by `fresh`. False when rounding spoils the
  // pivot, which is at least 1.
  bool append(const Window& open, const Trend& trend, const Vector& fresh, double xi);
  void truncate(Index M);

 private:
  void rotate_in(double xi);

  bool made_ = false;
  GrowingMatrix C_, waiting_;
};

// The vectors that predictions of the mean need.
struct PosteriorWeights {
  Vector a;      // G^-1 b
  Vector front;  // xi times its head:  mean f(x) = what is known of the trend + (S't)'front + k1(x, Z) alpha
  Vector alpha;  // xi L^-T times its tail

  // b is the evidence measured from what is known of the trend
  PosteriorWeights(const Basis& basis, const ConstMatrixView& C, Vector b, double xi);
};

}  // namespace gpstream

#endif
