// Remove: points leave. Their rows of L go, reflections make the rest triangular again, and what is known
// turns along; O(M^2) a point.  [derivation 16]
//   L_keep Q = [L_new 0]    P <- Q'PQ    b <- Q'b    H <- Q'H    w <- Q'w
// The directions D that only these points could hold come last. Open rows lose them, as if they had been seen
// without the points. So do the settled rows where xi = 0; otherwise f is integrated out along D, and what
// they said of the points that stay is what it was, for this xi:  g = xi (I + xi P_DD)^-1,
//   P -= P_D g P_D'   b -= P_D g b_D   H -= P_D g H_D   Phi -= H_D'g H_D   s -= H_D'g b_D   yy -= b_D'g b_D
#ifndef GPSTREAM_REMOVE_H
#define GPSTREAM_REMOVE_H

#include <vector>

#include "../linear/machine.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "evidence.h"
#include "window.h"

namespace gpstream {

// Points, and what rows have said about them.
struct Known {
  Basis basis;
  Evidence settled;
  Window open;
};

// The indices below M that are not among `gone`.
std::vector<Index> others(const std::vector<Index>& gone, Index M);

// What is left without the points `gone`, in ascending order. Nothing is changed: whoever may have to undo it
// keeps what there was.
Known without(const std::vector<Index>& gone, const Basis& basis, const Evidence& evidence,
              const Window& open, double xi = 0.0);

void remove(const std::vector<Index>& gone, Basis& basis, Evidence& evidence, Window& open, double xi = 0.0);

}  // namespace gpstream

#endif
