// StreamingGP: the model. A value: copying it gives an independent model. An update either happens completely or, when it
// throws, leaves the model as it was: joins only append and are undone by truncation, evidence is committed last.
#ifndef GPSTREAM_STREAMING_GP_H
#define GPSTREAM_STREAMING_GP_H

#include <algorithm>

#include "bound.h"
#include "history.h"
#include "join.h"
#include "kernels.h"
#include "rebase.h"
#include "selectors.h"

namespace gpstream {

struct Settings {
  KernelPtr kernel;
  SelectorPtr selector;
  double noise = 1.0;            // s2, a variance
  double mean = 0.0;             // constant prior mean of f
  Index lookback = 100;
};

struct Counters {
  double refused = 0.0;      // candidates that carried nothing the points lack
  double turned_away = 0.0;  // rows that should have joined after the limit was reached
};

class StreamingGP final : public Points {
 public:
  // A model that starts anew from rows that were seen before may keep the history.
  StreamingGP(Settings settings, Index D, History history = History())
      : settings_(std::move(settings)), offset_(settings_.mean), basis_(empty_basis(D)), window_(settings_.lookback, D, 0),
        history_(std::move(history)) {
    require(settings_.kernel->fits(D), "dimension", "the kernel does not fit the number of columns.");
    settings_.selector->start(*this);
  }

  // --- reading -------------------------------------------------------------------------------------------------------
  const Settings& settings() const { return settings_; }
  const Basis& basis() const { return basis_; }
  const Evidence& evidence() const { return evidence_; }
  const Window& window() const { return window_; }
  const Counters& counters() const { return counters_; }
  const History& history() const { return history_; }
  double offset() const { return offset_; }
  Index size() const { return basis_.size(); }
  Index columns() const { return basis_.Z.cols(); }
  const Kernel& kernel() const override { return *settings_.kernel; }
  ConstMatrixView points() const override { return basis_.Z.view(); }
  const Basis* factored() const override { return &basis_; }
  double bytes() const { return 24.0 * static_cast<double>(size()) * static_cast<double>(size() + window_.size() + columns()); }
  double v() const { return settings_.kernel->variance(); }
  double s2() const { return settings_.noise; }
  double xi() const { return v() / s2(); }
  double tau() const { return evidence_.carried + evidence_.tau.view().sum() + window_.residual(); }

  // C and the weights are derived: built when asked for.
  const PosteriorFactor& factor() const {
    if (!factor_) factor_.emplace(evidence_, xi());
    return *factor_;
  }
  const PosteriorWeights& weights() const {
    if (!weights_) weights_.emplace(basis_, factor(), centred_b(), xi());
    return *weights_;
  }

  // The outputs of a batch that fits the model, measured from the offset.
  Vector centred(const ConstMatrixView& X, const ConstVectorView& y) const;

  double objective() const {
    const double shift = settings_.mean - offset_, n = evidence_.n;
    const double yy = evidence_.yy - 2.0 * shift * evidence_.sum_y + n * shift * shift;
    return gpstream::objective(factor(), weights(), centred_b(), n, yy, tau(), v(), s2());
  }

  // --- changing ------------------------------------------------------------------------------------------------------
  // Select over all rows, then absorb them all under the grown Z. With `stop_when_full`, a batch that would be the first
  // to exceed the selector's limit is not absorbed, and the answer is false.
  bool update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check, bool stop_when_full = false,
              const Proposal& proposal = Proposal());

