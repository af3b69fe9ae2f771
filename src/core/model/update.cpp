// How a model changes: points join, rows are absorbed, evidence moves. Whatever throws on the way leaves the
// model as it was.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "../evidence/absorb.h"
#include "../evidence/apart.h"
#include "../evidence/bank.h"
#include "../evidence/evidence.h"
#include "../evidence/fading.h"
#include "../evidence/forget.h"
#include "../evidence/project.h"
#include "../evidence/site.h"
#include "../evidence/trend.h"
#include "../evidence/window.h"
#include "../kernels/diagonal.h"
#include "../kernels/kernel.h"
#include "../kernels/kernels.h"
#include "../learn/spread.h"
#include "../likelihoods/responses.h"
#include "../linear/growing.h"
#include "../linear/linalg.h"
#include "../linear/machine.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "../select/selector.h"
#include "refresh.h"
#include "state.h"
#include "streaming_gp.h"
#include "transaction.h"

namespace gpstream {

StreamingGP::StreamingGP(const Settings& settings, Index D) : state_(settings, D) {
  Transaction transaction(state_);
  state_.selector->start(transaction);
  transaction.keep();
}

Vector StreamingGP::centred(const ConstMatrixView& X, const ConstVectorView& y) const {
  require(X.cols() == columns() && y.size() == X.rows(), "dimension", "the batch does not fit the model.");
  Vector out = y.array() - state_.offset;
  const bool some = outputs() > 1;  // what was not observed is NaN
  const double square = some ? out.array().isNaN().select(0.0, out).squaredNorm() : out.squaredNorm();
  require(X.allFinite() && std::isfinite(square), "nonfinite",
          "the batch has values that are not finite, or too large.");
  require(state_.trend.size() == 1 || std::isfinite(state_.trend.at(X).squaredNorm()), "input",
          "the batch has inputs that are too large for the trend.");
  return out;
}

Told StreamingGP::centred(const ConstVectorView& y, const Told& told) const {
  if (outputs() == 1) return told;
  Told out = told;
  require(out.others.rows() == y.size() && out.others.cols() == outputs() - 1, "dimension",
          "the batch has another number of outputs than the model.");
  for (Index k = 1; k < outputs(); ++k)
    out.others.col(k - 1).array() -= state_.sisters[static_cast<std::size_t>(k - 1)].offset;
  require(std::isfinite(out.others.array().isNaN().select(0.0, out.others).squaredNorm()), "nonfinite",
          "the batch has values that are not finite, or too large.");
  for (Index i = 0; i < y.size(); ++i)
    require(!std::isnan(y(i)) || !out.others.row(i).array().isNaN().all(), "nonfinite",
            "the batch has rows in which nothing was observed.");
  return out;
}

Index StreamingGP::select(const ConstMatrixView& X, const Vector& centred, Checkpoint check,
                          Transaction& transaction) {
  transaction.begin();
  // what other likelihoods observe is no value of f: points are chosen without it
  const Vector from_mean =
      state_.likelihood->fixed() ? Vector(centred.array() - (state_.mean - state_.offset)) : Vector();
  const State& sharpest = state_.sharpest();
  return state_.selector->select(Batch{X, from_mean, sharpest.kernel->variance(), sharpest.noise_variance()},
                                 transaction, check);
}

// In parts: all rows, unless points have to leave for one, or it joins and rows may be set aside. Then the
// rows before it are absorbed first, as if they had come alone, so that which leave does not depend on the
// cut.
bool StreamingGP::update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                         bool stop_when_full, const Vector& weights, const Vector& numbers,
                         const Told& beside, bool in_place) {
  if (latents() > 1 && !in_place) {  // whatever throws leaves all functions as they were
    StreamingGP next{State(state_)};
    if (!next.update(X, y, check, stop_when_full, weights, numbers, beside, true)) return false;
    *this = std::move(next);
    return true;
  }
  const Vector outputs = centred(X, y);
  const Told told = centred(y, beside);
  const Index B = X.rows();
  const bool by_number = numbers.size() > 0 && state_.fading().column == Fading::by_rows;
  const Vector times = by_number ? numbers : state_.times(X);
  require(weights.size() == 0 || (weights.size() == B && weights.allFinite() && weights.minCoeff() > 0),
          "input", "weights must be positive and finite, one a row.");
  if (B == 0) return true;
  Transaction transaction(state_, &seen_);
  state_.history.reserve();
  if (const std::optional<Matrix> Z =
          state_.selector->relocate(Batch{X, outputs, v(), state_.noise_variance()}, transaction)) {
    StreamingGP moved(*this);
    moved.rebase(state_.kernel, *Z);
    moved.absorb_rows(X, outputs, weights, times, told, check);
    moved.note_batch();
    transaction.keep();
    *this = std::move(moved);
    return true;
  }
  const bool was_full = state_.counters.turned_away > 0;
  for (Index from = 0; from < B;) {
    const bool in_parts =
        state_.selector->lets_go(size()) || state_.selector->leaves_noise() || !state_.bank.empty();
    const Index most = state_.likelihood->fixed() ? B : refresh_block;
    const Index rest = std::min(B - from, in_parts ? absorb_block : most);
    const Index count = select(X.middleRows(from, rest), outputs.segment(from, rest), check, transaction);
    if (stop_when_full && !was_full && state_.counters.turned_away > 0) return false;
    if (from + count < B) transaction.remember();
    const Vector some = weights.size() > 0 ? Vector(weights.segment(from, count)) : Vector();
    if (count > 0)
      absorb_part(X.middleRows(from, count), outputs.segment(from, count), some, times.segment(from, count),
                  told.part(from, count), check, transaction);
    if (count < rest && state_.selector->full(size())) transaction.make_room();
    from += count;
  }
  note_batch();
  transaction.keep();
  return true;
}

