// Sites of p(y | f) = exp(k + a x - b e^x), x = r f: counts, waiting times, amounts. In closed form, as
// E e^x = e^(r mean + r^2 s2 / 2).  [derivation 20]
//   e = k + a r m - w      g = r (a - w) + p m      p = r^2 w      w = b e^(r m + r^2 s2 / 2)
#ifndef GPSTREAM_LOG_LINK_H
#define GPSTREAM_LOG_LINK_H

#include "../evidence/site.h"
#include "../linear/types.h"
#include "../linear/vector/distance.h"
#include "likelihood.h"
#include "parameters.h"
#include "responses.h"

namespace gpstream {

class LogLinkLikelihood : public Likelihood {
 protected:
  struct Row {
    double a, log_b, k;
  };

  // row(i): the numbers of a row.
  template <class RowOf>
  static Sites log_link_sites(const Latent& at, double r, const RowOf& row) {
    Sites out(at.mean.size(), site::columns);
    for (Index i = 0; i < out.rows(); ++i) {
      const Row of = row(i);
      const double m = at.mean(i), s2 = at.variance(i), x = r * m;
      const double w = exp_weight(of.log_b + x + 0.5 * r * r * s2, m, s2), p = r * r * w;
      put(out, i, of.k + of.a * x - w, r * (of.a - w) + p * m, p, m, s2);
    }
    return out;
  }
};

}  // namespace gpstream

#endif
