// Evidence: what the settled rows said, as sums over rows of features w, sites and trend functions t.
// Additive, and free of the amplitude v, the dispersion phi and the trend's coefficients, which enter only at
// read-out.  [derivation 2]
//   P = sum om w w'    b = sum ga w    H = sum om w t'    Phi = sum om t t'    s = sum ga t
//   n rows    con = sum c    yy = sum q    tau = sum om r, by level
// y is measured from the model's fixed offset. P lives in its lower triangle; nothing is ever subtracted from
// it, but for rows that are taken out on the user's word (unlearn.h).
#ifndef GPSTREAM_EVIDENCE_H
#define GPSTREAM_EVIDENCE_H

#include "../linear/growing.h"
#include "../linear/types.h"

namespace gpstream {

// What changes of points or kernel brought along, about rows that had settled by then. [derivation 10]
struct Carried {
  double tau = 0.0;   // their residual as the objective counts it: that of then, and the price of each move
  double lost = 0.0;  // the prices
  double norm = 0.0;  // a bound on the squared distance of their features from what they are about, under the
                      // present kernel
  double foreign =
      0.0;  // the number of rows whose features come from another kernel, for which there is no such bound
};

struct Evidence {
  GrowingMatrix P, H;
  GrowingVector b;
  Matrix Phi;
  Vector s;
  double n = 0.0, con = 0.0, yy = 0.0;
  // tau(m): weighted residual of the rows that settled with a feature of length m
  GrowingVector tau = GrowingVector(Vector::Zero(1));
  Carried carried;

  // About M points and q trend functions.
  explicit Evidence(Index M = 0, Index q = 1);

  Index size() const { return b.size(); }
  double residual() const;

  void reserve(Index M);

  // A point has joined: rows that have settled have 0 as their new entry.
  void append();

  void truncate(Index M);
};

}  // namespace gpstream

#endif
