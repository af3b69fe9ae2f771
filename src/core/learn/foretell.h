// How the newest rows would have been foretold without themselves: by the model as it would stand had they
// not come, though with the points it has. Taken from the posterior that has them, so that no earlier model
// need be kept, and any cut of the stream gives the same.  [derivation 15] With S the posterior covariance of
// what the features say of the rows, N = phi / om their noise and e what the posterior leaves of them:
//   e_without = N (N - S)^-1 e        S_without = S + S (N - S)^-1 S
// A row that lies apart is not in the posterior: there N is as good as infinite.
#ifndef GPSTREAM_LEARN_FORETELL_H
#define GPSTREAM_LEARN_FORETELL_H

#include <vector>

#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "learner.h"

namespace gpstream {

struct Foretold {
  Vector error, sd;  // of each row, and the standard deviation of a new observation there

  Vector z() const;
  // Of the rows, with standard deviations multiplied by a factor.
  double log_score(double factor) const;
};

// The newest `count` rows, which must be open; of one of several outputs, those in which it was observed.
struct Newest {
  Matrix A;
  Vector y, om, r, apart;

  Newest(const State& state, Index count);
};

Foretold foretell(const StreamingGP& model, Index count);

// How each output was foretold corrects its intervals. `known`: those of which that can be said.
void calibrate(const std::vector<Foretold>& outputs, const std::vector<bool>& known, Learner& learner);
std::vector<bool> known_outputs(const StreamingGP& model);

// Several outputs as if they were one; those that are `known`, unless none of them is in these rows.
Foretold in_one(const std::vector<Foretold>& each, const std::vector<bool>& known = {});

}  // namespace gpstream

#endif
