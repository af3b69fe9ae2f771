// Refresh: the sites of rows that are at hand, and the posterior, are made to agree. Sites depend on what is
// known of f, and that on the sites: both are sought together.  [derivation 20]
//
// Everything else, the base, gives f at these rows the mean f0 and the covariance T0 + diag(left), T0 = v W'W
// with W = C^-1 w~ of the base, `left` what the points leave. With sites p = om / phi, g = ga / phi
//   q: mean f0 + T0 a, variances left + V_ii     V = (T0^-1 + diag(p))^-1     a = g - p f0 - p T0 a
//   L = sum e_i(mean, variance) - 1/2 (log|B| + a'T0 a - sum p_i V_ii)    B = I + diag(p)^1/2 T0 diag(p)^1/2
// T(S), the sites made for q, is where L would rise; a step that does not raise it is halved. Of order n^3
// for n rows, or n M^2 + M^3 where the M features are fewer. Several latent functions have a T0 each, and
// meet in e alone; their sites, means and variances stand one function after the other.
#ifndef GPSTREAM_REFRESH_H
#define GPSTREAM_REFRESH_H

#include <vector>

#include "../likelihoods/likelihood.h"
#include "../likelihoods/responses.h"
#include "../linear/types.h"
#include "site.h"

namespace gpstream {

// A latent function at the rows as it is seen from its base: W, and its variance v.
struct FromBase {
  Matrix W;
  double v;
};

// The rows as they are seen from the base.
struct Active {
  Responses rows;
  Vector counts;  // how much of its site each row says by now
  std::vector<FromBase> functions;
  Vector f0, left;

  Index size() const { return counts.size(); }
  Index latents() const { return static_cast<Index>(functions.size()); }
};

// What belongs to the same row, added up over the functions.
Vector by_row(const Vector& x, Index n);

struct Agreement {
  Sites sites;
  int steps = 0;
  bool reached = false;  // did they come to stand still?
};

// One site each for rows that are alone with the base, and count in full: scalars, all at once.
Sites sites_alone(const Likelihood& likelihood, const Active& active, double phi, int most);

// Where the sites change by less than `tolerance` of themselves, or after so many steps.
Agreement refreshed(const Likelihood& likelihood, const Active& active, double phi, Sites S, double tolerance,
                    int most);

}  // namespace gpstream

#endif
