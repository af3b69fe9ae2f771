// Points given by the user: all of them join before the first row, none later.
#include <memory>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

namespace {

class Fixed final : public Selector {
 public:
  explicit Fixed(SelectorSpec spec) : Selector(std::move(spec)) {
    require(this->spec().points.rows() > 0 && this->spec().points.allFinite(), "parameter",
            "selector \"fixed\" needs `points`.");
  }

  void start(Points& points) const override {
    for (Index i = 0; i < spec().points.rows(); ++i) points.join(spec().points.middleRows(i, 1), -1);
  }
  Index select(const Batch& batch, Points&, Checkpoint) const override { return batch.X.rows(); }
};

}  // namespace

SelectorPtr make_fixed(const SelectorSpec& spec) { return std::make_shared<Fixed>(spec); }

}  // namespace gpstream
