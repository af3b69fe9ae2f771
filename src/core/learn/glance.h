// Glance: are the newest rows about where the model, as it stood when a block was last scored, would have
// them? Of order M a row where a score is of order M^2 and needs the posterior, so that a model that nobody
// competes with need not score every block.  [derivation 15] Points that joined since were unknown then:
//   e = y - w_then'm      variance = noise + v (r + |w_since|^2)
#ifndef GPSTREAM_LEARN_GLANCE_H
#define GPSTREAM_LEARN_GLANCE_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"

namespace gpstream {

// What a later glance needs of the posterior.
inline Vector posterior_mean(const StreamingGP& model) { return model.xi() * model.weights().a; }

// The mean squared standardised error of the newest `count` rows, which must be open.
double at_a_glance(const State& state, const Vector& then, Index count);

}  // namespace gpstream

#endif
