// Rules that draw random numbers, which the core does not: whoever embeds it proposes points, and they join,
// up to m in all.
#ifndef GPSTREAM_SELECTORS_PROPOSED_H
#define GPSTREAM_SELECTORS_PROPOSED_H

#include "selector.h"

namespace gpstream {

struct Proposal {
  Matrix points;
  Vector rows;  // the row of X each one is, from 0, or -1
};

// Asked while points are lacking: which rule, where it chooses from, for which kernel, how many points there
// are. R has its own.
using Proposer = Proposal (*)(const SelectorSpec& rule, const ConstMatrixView& X, const Kernel& kernel,
                              Index have);
inline Proposer propose = [](const SelectorSpec&, const ConstMatrixView&, const Kernel&, Index) {
  return Proposal();
};

class Proposed final : public Selector {
 public:
  explicit Proposed(SelectorSpec spec) : Selector(std::move(spec)), m_(wanted()) {}

  Index select(const Batch& batch, Points& points, Checkpoint check) const override {
    const Index have = points.points().rows(), all = batch.X.rows();
    if (static_cast<double>(have) >= m_ || all == 0) return all;
    const Proposal proposal = propose(spec(), batch.X, points.kernel(), have);
    const Index count = proposal.points.rows();
    const bool fits = proposal.points.cols() == batch.X.cols() && proposal.rows.size() == count;
    require(count == 0 || (fits && proposal.points.allFinite()), "dimension",
            "the proposed points do not fit the batch.");
    for (Index i = 0; i < count && static_cast<double>(points.points().rows()) < m_; ++i) {
      check();
      points.join(proposal.points.middleRows(i, 1), static_cast<Index>(proposal.rows(i)));
    }
    return all;
  }

 private:
  double m_;
};

}  // namespace gpstream

#endif
