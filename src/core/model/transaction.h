// A transaction: the model as a selector sees it during one update. Points that join append to everything
// that has an entry for each point; unless the update is kept, they are truncated away again. Where a point
// leaves on the way, or rows are absorbed before the end, what there was before is kept aside instead.
#ifndef GPSTREAM_TRANSACTION_H
#define GPSTREAM_TRANSACTION_H

#include <vector>

#include "../evidence/absorb.h"
#include "../evidence/join.h"
#include "../evidence/remove.h"
#include "../learn/spread.h"
#include "../read/spare.h"
#include "state.h"

namespace gpstream {

class Transaction final : public Points {
 public:
  // `most`: the share of its variance that points may leave of a row that counts; that of the state, unless
  // it is one of several outputs.
  explicit Transaction(State& state, Seen* seen = nullptr, std::optional<double> most = {})
      : state_(state),
        M_(state.size()),
        counters_(state.counters),
        seen_(seen),
        most_(most),
        earlier_(0, state.columns()) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!kept_) undo();
  }

  void keep() { kept_ = true; }

  const Kernel& kernel() const override { return *state_.kernel; }
  ConstMatrixView points() const override { return state_.basis.Z.view(); }
  const Basis* factored() const override { return &state_.basis; }
  Matrix held() const override {
    Matrix out(state_.open.size() + earlier_.rows(), state_.columns());
    out << state_.open.inputs(), earlier_;
    return out;
  }
  Index lookback() const override { return state_.open.limit(); }
  bool absorbs() const override { return true; }
  void turn_away(Index row) override {
    state_.counters.turned_away += 1.0;
    pass_over(row);
  }
  void pass_over(Index row) override { not_joined_.push_back(row); }
  void count_as_noise(Index row, double left) override { left_.push_back({row, left}); }
  bool can_make_room() const override { return state_.size() > 1; }
  // Not so often that it would be most of the work: five rows a point that leaves.
  bool can_make_room_for(Index row) const override {
    return state_.counters.seen + static_cast<double>(row + 1) >=
           state_.counters.made_room + 5.0 * static_cast<double>(leaving());
  }
  void saw(const ConstMatrixView& W, const Vector& r) override {
    if (!seen_) return;
    seen_->A = W;
    seen_->r = r;
    saw_ = true;
  }

  // Before each part of the batch; earlier ones that have not been absorbed.
  void begin() {
    saw_ = false;
    not_joined_.clear();
    left_.clear();
  }
  void came_before(const ConstMatrixView& X) { earlier_ = X; }
  // All rows of the part were seen on the way, with the points that there are.
  bool saw() const { return saw_; }
  // Those of its rows that should have joined.
  const std::vector<Index>& not_joined() const { return not_joined_; }
  // Those of which so much is noise.
  const std::vector<std::pair<Index, double>>& left() const { return left_; }

  bool join(const ConstMatrixView& z, Index row) override {
    const std::optional<Joining> joining = prepare_join(state_.basis, state_.open, *state_.kernel, z);
    if (!joining) {
      state_.counters.refused += 1.0;
      return false;
    }
    const Index M = state_.size() + 1;
    state_.basis.reserve(M);
    state_.settled.reserve(M);
    state_.open.reserve(M, 0);
    state_.bank.reserve(M, 0);
    state_.used.reserve(M);
    state_.traces.reserve();
    if (!residuals_) residuals_ = state_.open.residuals();
    if (!apart_ && state_.open.count_apart() > 0) apart_ = state_.open.apart();
    append_to_factor(joining->fresh);
    state_.basis.append(z, joining->edge);
    state_.settled.append();
    state_.bank.append();
    state_.open.extend(joining->fresh);
    state_.used.push(state_.counters.seen + static_cast<double>(row + 1));
    state_.traces.joined.push_back(state_.counters.seen);
    if (state_.gather(most_ ? *most_ : state_.most_left())) forget_factor();
    for (State& one : state_.sisters) {
      Transaction there(one, nullptr, state_.outputs() > 1 ? std::optional(state_.most_left()) : most_);
      there.join(z, row);
      there.keep();
    }
    return true;
  }

  // From here on appending is not all that happens.
  void remember() {
    if (!before_)
      before_.emplace(Before{{state_.basis, state_.settled, state_.open},
                             state_.bank,
                             state_.used,
                             state_.factor,
                             state_.traces,
                             state_.learner.glance,
                             residuals_,
                             apart_,
                             factor_});
  }

  // Points leave, one in 200 and one at least.
  void make_room() { make_room(spared_now()); }
  void make_room(const Spare& spare) {
    Known less = without(spare.points, state_.basis, state_.settled, state_.open, state_.xi());
    Bank bank = state_.bank;
    bank.settle(state_.fading());
    const Window none(0, state_.columns(), state_.size());
    for (Strand& one : bank.strands)
      one.settled = without(spare.points, state_.basis, one.settled, none, state_.xi()).settled;
    bank.resize(less.basis.size());
    GrowingVector used(entries_of(state_.used.view(), others(spare.points, state_.size())));
    Traces traces = state_.traces;
    for (auto j = spare.points.rbegin(); j != spare.points.rend(); ++j)
      traces.remove(*j, state_.counters.seen);
    // nothing fails any more, and nothing is copied
    if (!before_)
      before_.emplace(Before{{std::move(state_.basis), std::move(state_.settled), std::move(state_.open)},
                             std::move(state_.bank),
                             std::move(state_.used),
                             std::move(state_.factor),
                             std::move(state_.traces),
                             std::move(state_.learner.glance),
                             std::move(residuals_),
                             std::move(apart_),
                             std::move(factor_)});
    state_.basis = std::move(less.basis);
    state_.settled = std::move(less.settled);
    state_.open = std::move(less.open);
    state_.bank = std::move(bank);
    state_.used = std::move(used);
    state_.factor.forget();
    state_.traces = std::move(traces);
    state_.learner.glance.resize(0);
    state_.counters.removed += static_cast<double>(spare.points.size());
    state_.counters.divergence += spare.divergence;
    state_.counters.made_room = state_.counters.seen + 1.0;
    for (State& one : state_.sisters) {
      Transaction there(one);
      there.make_room({spare.points, 0.0});
      there.keep();
    }
  }

 private:
  Index leaving() const { return std::max<Index>(state_.size() / 200, 1); }
  Spare spared_now() const {
    const auto cost_of = [&](const std::vector<Index>& points) {
      Vector sum = divergences_now(state_, points);
      for (const State& one : state_.sisters) sum += divergences_now(one, points);
      return sum;
    };
    return spared(state_.used.view(), leaving(), static_cast<Index>(state_.counters.removed), cost_of);
  }
  // By a copy of the factor, as reading changes it; it is gone before the next large matrices are made.
  static Vector divergences_now(const State& state, const std::vector<Index>& points) {
    PosteriorFactor factor = state.factor;
    const double xi = state.xi();
    const ConstMatrixView C = factor.read(state.settled, state.open, state.trend, xi);
    const PosteriorWeights weights(state.basis, C,
                                   centred_b(state.settled, state.open, state.trend, state.scale()), xi);
    return divergences(state.basis, C, weights.a, state.scale(), points);
  }

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
  void append_to_factor(const Vector& fresh) {
    PosteriorFactor& factor = state_.factor;
    if (!factor.made()) return;
    if (factor.waiting() > 0) factor_ = factor;
    if (!factor.append(state_.open, state_.trend, fresh, state_.xi())) forget_factor();
  }
  void forget_factor() {
    if (!factor_) factor_ = state_.factor;
    state_.factor.forget();
  }

  void undo() {
    state_.counters = counters_;
    if (before_) {
      state_.basis = std::move(before_->known.basis);
      state_.settled = std::move(before_->known.settled);
      state_.open = std::move(before_->known.open);
      state_.bank = std::move(before_->bank);
      state_.used = std::move(before_->used);
      state_.factor = std::move(before_->factor);
      state_.traces = std::move(before_->traces);
      state_.learner.glance = std::move(before_->glance);
      residuals_ = std::move(before_->residuals);
      apart_ = std::move(before_->apart);
      factor_ = std::move(before_->as_it_was);
    }
    if (!residuals_) return;
    state_.basis.truncate(M_);
    state_.settled.truncate(M_);
    state_.bank.truncate(M_);
    state_.used.resize(M_);
    state_.open.truncate(M_, *residuals_);
    if (apart_) state_.open.set_apart(*apart_);
    state_.traces.joined.resize(static_cast<std::size_t>(M_));
    if (factor_) state_.factor = std::move(*factor_);
    const Index all = state_.trend.active() + M_;
    if (state_.factor.made() && state_.factor.C().rows() > all) state_.factor.truncate(all);
  }

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
