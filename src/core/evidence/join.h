// Join: what a new inducing point z does to the features of the rows.  [derivation 2; the streaming update of
// Bui17 for nested Z, where kappa_old = [I 0]]
//   settled rows   keep their feature, padded with 0
//   open rows      extend it by  (k1(z, x_i) - l'w_i) / d,  exactly as if z had been there from the start
#ifndef GPSTREAM_JOIN_H
#define GPSTREAM_JOIN_H

#include "../points/basis.h"
#include "window.h"

namespace gpstream {

struct Joining {
  Border edge;
  Vector fresh;  // the new feature entries of the open rows
};

// Everything that can fail, computed before anything changes. Empty when z is refused.
inline std::optional<Joining> prepare_join(const Basis& basis, const Window& open, const Kernel& kernel,
                                           const ConstMatrixView& z) {
  std::optional<Border> edge = basis.border(kernel, z);
  if (!edge) return std::nullopt;
  Joining out{std::move(*edge), Vector()};
  if (open.size() == 0) return out;
  out.fresh = kernel.value(open.inputs(), z).col(0);
  out.fresh.noalias() -= open.features().transpose() * out.edge.l;
  out.fresh /= out.edge.d;
  return out;
}

}  // namespace gpstream

#endif
