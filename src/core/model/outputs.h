// One of several outputs as a model of its own: what it says is what the model says of that output. It holds
// nothing to learn a kernel from; rows in which the output was not observed stay in its look-back, and say
// nothing.
#ifndef GPSTREAM_MODEL_OUTPUTS_H
#define GPSTREAM_MODEL_OUTPUTS_H

#include "streaming_gp.h"

namespace gpstream {

inline StreamingGP output_of(const StreamingGP& model, Index k) {
  require(k >= 0 && k < model.outputs(), "input", "there is no such output.");
  const State& from = model.state();
  if (model.outputs() == 1) return model;
  State out = k == 0 ? from : from.sisters[static_cast<std::size_t>(k - 1)];
  out.sisters.clear();
  out.likelihood = make_likelihood("gaussian");
  out.counters = from.counters;
  out.traces = from.traces;
  out.history = from.history;
  out.learning = from.learning;
  out.learner = Learner();
  out.learner.calibration = from.learner.calibration_of(k);
  return StreamingGP(std::move(out));
}

}  // namespace gpstream

#endif
