// How a model changes: points join, rows are absorbed, evidence moves. Whatever throws on the way leaves the
// model as it was.
#ifndef GPSTREAM_UPDATE_H
#define GPSTREAM_UPDATE_H

#include <algorithm>

#include "../evidence/project.h"
#include "streaming_gp.h"
#include "transaction.h"

namespace gpstream {

inline StreamingGP::StreamingGP(const Settings& settings, Index D) : state_(settings, D) {
  Transaction transaction(state_);
  state_.selector->start(transaction);
  transaction.keep();
}

inline Vector StreamingGP::centred(const ConstMatrixView& X, const ConstVectorView& y) const {
  require(X.cols() == columns() && y.size() == X.rows(), "dimension", "the batch does not fit the model.");
  Vector out = y.array() - state_.offset;
  require(X.allFinite() && std::isfinite(out.squaredNorm()), "nonfinite",
          "the batch has values that are not finite, or too large.");
  require(state_.trend.size() == 1 || std::isfinite(state_.trend.at(X).squaredNorm()), "input",
          "the batch has inputs that are too large for the trend.");
  return out;
}

inline void StreamingGP::select(const ConstMatrixView& X, const Vector& centred, Checkpoint check,
                                Transaction& transaction) {
  const Vector from_mean = centred.array() - (state_.mean - state_.offset);
  state_.selector->select(Batch{X, from_mean, v(), s2()}, transaction, check);
}

inline bool StreamingGP::update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                                bool stop_when_full, const Vector& weights) {
  const Vector outputs = centred(X, y);
  if (X.rows() == 0) return true;
  Transaction transaction(state_);
  if (const std::optional<Matrix> Z = state_.selector->relocate(Batch{X, outputs, v(), s2()}, transaction)) {
    StreamingGP moved(*this);
    moved.rebase(state_.kernel, *Z);
    moved.absorb_rows(X, outputs, weights, check);
    transaction.keep();
    *this = std::move(moved);
    return true;
  }
  const bool was_full = state_.counters.turned_away > 0;
  select(X, outputs, check, transaction);
  if (stop_when_full && !was_full && state_.counters.turned_away > 0) return false;
  absorb_rows(X, outputs, for_the_points(X, weights, check), check);
  transaction.keep();
  return true;
}

// The weights of rows, as long as rows can still become points. Then what the points leave of a row is noise
// to them: taken for part of the function it would ruin what they know. Its variance v r adds to that of the
// row.  [derivation 15]
inline Vector StreamingGP::for_the_points(const ConstMatrixView& X, const Vector& weights, Checkpoint check) {
  if (!full()) return weights;
  Seen seen;
  see(state_.basis, kernel(), X, check, seen);
  Vector out = weights.size() > 0 ? weights : Vector::Ones(X.rows());
  const Vector less = (1.0 + xi() * (out.array() * seen.r.array())).matrix().cwiseInverse();
  state_.counters.set_aside += static_cast<double>((less.array() < 0.5).count());
  return out.cwiseProduct(less);
}

inline void StreamingGP::grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check) {
  const Vector outputs = centred(X, y);
  Transaction transaction(state_);
  if (const std::optional<Matrix> Z = state_.selector->relocate(Batch{X, outputs, v(), s2()}, transaction)) {
    rebase(state_.kernel, *Z);
  } else {
    select(X, outputs, check, transaction);
    forget_derived();
  }
  transaction.keep();
}

inline void StreamingGP::absorb(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                                const Vector& weights) {
  const Vector outputs = centred(X, y);
  if (X.rows() > 0) absorb_rows(X, outputs, weights, check);
}

// Fails before the first write, or not at all.
inline void StreamingGP::absorb_rows(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                                     Checkpoint check) {
  const Index B = X.rows();
  require(weights.size() == 0 || (weights.size() == B && weights.allFinite() && weights.minCoeff() > 0),
          "input", "weights must be positive and finite, one a row.");
  const Sites sites = state_.likelihood->sites(centred, weights.size() > 0 ? weights : Vector::Ones(B));
  const bool anew = !state_.factor.made() || B > absorb_block || state_.factor.too_many(B);
  if (!anew) state_.factor.reserve(B);
  const Matrix front = anew ? Matrix() : state_.trend.features(X);
  state_.history.reserve();
  gpstream::absorb(state_.basis, *state_.kernel, Rows{X, centred, sites, state_.trend, full()}, check,
                   state_.open, state_.settled, seen_);
  if (anew) {
    state_.factor.forget();
  } else {
    state_.factor.wait(front, seen_.A, sites.col(site::om));
  }
  if (B > few_columns) seen_ = Seen();
  state_.counters.seen += static_cast<double>(B);
  state_.history.add(state_.counters.held(), static_cast<double>(size()));
  forget_derived();
}

inline void StreamingGP::set_scale(double variance, double noise, double mean) {
  require(std::isfinite(noise) && noise > 0, "parameter", "`noise` must be positive and finite.");
  require(std::isfinite(mean), "parameter", "`mean` must be finite.");
  state_.kernel = make_kernel(with_variance(kernel().spec(), variance));
  state_.noise = noise;
  state_.mean = mean;
  forget_posterior();
}

inline void StreamingGP::set_trend(const Vector& ratio) {
  Trend trend = state_.trend;
  trend.ratio = ratio;
  require(trend.fits(columns()), "parameter",
          "the trend needs one finite ratio, not negative, for each of its functions.");
  state_.trend = std::move(trend);
  forget_posterior();
}

inline void StreamingGP::rebase(KernelPtr kernel, const Matrix& Z) {
  require(Z.cols() == columns() && kernel->fits(columns()), "dimension",
          "the new points or kernel do not fit the model.");
  require(Z.allFinite(), "nonfinite", "the new points have values that are not finite.");
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
    Window open = state_.open;
    Seen seen;
    see(
        onto.basis, *kernel, open.inputs(), [] {}, seen);
    open.set_features(seen.A, seen.r);
    state_.counters.refused += static_cast<double>(Z.rows() - onto.basis.size());
    state_.counters.moves += 1.0;
    state_.basis = std::move(onto.basis);
    state_.settled = std::move(settled);
    state_.open = std::move(open);
    state_.traces.lose_all(state_.counters.seen, size());
  }
  state_.kernel = std::move(kernel);
  forget_posterior();
}

}  // namespace gpstream

#endif
