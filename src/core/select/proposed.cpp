#include "proposed.h"

#include <memory>
#include <utility>

#include "../linear/require.h"

namespace gpstream {

namespace {

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

}  // namespace

SelectorPtr make_proposed(const SelectorSpec& spec) { return std::make_shared<Proposed>(spec); }

}  // namespace gpstream