  // The two halves of an update: the points of the batch join; its rows are absorbed.
  void grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check, const Proposal& proposal = Proposal());
  void absorb(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check);

  // Other scalars, same evidence: exact at any time.
  void set_scale(double variance, double noise, double mean) {
    require(std::isfinite(noise) && noise > 0, "parameter", "`noise` must be positive and finite.");
    require(std::isfinite(mean), "parameter", "`mean` must be finite.");
    settings_.kernel = make_kernel(with_variance(settings_.kernel->spec(), variance));
    settings_.noise = noise;
    settings_.mean = mean;
    forget_posterior();
  }

  // Other points and/or another kernel.
  void rebase(KernelPtr kernel, const Matrix& Z);

  // --- saving --------------------------------------------------------------------------------------------------------
  struct Saved {
    Settings settings;
    double offset;
    Basis basis;
    Evidence evidence;
    Window window;
    Counters counters;
    History history;
    Matrix factor;
  };
  Saved saved() const {
    return {settings_, offset_, basis_, evidence_, window_, counters_, history_, lower(factor().view())};
  }
  explicit StreamingGP(Saved saved)
      : settings_(std::move(saved.settings)),
        offset_(saved.offset),
        basis_(std::move(saved.basis)),
        evidence_(std::move(saved.evidence)),
        window_(std::move(saved.window)),
        counters_(saved.counters),
        history_(std::move(saved.history)),
        factor_(PosteriorFactor(saved.factor)) {
    check_saved();
  }

 private:
  class Transaction;

  void select(const ConstMatrixView& X, const Vector& centred, Checkpoint check, const Proposal& proposal);
  void absorb_rows(const ConstMatrixView& X, const Vector& centred, Checkpoint check);

  // For selectors, which see the model as `Points`; within a transaction.
  bool join(const ConstMatrixView& z, Index row) override;
  void turn_away() override { counters_.turned_away += 1.0; }

  Vector centred_b() const { return evidence_.b.view() - (settings_.mean - offset_) * evidence_.h.view(); }
  void forget_posterior() {
    factor_.reset();
    weights_.reset();
  }
  void check_saved() const;

  Settings settings_;
  double offset_;  // the evidence measures y from here; the mean may move, the offset does not
  Basis basis_;
  Evidence evidence_;
  Window window_;
  Counters counters_;
  History history_;
  mutable std::optional<PosteriorFactor> factor_;
  mutable std::optional<PosteriorWeights> weights_;
  // for the transaction under way: the window's residuals before its first join, and a factor that a join had to give up
  std::optional<Vector> residuals_before_;
  std::optional<PosteriorFactor> factor_before_;
};

