// A transaction: the model as a selector sees it during one update. Points that join append to everything
// that has an entry for each point; unless the update is kept, they are truncated away again.
#ifndef GPSTREAM_TRANSACTION_H
#define GPSTREAM_TRANSACTION_H

#include "../evidence/join.h"
#include "state.h"

namespace gpstream {

class Transaction final : public Points {
 public:
  explicit Transaction(State& state) : state_(state), M_(state.size()), counters_(state.counters) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!kept_) undo();
  }

  void keep() { kept_ = true; }

  const Kernel& kernel() const override { return *state_.kernel; }
  ConstMatrixView points() const override { return state_.basis.Z.view(); }
  const Basis* factored() const override { return &state_.basis; }
  void turn_away() override { state_.counters.turned_away += 1.0; }

  bool join(const ConstMatrixView& z, Index) override {
    const std::optional<Joining> joining = prepare_join(state_.basis, state_.open, *state_.kernel, z);
    if (!joining) {
      state_.counters.refused += 1.0;
      return false;
    }
    const Index M = state_.size() + 1;
    state_.basis.reserve(M);
    state_.settled.reserve(M);
    state_.open.reserve(M, 0);
    state_.traces.reserve();
    if (!residuals_) residuals_ = state_.open.residuals();
    append_to_factor(joining->fresh);
    state_.basis.append(z, joining->edge);
    state_.settled.append();
    state_.open.extend(joining->fresh);
    state_.traces.joined.push_back(state_.counters.seen);
    return true;
  }

 private:
  // Appending is undone by truncation; anything else needs what was there before.
  void append_to_factor(const Vector& fresh) {
    PosteriorFactor& factor = state_.factor;
    if (!factor.made()) return;
    if (factor.waiting() > 0) factor_ = factor;
    if (factor.append(state_.open, state_.trend, fresh, state_.xi())) return;
    if (!factor_) factor_ = factor;
    factor.forget();
  }

  void undo() {
    state_.counters = counters_;
    if (!residuals_) return;
    state_.basis.truncate(M_);
    state_.settled.truncate(M_);
    state_.open.truncate(M_, *residuals_);
    state_.traces.joined.resize(static_cast<std::size_t>(M_));
    if (factor_) state_.factor = std::move(*factor_);
    const Index all = state_.trend.active() + M_;
    if (state_.factor.made() && state_.factor.C().rows() > all) state_.factor.truncate(all);
  }

  State& state_;
  Index M_;
  Counters counters_;
  std::optional<Vector> residuals_;        // of the open rows, before the first join
  std::optional<PosteriorFactor> factor_;  // before a join changed it otherwise than by appending
  bool kept_ = false;
};

}  // namespace gpstream

#endif
