// Join: what a new inducing point z does to the features of the rows.  [derivation 2; the streaming update of
// Bui17 for nested Z, where kappa_old = [I 0]]
//   rows that are gone   keep their feature, padded with 0
//   rows in the window   extend it by  (k1(z, x_i) - l'w_i) / d,  exactly as if z had been there from the
//   start
#ifndef GPSTREAM_JOIN_H
#define GPSTREAM_JOIN_H

#include "../points/basis.h"
#include "window.h"

namespace gpstream {

struct Joining {
  Border edge;
  Vector fresh;  // the window's new feature entries
  Vector row;    // new row of P
  double corner, b, h;
};

// Everything that can fail, computed before anything changes. Empty when z is refused.
inline std::optional<Joining> prepare_join(const Basis& basis, const Window& window, const Kernel& kernel,
                                           const ConstMatrixView& z) {
  std::optional<Border> edge = basis.border(kernel, z);
  if (!edge) return std::nullopt;
  Joining out{std::move(*edge), Vector(), Vector::Zero(basis.size()), 0.0, 0.0, 0.0};
  if (window.size() == 0) return out;
  const ConstMatrixView W = window.features();
  out.fresh = kernel.correlation(window.inputs(), z).col(0);
  out.fresh.noalias() -= W.transpose() * out.edge.l;
  out.fresh /= out.edge.d;
  out.row.noalias() = W * out.fresh;
  out.corner = out.fresh.squaredNorm();
  out.b = out.fresh.dot(window.outputs());
  out.h = out.fresh.sum();
  return out;
}

}  // namespace gpstream

#endif