// Rows of which the points leave much: taken for part of the function, that would ruin what is known.
// [derivation 16] Where the selector has it be noise, or where points leave for others, only too slowly for
// these rows, what is left is noise to the points: its variance v r adds to that of the row. Otherwise no
// point will ever be near, and rows of which more is left than the noise are set aside; where rows wait for
// support, when they leave the look-back, like others that lie apart: until then they may be the support of
// others.
void StreamingGP::absorb_part(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                              const Vector& times, const Told& told, Checkpoint check,
                              const Transaction& transaction) {
  const std::vector<Index>& odd = transaction.not_joined();
  const bool lets_go = state_.selector->lets_go(size());
  const bool waiting = state_.selector->support() > 1 && !lets_go;
  if (transaction.left().empty() && (odd.empty() || waiting)) {
    absorb_rows(X, centred, weights, times, told, check, transaction.saw());
  } else {
    if (!transaction.saw()) see(state_.basis, kernel(), X, check, seen_);
    Vector less = weights.size() > 0 ? weights : Vector::Ones(X.rows());
    Told own = told;
    if (outputs() > 1) own.weights_of_others = less.replicate(1, outputs() - 1);
    for (const auto& one : transaction.left()) count_as_noise(one.first, one.second, less, own);
    if (lets_go)
      for (const Index i : odd) count_as_noise(i, seen_.r(i), less, own);
    if (lets_go || waiting)
      absorb_rows(X, centred, less, times, own, check, true);
    else
      absorb_covered(X, centred, less, times, own, check, odd);
  }
  if (lets_go) note_used(X);
}

// A row in seen_.
void StreamingGP::count_as_noise(Index i, double left, Vector& weights, Told& told) {
  double share = 1.0 / (1.0 + state_.signal_to_noise() * weights(i) * left);
  weights(i) *= share;
  for (Index k = 1; k < outputs(); ++k) {
    double& weight = told.weights_of_others(i, k - 1);
    const State& output = state_.sisters[static_cast<std::size_t>(k - 1)];
    const double own = 1.0 / (1.0 + output.signal_to_noise() * weight * left);
    weight *= own;
    share = std::min(share, own);
  }
  seen_.r(i) = 0.0;
  if (share < 0.5) state_.counters.set_aside += 1.0;
}

