#include "streaming_gp.h"

#include <cmath>

#include "../read/in_front.h"
#include "../read/objective.h"
#include "half_lives.h"
#include "merge.h"
#include "message.h"
#include "outputs.h"
#include "shard.h"

namespace gpstream {

StreamingGP output_of(const StreamingGP& model, Index k) {
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

namespace {

void settle_all(State& state) {
  const Window rows = state.open;
  Window none(0, state.columns(), state.size(), rows.tells());
  none.set_fading(rows.fading());
  state.open = none;
  put_behind(rows, state.most_left(), state);
  state.factor.forget();
}

}  // namespace

StreamingGP message_of(const StreamingGP& model) {
  State out = model.state();
  settle_all(out);
  for (State& one : out.sisters) settle_all(one);
  out.learner = Learner();
  out.learning = shard_of(model).state().learning;
  out.history = History();
  out.traces.lose(0.0, out.counters.seen);  // rows that settled alone cannot be found again
  out.shard = true;
  StreamingGP message(std::move(out));
  message.note_batch();
  return message;
}

Vector rows_at_points(const State& state) {
  const Index M = state.size();
  Matrix A = symmetric(total_P(state.settled, state.open)).topLeftCorner(M, M);
  solve_lower_transposed(state.basis.L.view(), MatrixView(A));
  A = A.transpose().eval();
  solve_lower_transposed(state.basis.L.view(), MatrixView(A));
  return A.diagonal().cwiseMax(0.0);  // squares: less is rounding, where no row came near
}

double StreamingGP::bytes() const {
  return 24.0 * static_cast<double>(size()) * static_cast<double>(size() + state_.open.size() + columns());
}

ConstMatrixView StreamingGP::factor() const {
  return state_.factor.read(state_.settled, state_.open, state_.trend, xi());
}

const PosteriorWeights& StreamingGP::weights() const {
  if (!weights_)
    weights_.emplace(state_.basis, factor(),
                     centred_b(state_.settled, state_.open, state_.trend, state_.scale()), xi());
  return *weights_;
}

const VarianceFactor* StreamingGP::variance_factor() const {
  if (!variance_) variance_.emplace(gpstream::variance_factor(state_.basis, factor()));
  return *variance_ ? &**variance_ : nullptr;
}

double StreamingGP::objective() const {
  const double kappa = state_.likelihood->kappa();
  // outputs have a noise each; of several functions of one, what rows have once is with the first
  const double others = state_.likelihood->fixed() ? kappa : 0.0;
  double out = own_objective(kappa);
  for (Index k = 1; k < latents(); ++k) out += latent(k).own_objective(others);
  return out;
}

const StreamingGP& StreamingGP::latent(Index k) const {
  if (k == 0) return *this;
  if (sisters_.empty())
    for (const State& one : state_.sisters) sisters_.emplace_back(one);
  return sisters_[static_cast<std::size_t>(k - 1)];
}

void StreamingGP::set_likelihood(LikelihoodPtr likelihood) {
  require(likelihood->name() == state_.likelihood->name(), "parameter", "a model keeps its likelihood.");
  state_.likelihood = std::move(likelihood);
}

void StreamingGP::count_implausible(double rows) {
  require(std::isfinite(rows) && rows >= 0, "input", "a number of rows must not be negative.");
  state_.counters.implausible += rows;
}

void StreamingGP::note_batch() { state_.history.add(state_.counters.held(), static_cast<double>(size())); }

void StreamingGP::settle_bank() {
  state_.bank.settle(state_.fading());
  for (State& one : state_.sisters) one.bank.settle(one.fading());
}

void StreamingGP::take_strand(std::size_t i) {
  gpstream::take_strand(state_, i);
  for (State& one : state_.sisters) gpstream::take_strand(one, i);
  forget_derived();
}

void StreamingGP::set_left(double rows) {
  if (rows == 0) return;
  state_.counters.seen += rows;
  state_.traces.lose(0.0, state_.counters.seen);
}

void StreamingGP::set_unlearned(double rows) {
  state_.counters.seen += rows;
  state_.counters.unlearned += rows;
}

double StreamingGP::own_objective(double kappa) const {
  const Totals sums = totals();
  const Scale scale = state_.scale();
  const Vector b = in_front(state_.trend, sums.centred_s(scale), sums.centred(scale));
  return gpstream::objective(factor(), b, weights().a, sums, scale, kappa);
}

void StreamingGP::forget_derived() {
  weights_.reset();
  variance_.reset();
  sisters_.clear();
}

void StreamingGP::forget_posterior() {
  state_.factor.forget();
  forget_derived();
}

Vector apart_of(const StreamingGP& model, const ConstMatrixView& X) {
  const double most = model.state().most_left();
  if (!(most < std::numeric_limits<double>::infinity())) return Vector();
  Matrix A;
  const Vector r = model.state().basis.features(model.kernel(), X, A);
  return apart(model.kernel(), X, r, most);
}

}  // namespace gpstream
