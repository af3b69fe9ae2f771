// Sites of p(y | f) = exp(k + a x - b e^x), x = f or -f: counts, waiting times, amounts. In closed form, as
// E e^x = e^(mean + s2 / 2).  [derivation 20]
//   e = k + a x - p      g = +-(a - p) + p m      p = b e^(x + s2 / 2)
#ifndef GPSTREAM_LOG_LINK_H
#define GPSTREAM_LOG_LINK_H

#include "log_concave.h"
#include "parameters.h"

namespace gpstream {

class LogLinkLikelihood : public Likelihood {
 protected:
  struct Row {
    double a, log_b, k;
  };

  // row(i): the numbers of a row; sign: of f in x.
  template <class RowOf>
  static Sites log_link_sites(const Latent& at, double sign, const RowOf& row) {
    Sites out(at.mean.size(), site::columns);
    for (Index i = 0; i < out.rows(); ++i) {
      const Row r = row(i);
      const double m = at.mean(i), s2 = at.variance(i), x = sign * m;
      const double p = exp_weight(r.log_b + x + 0.5 * s2, m, s2);
      put(out, i, r.k + r.a * x - p, sign * (r.a - p) + p * m, p, m, s2);
    }
    return out;
  }
};

}  // namespace gpstream

#endif