// The rows are in seen_.
void StreamingGP::absorb_covered(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                                 const Vector& times, const Told& told, Checkpoint check,
                                 const std::vector<Index>& odd) {
  const double to_noise = state_.sharpest().signal_to_noise();
  std::vector<Index> stay;
  for (Index i = 0, next = 0; i < X.rows(); ++i) {
    const bool asked = next < static_cast<Index>(odd.size()) && odd[static_cast<std::size_t>(next)] == i;
    if (asked) ++next;
    if (!(asked && to_noise * seen_.r(i) > 1.0)) stay.push_back(i);
  }
  for (std::size_t i = 0; i < stay.size(); ++i) seen_.A.col(static_cast<Index>(i)) = seen_.A.col(stay[i]);
  seen_.A.conservativeResize(seen_.A.rows(), static_cast<Index>(stay.size()));
  seen_.r = entries_of(seen_.r, stay);
  const double aside = static_cast<double>(X.rows()) - static_cast<double>(stay.size());
  if (!stay.empty())
    absorb_rows(rows_of(X, stay), entries_of(centred, stay), entries_of(weights, stay),
                entries_of(times, stay),
                {told.more.size() > 0 ? entries_of(told.more, stay) : Vector(),
                 told.offset.size() > 0 ? entries_of(told.offset, stay) : Vector(),
                 told.others.size() > 0 ? rows_of(told.others, stay) : Matrix(),
                 told.weights_of_others.size() > 0 ? rows_of(told.weights_of_others, stay) : Matrix()},
                check, true);
  state_.counters.seen += aside;
  state_.counters.set_aside += aside;
}

// A point is needed by the rows that are more like it than like any other point, and by those that are much
// like it. The rows are those absorbed last.
void StreamingGP::note_used(const ConstMatrixView& X) {
  const double before = state_.counters.seen - static_cast<double>(X.rows());
  const Diagonal own(kernel(), X), points(kernel(), this->points());
  Matrix K = kernel().value(this->points(), X);
  for (Index j = 0; j < X.rows(); ++j) {
    const double row = before + static_cast<double>(j + 1);
    Index nearest = 0;
    double highest = -1.0;
    for (Index i = 0; i < size(); ++i) {
      const double alike = std::abs(K(i, j)) / std::sqrt(points(i) * own(j));
      if (alike > highest) highest = alike, nearest = i;
      if (alike > 0.5) state_.used.view()(i) = row;
    }
    if (size() > 0) state_.used.view()(nearest) = row;
  }
}

void StreamingGP::grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check) {
  const Vector outputs = centred(X, y);
  Transaction transaction(state_);
  if (const std::optional<Matrix> Z =
          state_.selector->relocate(Batch{X, outputs, v(), state_.noise_variance()}, transaction)) {
    rebase(state_.kernel, *Z);
  } else {
    for (Index from = 0; from < X.rows();) {
      const Index rest = X.rows() - from;
      transaction.came_before(X.topRows(from));
      from += select(X.bottomRows(rest), outputs.tail(rest), check, transaction);
      if (from < X.rows() && state_.selector->full(size())) transaction.make_room();
    }
    forget_derived();
  }
  transaction.keep();
}

void StreamingGP::absorb(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                         const Vector& weights, const Told& told) {
  const Vector outputs = centred(X, y);
  if (X.rows() == 0) return;
  state_.history.reserve();
  absorb_rows(X, outputs, weights, state_.times(X), centred(y, told), check);
  note_batch();
}

