#include "transaction.h"

#include <cstddef>

#include "../evidence/join.h"
#include "../learn/spread.h"
#include "../read/totals.h"

namespace gpstream {

Transaction::Transaction(State& state, Seen* seen, std::optional<double> most)
    : state_(state),
      M_(state.size()),
      counters_(state.counters),
      seen_(seen),
      most_(most),
      earlier_(0, state.columns()) {}

Transaction::~Transaction() {
  if (!kept_) undo();
}

Matrix Transaction::held() const {
  Matrix out(state_.open.size() + earlier_.rows(), state_.columns());
  out << state_.open.inputs(), earlier_;
  return out;
}

void Transaction::turn_away(Index row) {
  state_.counters.turned_away += 1.0;
  pass_over(row);
}

bool Transaction::can_make_room_for(Index row) const {
  return state_.counters.seen + static_cast<double>(row + 1) >=
         state_.counters.made_room + 5.0 * static_cast<double>(leaving());
}

void Transaction::saw(const ConstMatrixView& W, const Vector& r) {
  if (!seen_) return;
  seen_->A = W;
  seen_->r = r;
  saw_ = true;
}

void Transaction::begin() {
  saw_ = false;
  not_joined_.clear();
  left_.clear();
}

bool Transaction::join(const ConstMatrixView& z, Index row) {
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

void Transaction::remember() {
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

void Transaction::make_room(const Spare& spare) {
  Known less = without(spare.points, state_.basis, state_.settled, state_.open, state_.xi());
  if (!state_.likelihood->fixed()) count_as_noise(less.open);
  Bank bank = state_.bank;
  bank.settle(state_.fading());
  const Window none(0, state_.columns(), state_.size());
  for (Strand& one : bank.strands)
    one.settled = without(spare.points, state_.basis, one.settled, none, state_.xi()).settled;
  bank.resize(less.basis.size());
  GrowingVector used(entries_of(state_.used.view(), others(spare.points, state_.size())));
  Traces traces = state_.traces;
  for (auto j = spare.points.rbegin(); j != spare.points.rend(); ++j) traces.remove(*j, state_.counters.seen);
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

// What the points that leave take from the open rows is noise to those that stay, as what is left of rows
// that come later is: seen under the prior, e^f may be beyond all range, and rows count by sites that are
// made anew.
void Transaction::count_as_noise(Window& open) const {
  const Vector before = state_.open.residuals(), more = open.residuals() - before;
  Vector weights = open.responses().weights;
  if (weights.size() > 0) {
    weights.array() /= 1.0 + state_.signal_to_noise() * weights.array() * more.array();
    open.set_weights(weights);
  }
  open.set_features(Matrix(open.features()), before);
}

Spare Transaction::spared_now() const {
  const auto cost_of = [&](const std::vector<Index>& points) {
    Vector sum = divergences_now(state_, points);
    for (const State& one : state_.sisters) sum += divergences_now(one, points);
    return sum;
  };
  return spared(state_.used.view(), leaving(), static_cast<Index>(state_.counters.removed), cost_of);
}

Vector Transaction::divergences_now(const State& state, const std::vector<Index>& points) {
  PosteriorFactor factor = state.factor;
  const double xi = state.xi();
  const ConstMatrixView C = factor.read(state.settled, state.open, state.trend, xi);
  const PosteriorWeights weights(state.basis, C,
                                 centred_b(state.settled, state.open, state.trend, state.scale()), xi);
  return divergences(state.basis, C, weights.a, state.scale(), points);
}

void Transaction::append_to_factor(const Vector& fresh) {
  PosteriorFactor& factor = state_.factor;
  if (!factor.made()) return;
  if (factor.waiting() > 0) factor_ = factor;
  if (!factor.append(state_.open, state_.trend, fresh, state_.xi())) forget_factor();
}

void Transaction::forget_factor() {
  if (!factor_) factor_ = state_.factor;
  state_.factor.forget();
}

void Transaction::undo() {
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

}  // namespace gpstream
