// Join: what a new inducing point z does to the features of the rows.  [derivation 2; the streaming update of
// Bui17 for nested Z, where kappa_old = [I 0]]
//   settled rows   keep their feature, padded with 0
//   open rows      extend it by  (k1(z, x_i) - l'w_i) / d,  exactly as if z had been there from the start
#ifndef GPSTREAM_JOIN_H
#define GPSTREAM_JOIN_H

#include <optional>

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "window.h"

namespace gpstream {

struct Joining {
  Border edge;
  Vector fresh;  // the new feature entries of the open rows
};

// Everything that can fail, computed before anything changes. Empty when z is refused.
std::optional<Joining> prepare_join(const Basis& basis, const Window& open, const Kernel& kernel,
                                    const ConstMatrixView& z);

}  // namespace gpstream

#endif