// Fails before the first write, or not at all. `seen`: the rows are in seen_ as the points see them.
void StreamingGP::absorb_rows(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                              const Vector& times, const Told& told, Checkpoint check, bool seen) {
  const Index B = X.rows();
  require(weights.size() == 0 || (weights.size() == B && weights.allFinite() && weights.minCoeff() > 0),
          "input", "weights must be positive and finite, one a row.");
  const Responses batch{centred, weights, told.more, told.offset, told.others, told.weights_of_others};
  const Index K = latents();
  // where sites depend on the posterior, rows stay until those of all are made anew
  const bool fixed = state_.likelihood->fixed(),
             due = fixed || state_.fresh + static_cast<double>(B) >= state_.refresh_every();
  Sites sites;
  std::optional<Sites> before;
  if (fixed) {
    sites = state_.likelihood->sites(batch, Latent(), s2());
  } else {
    if (!seen || B > absorb_block) see(state_.basis, kernel(), X, check, seen_);
    const Vector lie_apart = apart(kernel(), X, seen_.r, state_.most_left());
    const Sites all = agree(X, batch, times, lie_apart, due, check);
    const Index n = all.rows() / K;
    sites = part_of_sites(all, K, n - B, B);
    seen = true;
    if (due) {
      before.emplace(state_.open.own_sites());
      set_open_sites(part_of_sites(all, K, 0, n - B), state_);
    }
  }
  const Matrix table = fixed ? Matrix(0, 0) : batch.table();
  const Placed rows{
      X, centred, times, due ? state_.stay_open() : unlimited, state_.most_left(), due && !fixed, seen};
  try {
    absorb_sites(rows, sites.topRows(B), table, check);
  } catch (...) {
    if (before) state_.open.set_sites(*before);
    throw;
  }
  state_.fresh = due ? 0.0 : state_.fresh + static_cast<double>(B);
  for (Index k = 1; k < K; ++k) {
    StreamingGP sister(std::move(state_.sisters[static_cast<std::size_t>(k - 1)]));
    sister.seen_ = seen_;
    Placed own = rows;
    if (!fixed) own.most = sister.state_.most_left();
    const Vector observed = fixed ? Vector(told.others.col(k - 1)) : centred;
    sister.absorb_sites({X, observed, times, own.hold, own.most, own.sites_anew, seen},
                        sites.middleRows(k * B, B), Matrix(0, 0), check);
    state_.sisters[static_cast<std::size_t>(k - 1)] = std::move(sister).take();
  }
  if (B > few_columns) seen_ = Seen();
}

// Rows with the sites of one function.
void StreamingGP::absorb_sites(const Placed& rows, const Sites& sites, const Matrix& told, Checkpoint check) {
  const Index B = rows.X.rows(), held = state_.open.size();
  const bool anew = !state_.factor.made() || B > absorb_block || state_.factor.too_many(B) ||
                    state_.fading().fades() || rows.sites_anew;  // what is there changes with every row
  if (state_.bank.waiting() > absorb_block) state_.bank.settle(state_.fading());
  if (!anew) state_.factor.reserve(B);
  const Matrix front = anew ? Matrix() : state_.trend.features(rows.X);
  if (state_.selector->support() > 1) state_.traces.expect_lost(held + B);
  const std::vector<Index> aside = gpstream::absorb(
      state_.basis, *state_.kernel, Rows{rows.X, rows.y, sites, rows.times, state_.trend, told, rows.hold},
      rows.most, check, state_.open, state_.settled, state_.bank, seen_, rows.seen);
  state_.note_set_aside(aside, held, state_.counters.seen);
  if (anew) {
    state_.factor.forget();
  } else if (seen_.apart.size() > 0) {
    const auto counts = 1.0 - seen_.apart.array();
    state_.factor.wait(front, seen_.A, (counts * sites.col(site::om).array()).matrix());
  } else {
    state_.factor.wait(front, seen_.A, sites.col(site::om));
  }
  state_.counters.seen += static_cast<double>(B);
  forget_derived();
}

