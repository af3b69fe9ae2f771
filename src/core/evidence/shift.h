// Shift: the same rows with y measured from elsewhere, or with the trend's columns from another centre in
// other units. Both are exact.  [derivation 18]
//   y measured from d further on      b -= H delta, yy -= 2 s'delta - delta'Phi delta, s -= Phi delta,
//                                     delta = (d, 0, ...)
//   t <- A t                          H A'    A Phi A'    A s
#ifndef GPSTREAM_SHIFT_H
#define GPSTREAM_SHIFT_H

#include "evidence.h"
#include "window.h"

namespace gpstream {

inline void shift(double d, Evidence& settled, Window& open) {
  if (d == 0) return;
  const Vector phi = settled.Phi.col(0);
  settled.b.view() -= d * settled.H.view().col(0);
  settled.yy = std::max(0.0, settled.yy - 2.0 * d * settled.s(0) + d * d * phi(0));
  settled.s -= d * phi;
  Sites sites = open.own_sites();
  const Vector om = sites.col(site::om), ga = sites.col(site::ga);
  sites.col(site::q) = (sites.col(site::q) - 2.0 * d * ga + d * d * om).cwiseMax(0.0);
  sites.col(site::ga) = ga - d * om;
  open.set_outputs(open.outputs().array() - d);
  open.set_sites(sites);
}

// The trend `from` as that of `to`, which has the same columns: A.
inline Matrix trend_change(const Trend& from, const Trend& to) {
  Matrix A = Matrix::Identity(from.size(), from.size());
  for (Index j = 1; j < from.size(); ++j) {
    A(j, j) = from.scale(j - 1) / to.scale(j - 1);
    A(j, 0) = (from.centre(j - 1) - to.centre(j - 1)) / to.scale(j - 1);
  }
  return A;
}

inline void change_trend(const Trend& from, const Trend& to, Evidence& settled) {
  if (from.centre == to.centre && from.scale == to.scale) return;
  const Matrix A = trend_change(from, to);
  settled.H = GrowingMatrix(Matrix(settled.H.view() * A.transpose()));
  settled.Phi = (A * settled.Phi * A.transpose()).eval();
  settled.s = (A * settled.s).eval();
}

}  // namespace gpstream

#endif
