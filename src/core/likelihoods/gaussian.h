// Gaussian noise of variance phi / weight about f:  om = wt, ga = wt y, q = wt y^2, c = 1/2 log(wt / 2 pi).
// Weights are precisions, as in lm(): B equal rows say of f what one row of weight B says.
// Several outputs have a function and a noise each; one that was not observed says nothing: its site is 0,
// and it is not counted.  [derivation 21]
#ifndef GPSTREAM_LIKELIHOODS_GAUSSIAN_H
#define GPSTREAM_LIKELIHOODS_GAUSSIAN_H

#include "../evidence/site.h"
#include "../linear/types.h"

namespace gpstream {

// They do not depend on f.
Sites gaussian_sites(const ConstVectorView& y, const ConstVectorView& weights);

}  // namespace gpstream

#endif
