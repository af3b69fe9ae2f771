// Points that the caller puts forward along with a batch join, up to m in all: for rules that draw random
// numbers, which the core does not.
#ifndef GPSTREAM_SELECTORS_PROPOSED_H
#define GPSTREAM_SELECTORS_PROPOSED_H

#include "selector.h"

namespace gpstream {

class Proposed final : public Selector {
 public:
  explicit Proposed(SelectorSpec spec) : Selector(std::move(spec)), m_(wanted()) {}

  void select(const Batch& batch, Points& points, Checkpoint check) const override {
    const Proposal& proposal = batch.proposal;
    const Index count = proposal.points.rows();
    require(count == 0 || (proposal.points.cols() == batch.X.cols() && proposal.points.allFinite()),
            "dimension", "the proposed points do not fit the batch.");
    for (Index i = 0; i < count && static_cast<double>(points.points().rows()) < m_; ++i) {
      check();
      points.join(proposal.points.middleRows(i, 1), static_cast<Index>(proposal.rows(i)));
    }
  }

 private:
  double m_;
};

}  // namespace gpstream

#endif