void StreamingGP::set_scale(double variance, double noise, double mean) {
  require(std::isfinite(noise) && noise > 0, "parameter", "`noise` must be positive and finite.");
  require(std::isfinite(mean), "parameter", "`mean` must be finite.");
  state_.kernel = make_kernel(with_variance(kernel().spec(), variance));
  state_.noise = noise;
  state_.mean = mean;
  forget_posterior();
}

void StreamingGP::set_trend(const Vector& ratio) {
  Trend trend = state_.trend;
  trend.ratio = ratio;
  require(trend.fits(columns()), "parameter",
          "the trend needs one finite ratio, not negative, for each of its functions.");
  state_.trend = std::move(trend);
  forget_posterior();
}

void StreamingGP::forget(double keep) {
  require(keep > 0 && keep <= 1, "parameter", "`keep` must be positive and at most 1.");
  if (keep == 1) return;
  state_.bank.settle(state_.fading());
  gpstream::forget(keep, state_.settled, state_.open);
  for (Strand& one : state_.bank.strands) gpstream::forget(keep, one.settled);
  state_.counters.forgotten += 1.0;
  state_.traces.lose(0.0, state_.counters.seen);  // what a settled row added is not there whole
  each_sister([&](StreamingGP& one) { one.forget(keep); });
  forget_posterior();
}

void StreamingGP::rebase(KernelPtr kernel, const Matrix& Z) {
  require(Z.cols() == columns() && kernel->fits(columns()), "dimension",
          "the new points or kernel do not fit the model.");
  require(Z.allFinite(), "nonfinite", "the new points have values that are not finite.");
  std::vector<State> sisters;
  for (const State& one : state_.sisters) {
    StreamingGP moved{State(one)};
    moved.rebase(make_kernel(with_variance(kernel->spec(), one.kernel->variance())), Z);
    sisters.push_back(std::move(moved).take());
  }
  const std::vector<Index> kept = matching_rows(points(), Z), old = matching_rows(Z, points());
  const bool all_stay = std::all_of(kept.begin(), kept.end(), [](Index row) { return row >= 0; });
  if (all_stay && same_unit_kernel(this->kernel().spec(), kernel->spec())) {
    // the others join, and nothing else changes
    Transaction transaction(state_);
    for (Index i = 0; i < Z.rows(); ++i)
      if (old[static_cast<std::size_t>(i)] < 0 && transaction.join(Z.middleRows(i, 1), -1))
        state_.counters.moves += 1.0;
    transaction.keep();
  } else {
    // the settled evidence is projected, the open rows are seen anew
    Projection onto = projection(state_.basis, this->kernel(), *kernel, Z);
    Evidence settled = project(state_.settled, onto, state_.basis, *kernel);
    Bank bank = state_.bank;
    bank.settle(state_.fading());
    for (Strand& one : bank.strands) one.settled = project(one.settled, onto, state_.basis, *kernel);
    bank.resize(onto.basis.size());
    Window open = state_.open;
    Seen seen;
    see(
        onto.basis, *kernel, open.inputs(), [] {}, seen);
    open.set_features(seen.A, seen.r);
    state_.counters.refused += static_cast<double>(Z.rows() - onto.basis.size());
    state_.counters.moves += 1.0;
    state_.used = GrowingVector(Vector::Constant(onto.basis.size(), state_.counters.seen));
    state_.basis = std::move(onto.basis);
    state_.settled = std::move(settled);
    state_.open = std::move(open);
    state_.bank = std::move(bank);
    state_.traces.lose_all(state_.counters.seen, size());
    state_.learner.glance.resize(0);
  }
  state_.kernel = std::move(kernel);
  state_.sisters = std::move(sisters);
  state_.gather();
  if (outputs() > 1)
    for (State& one : state_.sisters) one.open.set_apart(state_.open.apart());
  forget_posterior();
}

}  // namespace gpstream
