// How a model changes: points join, rows are absorbed, evidence moves. Whatever throws on the way leaves the
// model as it was.
#ifndef GPSTREAM_UPDATE_H
#define GPSTREAM_UPDATE_H

#include <algorithm>

#include "../evidence/join.h"
#include "streaming_gp.h"

namespace gpstream {

// Undoes the joins of an update that does not reach `commit`.
class StreamingGP::Transaction {
 public:
  explicit Transaction(StreamingGP& model) : model_(model), M_(model.size()), counters_(model.counters_) {
    forget();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() { committed_ = true; }
  ~Transaction() {
    if (!committed_ && model_.residuals_before_) {
      model_.basis_.truncate(M_);
      model_.evidence_.truncate(M_);
      model_.window_.truncate(M_, *model_.residuals_before_);
      if (model_.factor_before_) {
        model_.factor_ = std::move(model_.factor_before_);
        model_.pending_ = std::move(model_.pending_before_);
      }
      if (model_.factor_) model_.factor_->truncate(M_);
    }
    if (!committed_) model_.counters_ = counters_;
    forget();
  }

 private:
  void forget() {
    model_.residuals_before_.reset();
    model_.factor_before_.reset();
    model_.pending_before_ = GrowingMatrix();
  }

  StreamingGP& model_;
  Index M_;
  Counters counters_;
  bool committed_ = false;
};

inline bool StreamingGP::join(const ConstMatrixView& z, Index) {
  const std::optional<Joining> joining = prepare_join(basis_, window_, *settings_.kernel, z);
  if (!joining) {
    counters_.refused += 1.0;
    return false;
  }
  const Index M = size() + 1;
  basis_.reserve(M);
  evidence_.reserve(M);
  window_.reserve(M, 0);
  if (!residuals_before_) residuals_before_ = window_.residuals();
  if (factor_ && pending_.cols() > 0) {
    pending_before_ = pending_;
    factor_before_ = factor_;
    factor();
  }
  if (factor_) factor_->reserve(M);
  if (factor_ && !factor_->append(joining->row, joining->corner, xi())) {
    if (!factor_before_) factor_before_ = std::move(factor_);
    factor_.reset();
  }
  basis_.append(z, joining->edge);
  evidence_.append(joining->row, joining->corner, joining->b, joining->h);
  window_.extend(joining->fresh);
  return true;
}

inline Vector StreamingGP::centred(const ConstMatrixView& X, const ConstVectorView& y) const {
  require(X.cols() == columns() && y.size() == X.rows(), "dimension", "the batch does not fit the model.");
  Vector out = y.array() - offset_;
  require(X.allFinite() && std::isfinite(out.squaredNorm()), "nonfinite",
          "the batch has values that are not finite, or too large.");
  return out;
}

inline void StreamingGP::select(const ConstMatrixView& X, const Vector& centred, Checkpoint check,
                                const Proposal& proposal) {
  const Vector from_mean = centred.array() - (settings_.mean - offset_);
  settings_.selector->select(Batch{X, from_mean, v(), s2(), proposal}, *this, check);
}

inline bool StreamingGP::update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                                bool stop_when_full, const Proposal& proposal) {
  const Vector outputs = centred(X, y);
  if (X.rows() == 0) return true;
  if (const std::optional<Matrix> Z =
          settings_.selector->relocate(Batch{X, outputs, v(), s2(), proposal}, *this)) {
    StreamingGP moved(*this);
    moved.rebase(settings_.kernel, *Z);
    moved.absorb_rows(X, outputs, check);
    *this = std::move(moved);
    return true;
  }
  Transaction transaction(*this);
  const bool was_full = counters_.turned_away > 0;
  select(X, outputs, check, proposal);
  if (stop_when_full && !was_full && counters_.turned_away > 0) return false;
  absorb_rows(X, outputs, check);
  transaction.commit();
  return true;
}

inline void StreamingGP::grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
                              const Proposal& proposal) {
  const Vector outputs = centred(X, y);
  if (const std::optional<Matrix> Z =
          settings_.selector->relocate(Batch{X, outputs, v(), s2(), proposal}, *this))
    return rebase(settings_.kernel, *Z);
  Transaction transaction(*this);
  select(X, outputs, check, proposal);
  forget_derived();
  transaction.commit();
}

inline void StreamingGP::absorb(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check) {
  const Vector outputs = centred(X, y);
  if (X.rows() > 0) absorb_rows(X, outputs, check);
}

// Fails before the first write to the evidence, or not at all.
inline void StreamingGP::absorb_rows(const ConstMatrixView& X, const Vector& centred, Checkpoint check) {
  const Index B = X.rows(), M = size(), newest = std::min(B, window_.limit());
  // one factorisation costs about as much as rotating M / 16 rows into C
  const Index waiting = pending_.cols() + B;
  const bool refactor = !factor_ || B > absorb_block || (waiting > 1 && 16 * waiting > M);
  window_.reserve(M, newest);
  if (!refactor) pending_.reserve(M, waiting);
  history_.reserve();
  Absorbed& seen = seen_;
  if (B <= absorb_block) {  // one block: nothing can fail after the first write
    gpstream::absorb(basis_, *settings_.kernel, X, centred, refactor ? newest : B, evidence_, check, seen);
  } else {
    Evidence grown = evidence_;
    gpstream::absorb(basis_, *settings_.kernel, X, centred, newest, grown, check, seen);
    evidence_ = std::move(grown);
  }
  evidence_.count(centred);
  const double left = window_.push(X.bottomRows(newest), centred.tail(newest), seen.r.tail(newest),
                                   seen.newest.rightCols(newest));
  evidence_.tau.view()(M) += left + seen.r.head(B - newest).sum();
  history_.add(evidence_.n, static_cast<double>(M));
  if (refactor) {
    forget_factor();
  } else {
    pending_.resize(M, waiting);
    pending_.view().rightCols(B) = seen.newest;
  }
  if (B > few_columns) seen_ = Absorbed();
  forget_derived();
}

inline void StreamingGP::rebase(KernelPtr kernel, const Matrix& Z) {
  require(Z.cols() == columns() && kernel->fits(columns()), "dimension",
          "the new points or kernel do not fit the model.");
  require(Z.allFinite(), "nonfinite", "the new points have values that are not finite.");
  const std::vector<Index> kept = matching_rows(points(), Z), old = matching_rows(Z, points());
  const bool all_stay = std::all_of(kept.begin(), kept.end(), [](Index row) { return row >= 0; });
  if (all_stay && same_unit_kernel(settings_.kernel->spec(), kernel->spec())) {
    // the others join, and nothing else changes
    Transaction transaction(*this);
    for (Index i = 0; i < Z.rows(); ++i)
      if (old[static_cast<std::size_t>(i)] < 0 && join(Z.middleRows(i, 1), -1)) counters_.moves += 1.0;
    transaction.commit();
  } else {
    Rebased moved = gpstream::rebase(basis_, evidence_, window_, *settings_.kernel, *kernel, Z);
    basis_ = std::move(moved.basis);
    evidence_ = std::move(moved.evidence);
    window_ = std::move(moved.window);
    counters_.refused += moved.refused;
    counters_.moves += 1.0;
  }
  settings_.kernel = std::move(kernel);
  forget_posterior();
}

}  // namespace gpstream

#endif
