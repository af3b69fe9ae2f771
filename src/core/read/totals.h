// Totals: the evidence of all rows, settled and open. What is quadratic, P, is not formed: the factor of the
// posterior needs it rarely.
#ifndef GPSTREAM_TOTALS_H
#define GPSTREAM_TOTALS_H

#include "../evidence/evidence.h"
#include "../evidence/trend.h"
#include "../evidence/window.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "scale.h"

namespace gpstream {

struct Totals {
  Vector b;
  Matrix H, Phi;
  Vector s;
  double n, con, yy, tau;

  // b, s and the sum of q with y measured from what is known of the trend.
  Vector centred(const Scale& scale) const;
  Vector centred_s(const Scale& scale) const { return s - Phi * scale.trend; }
  double about(const Scale& scale) const;
};

Totals totals(const Evidence& settled);

Totals totals(const Evidence& settled, const Window& open, const Trend& trend);

// b~ of all rows measured from what is known of the trend, alone: what a prediction needs.
Vector centred_b(const Evidence& settled, const Window& open, const Trend& trend, const Scale& scale);

// The lower triangle of P.
void total_P(const Evidence& settled, const Window& open, MatrixView out);
Matrix total_P(const Evidence& settled, const Window& open);

// That of P~.
void total_P(const Evidence& settled, const Window& open, const Trend& trend, MatrixView out);
Matrix total_P(const Evidence& settled, const Window& open, const Trend& trend);

}  // namespace gpstream

#endif
