// Site: what one row says of f at its input, as a function of f.  [derivation 2]
//   c - kappa log phi - (q - 2 ga f + om f^2) / (2 phi)
// weight om, linear term ga, constants c and q; kappa is the likelihood's, the dispersion phi is chosen at
// read-out. `n` is how often the row counts: once, until it is forgotten.
#ifndef GPSTREAM_SITE_H
#define GPSTREAM_SITE_H

#include "../linear/types.h"

namespace gpstream {

// The sites of several rows: one row each, with these columns.
using Sites = Eigen::Matrix<double, Eigen::Dynamic, 5>;
namespace site {
enum Column : Index { om, ga, c, q, n, columns };
}

}  // namespace gpstream

#endif
