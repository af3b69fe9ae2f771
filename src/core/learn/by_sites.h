// Learning where sites depend on the posterior. Once rows have sites they are Gaussian rows: outputs ga / om
// of precision om. What Gaussian rows teach, the kernel say, is learned from those, and then the sites are
// made anew; where both agree, the slopes are those of the bound itself.  [derivation 20]
#ifndef GPSTREAM_LEARN_BY_SITES_H
#define GPSTREAM_LEARN_BY_SITES_H

#include "../likelihoods/responses.h"
#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "sample.h"
#include "wishes.h"

namespace gpstream {

// What is known of f at the open rows, measured from the offset.
Latent latent_of_open(const StreamingGP& model);

// As the stream goes on, the average of what the rows of each look-back say: that of all rows.
void follow_likelihood(StreamingGP& model, const Wishes& wishes);

// Scale, parameters of the likelihood and sites in turns; for Gaussian rows, the scale alone.
void learn_scale_and_sites(StreamingGP& model, const Wishes& wishes, Checkpoint check);

// Kernel, trend, noise and parameters of the likelihood from rows of which there are a few hundred at most.
Settings settings_by_sites(const Wishes& given, const Sample& all, Checkpoint check);

}  // namespace gpstream

#endif
