// A transaction: the model as a selector sees it during one update. Points that join append to everything
// that has an entry for each point; unless the update is kept, they are truncated away again. Where a point
// leaves on the way, or rows are absorbed before the end, what there was before is kept aside instead.
#ifndef GPSTREAM_TRANSACTION_H
#define GPSTREAM_TRANSACTION_H

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../evidence/absorb.h"
#include "../evidence/bank.h"
#include "../evidence/remove.h"
#include "../kernels/kernel.h"
#include "../linear/growing.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "../read/posterior.h"
#include "../read/spare.h"
#include "../select/selector.h"
#include "state.h"
#include "traces.h"

namespace gpstream {

class Transaction final : public Points {
 public:
  // `most`: the share of its variance that points may leave of a row that counts; that of the state, unless
  // it is one of several outputs.
  explicit Transaction(State& state, Seen* seen = nullptr, std::optional<double> most = {});
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void keep() { kept_ = true; }

  const Kernel& kernel() const override { return *state_.kernel; }
  ConstMatrixView points() const override { return state_.basis.Z.view(); }
  const Basis* factored() const override { return &state_.basis; }
  Matrix held() const override;
  Index lookback() const override { return state_.open.limit(); }
  bool absorbs() const override { return true; }
  void turn_away(Index row) override;
  void pass_over(Index row) override { not_joined_.push_back(row); }
  void count_as_noise(Index row, double left) override { left_.push_back({row, left}); }
  bool can_make_room() const override { return state_.size() > 1; }
  // Not so often that it would be most of the work: five rows a point that leaves.
  bool can_make_room_for(Index row) const override;
  void saw(const ConstMatrixView& W, const Vector& r) override;

  // Before each part of the batch; earlier ones that have not been absorbed.
  void begin();
  void came_before(const ConstMatrixView& X) { earlier_ = X; }
  // All rows of the part were seen on the way, with the points that there are.
  bool saw() const { return saw_; }
  // Those of its rows that should have joined.
  const std::vector<Index>& not_joined() const { return not_joined_; }
  // Those of which so much is noise.
  const std::vector<std::pair<Index, double>>& left() const { return left_; }

  bool join(const ConstMatrixView& z, Index row) override;

  // From here on appending is not all that happens.
  void remember();

  // Points leave, one in 200 and one at least.
  void make_room() { make_room(spared_now()); }
  void make_room(const Spare& spare);

 private:
  Index leaving() const { return std::max<Index>(state_.size() / 200, 1); }
  Spare spared_now() const;
  void count_as_noise(Window& open) const;
  // By a copy of the factor, as reading changes it; it is gone before the next large matrices are made.
  static Vector divergences_now(const State& state, const std::vector<Index>& points);

  struct Before {
    Known known;
    Bank bank;
    GrowingVector used;
    PosteriorFactor factor;
    Traces traces;
    Vector glance;
    // and what it takes to undo the joins before
    std::optional<Vector> residuals, apart;
    std::optional<PosteriorFactor> as_it_was;
  };

  // Appending is undone by truncation; anything else needs what was there before.
  void append_to_factor(const Vector& fresh);
  void forget_factor();

  void undo();

  State& state_;
  Index M_;
  Counters counters_;
  Seen* seen_;
  std::optional<double> most_;
  bool saw_ = false;
  std::vector<Index> not_joined_;
  Matrix earlier_;
  std::vector<std::pair<Index, double>> left_;
  std::optional<Vector> residuals_;        // of the open rows, before the first join
  std::optional<Vector> apart_;            // which of them lay apart, where any did
  std::optional<PosteriorFactor> factor_;  // before a join changed it otherwise than by appending
  std::optional<Before> before_;
  bool kept_ = false;
};

}  // namespace gpstream

#endif