// Undoes the joins of an update that does not reach `commit`.
class StreamingGP::Transaction {
 public:
  explicit Transaction(StreamingGP& model) : model_(model), M_(model.size()), counters_(model.counters_) { forget(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() { committed_ = true; }
  ~Transaction() {
    if (!committed_ && model_.residuals_before_) {
      model_.basis_.truncate(M_);
      model_.evidence_.truncate(M_);
      model_.window_.truncate(M_, *model_.residuals_before_);
      if (model_.factor_before_) model_.factor_ = std::move(model_.factor_before_);
      if (model_.factor_) model_.factor_->truncate(M_);
    }
    if (!committed_) model_.counters_ = counters_;
    forget();
  }

 private:
  void forget() {
    model_.residuals_before_.reset();
    model_.factor_before_.reset();
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
  if (factor_) factor_->reserve(M);
  if (!residuals_before_) residuals_before_ = window_.residuals();
  if (factor_ && !factor_->append(joining->row, joining->corner, xi())) {
    factor_before_ = std::move(factor_);
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
  require(X.allFinite() && std::isfinite(out.squaredNorm()), "nonfinite", "the batch has values that are not finite, or too large.");
  return out;
}

inline void StreamingGP::select(const ConstMatrixView& X, const Vector& centred, Checkpoint check, const Proposal& proposal) {
  const Vector from_mean = centred.array() - (settings_.mean - offset_);
  settings_.selector->select(Batch{X, from_mean, v(), s2(), proposal}, *this, check);
}

inline bool StreamingGP::update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check, bool stop_when_full,
                                const Proposal& proposal) {
  const Vector outputs = centred(X, y);
  if (X.rows() == 0) return true;
  if (const std::optional<Matrix> Z = settings_.selector->relocate(Batch{X, outputs, v(), s2(), proposal}, *this)) {
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

inline void StreamingGP::grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check, const Proposal& proposal) {
  const Vector outputs = centred(X, y);
  if (const std::optional<Matrix> Z = settings_.selector->relocate(Batch{X, outputs, v(), s2(), proposal}, *this))
    return rebase(settings_.kernel, *Z);
  Transaction transaction(*this);
  select(X, outputs, check, proposal);
  weights_.reset();
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
  const bool refactor = !factor_ || B > absorb_block || (B > 1 && 16 * B > M);
  window_.reserve(M, newest);
  history_.reserve();
  Absorbed seen;
  if (B <= absorb_block) {  // one block: nothing can fail after the first write
    seen = gpstream::absorb(basis_, *settings_.kernel, X, centred, refactor ? newest : B, evidence_, check);
  } else {
    Evidence grown = evidence_;
    seen = gpstream::absorb(basis_, *settings_.kernel, X, centred, newest, grown, check);
    evidence_ = std::move(grown);
  }
  evidence_.count(centred);
  const double left = window_.push(X.bottomRows(newest), centred.tail(newest), seen.r.tail(newest), seen.newest.rightCols(newest));
  evidence_.tau.view()(M) += left + seen.r.head(B - newest).sum();
  history_.add(evidence_.n, static_cast<double>(M));
  if (refactor)
    factor_.reset();
  else
    factor_->absorb(seen.newest, xi());
  weights_.reset();
}

inline void StreamingGP::rebase(KernelPtr kernel, const Matrix& Z) {
  require(Z.cols() == columns() && kernel->fits(columns()), "dimension", "the new points or kernel do not fit the model.");
  require(Z.allFinite(), "nonfinite", "the new points have values that are not finite.");
  const std::vector<Index> kept = matching_rows(points(), Z), old = matching_rows(Z, points());
  const bool all_stay = std::all_of(kept.begin(), kept.end(), [](Index row) { return row >= 0; });
  if (all_stay && same_unit_kernel(settings_.kernel->spec(), kernel->spec())) {
    // the others join, and nothing else changes
    Transaction transaction(*this);
    for (Index i = 0; i < Z.rows(); ++i)
      if (old[static_cast<std::size_t>(i)] < 0) join(Z.middleRows(i, 1), -1);
    transaction.commit();
  } else {
    Rebased moved = gpstream::rebase(basis_, evidence_, window_, *settings_.kernel, *kernel, Z);
    basis_ = std::move(moved.basis);
    evidence_ = std::move(moved.evidence);
    window_ = std::move(moved.window);
    counters_.refused += moved.refused;
  }
  settings_.kernel = std::move(kernel);
  forget_posterior();
}

inline void StreamingGP::check_saved() const {
  const Index M = size(), D = columns();
  const auto whole = [](bool ok) { require(ok, "corrupt", "the saved state does not fit together."); };
  whole(D > 0 && settings_.kernel->fits(D) && settings_.noise > 0 && std::isfinite(settings_.noise));
  whole(std::isfinite(settings_.mean) && std::isfinite(offset_) && settings_.lookback == window_.limit());
  whole(basis_.Z.rows() == M && basis_.L.cols() == M && evidence_.P.rows() == M && evidence_.P.cols() == M);
  whole(evidence_.b.size() == M && evidence_.h.size() == M && evidence_.tau.size() == M + 1);
  whole(window_.features().rows() == M && factor_->view().rows() == M && factor_->view().cols() == M);
  whole(basis_.Z.view().allFinite() && basis_.L.view().allFinite() && evidence_.P.view().allFinite());
  whole(evidence_.b.view().allFinite() && evidence_.h.view().allFinite() && evidence_.tau.view().allFinite());
  whole(std::isfinite(evidence_.n) && evidence_.n >= 0 && std::isfinite(evidence_.yy) && std::isfinite(evidence_.sum_y));
  whole(window_.inputs().allFinite() && window_.outputs().allFinite() && window_.features().allFinite());
  whole(std::isfinite(counters_.refused) && std::isfinite(counters_.turned_away) && std::isfinite(history_.batches));
  whole(std::isfinite(tau()) && history_.stride >= 1 && history_.kept.size() <= History::limit);
  whole(factor_->view().allFinite() && (M == 0 || ((basis_.L.view().diagonal().array() > 0).all() && (factor_->view().diagonal().array() > 0).all())));
}

}  // namespace gpstream

#endif
