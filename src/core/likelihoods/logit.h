// Sites of p(y | f) = exp(k + a x - n log(1 + e^x)), x = f - shift: trials, classes, counts that vary more
// than Poisson's. The expectations are exact.  [derivation 20]
//   e = k + a x - n E log(1 + e^x)      g = a - n E sigma + p m      p = n E sigma (1 - sigma)
#ifndef GPSTREAM_LOGIT_H
#define GPSTREAM_LOGIT_H

#include "../evidence/site.h"
#include "../linear/types.h"
#include "../linear/vector/distance.h"
#include "expectation.h"
#include "likelihood.h"
#include "responses.h"

namespace gpstream {

class LogitLikelihood : public Likelihood {
 protected:
  struct Row {
    double a, n, k;
  };

  // row(i): the numbers of a row.
  template <class RowOf>
  static Sites logit_sites(const Latent& at, double shift, const RowOf& row) {
    Sites out(at.mean.size(), site::columns);
    for (Index i = 0; i < out.rows(); ++i) {
      const Row r = row(i);
      const double m = at.mean(i), s2 = at.variance(i), x = m - shift;
      const LogisticMoments of = logistic_moments(x, s2);
      const double p = r.n * of.slope;
      put(out, i, r.k + r.a * x - r.n * of.softplus, r.a - r.n * of.sigmoid + p * m, p, m, s2);
    }
    return out;
  }
};

}  // namespace gpstream

#endif
