// Totals: the evidence of all rows, settled and open. What is quadratic, P, is not formed: the factor of the
// posterior needs it rarely.
#ifndef GPSTREAM_TOTALS_H
#define GPSTREAM_TOTALS_H

#include "../evidence/settle.h"
#include "in_front.h"
#include "scale.h"

namespace gpstream {

struct Totals {
  Vector b;
  Matrix H, Phi;
  Vector s;
  double n, con, yy, tau;

  // b, s and the sum of q with y measured from what is known of the trend.
  Vector centred(const Scale& scale) const { return b - H * scale.trend; }
  Vector centred_s(const Scale& scale) const { return s - Phi * scale.trend; }
  double about(const Scale& scale) const {
    return yy - 2.0 * s.dot(scale.trend) + scale.trend.dot(Phi * scale.trend);
  }
};

inline Totals totals(const Evidence& settled) {
  return {settled.b.view(), settled.H.view(), settled.Phi, settled.s,
          settled.n,        settled.con,      settled.yy,  settled.residual()};
}

inline Totals totals(const Evidence& settled, const Window& open, const Trend& trend) {
  Totals out = totals(settled);
  if (open.size() == 0) return out;
  const Sites S = open.sites();
  const Matrix T = trend.at(open.inputs()), weighed = S.col(site::om).asDiagonal() * T;
  out.b.noalias() += open.features() * S.col(site::ga);
  out.H.noalias() += open.features() * weighed;
  out.Phi.noalias() += T.transpose() * weighed;
  out.s.noalias() += T.transpose() * S.col(site::ga);
  out.n += S.col(site::n).sum();
  out.con += S.col(site::c).sum();
  out.yy += S.col(site::q).sum();
  out.tau += S.col(site::om).dot(open.residuals());
  return out;
}

// b~ of all rows measured from what is known of the trend, alone: what a prediction needs.
inline Vector centred_b(const Evidence& settled, const Window& open, const Trend& trend, const Scale& scale) {
  Vector b = settled.b.view() - settled.H.view() * scale.trend, s = settled.s - settled.Phi * scale.trend;
  if (open.size() > 0) {
    const Sites S = open.sites();
    const Matrix T = trend.at(open.inputs());
    const Vector ga = S.col(site::ga) - S.col(site::om).cwiseProduct(T * scale.trend);
    b.noalias() += open.features() * ga;
    s.noalias() += T.transpose() * ga;
  }
  return in_front(trend, s, std::move(b));
}

// The lower triangle of P.
inline void total_P(const Evidence& settled, const Window& open, MatrixView out) {
  out = settled.P.view();
  Matrix W = open.features();
  weigh(W, open.sites().col(site::om));
  add_outer(out, W);
}
inline Matrix total_P(const Evidence& settled, const Window& open) {
  Matrix out(settled.size(), settled.size());
  total_P(settled, open, out);
  return out;
}

// That of P~.
inline void total_P(const Evidence& settled, const Window& open, const Trend& trend, MatrixView out) {
  const Index M = settled.size();
  total_P(settled, open, out.bottomRightCorner(M, M));
  if (trend.active() == 0) return;
  const Totals sums = totals(settled, open, trend);
  put_in_front(trend, sums.Phi, sums.H, out);
}
inline Matrix total_P(const Evidence& settled, const Window& open, const Trend& trend) {
  const Index all = trend.active() + settled.size();
  Matrix out(all, all);
  total_P(settled, open, trend, out);
  return out;
}

}  // namespace gpstream

#endif
