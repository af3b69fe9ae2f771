// StreamingGP: the model. A value: copying it gives an independent model. An update either happens completely
// or, when it throws, leaves the model as it was: joins only append and are undone by truncation, evidence is
// committed last.
#ifndef GPSTREAM_STREAMING_GP_H
#define GPSTREAM_STREAMING_GP_H

#include "../read/objective.h"
#include "history.h"
#include "../kernels/kernels.h"
#include "../evidence/rebase.h"
#include "../select/selectors.h"
#include "../read/variance.h"

namespace gpstream {

struct Settings {
  KernelPtr kernel;
  SelectorPtr selector;
  double noise = 1.0;  // s2, a variance
  double mean = 0.0;   // constant prior mean of f
  Index lookback = 100;
};

struct Counters {
  double refused = 0.0;      // candidates that carried nothing the points lack
  double turned_away = 0.0;  // rows that should have joined after the limit was reached
  double moves = 0.0;  // points put in, or points or kernel changed, otherwise than by the selector's rule
};

class StreamingGP final : public Points {
 public:
  // A model that starts anew from rows that were seen before may keep the history.
  StreamingGP(Settings settings, Index D, History history = History())
      : settings_(std::move(settings)),
        offset_(settings_.mean),
        basis_(empty_basis(D)),
        window_(settings_.lookback, D, 0),
        history_(std::move(history)) {
    require(settings_.kernel->fits(D), "dimension", "the kernel does not fit the number of columns.");
    settings_.selector->start(*this);
  }

  // --- reading
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
  double bytes() const {
    return 24.0 * static_cast<double>(size()) * static_cast<double>(size() + window_.size() + columns());
  }
  double v() const { return settings_.kernel->variance(); }
  double s2() const { return settings_.noise; }
  double xi() const { return v() / s2(); }
  double tau() const { return evidence_.carried.tau + evidence_.tau.view().sum() + window_.residual(); }

  // C and the weights are derived: built when asked for. Rows that came since C was last asked for are
  // rotated into it then.
  const PosteriorFactor& factor() const {
    if (!factor_) factor_.emplace(evidence_, xi());
    if (pending_.cols() > 0) {
      factor_->absorb(pending_.view(), xi());
      pending_.resize(pending_.rows(), 0);
    }
    return *factor_;
  }
  const PosteriorWeights& weights() const {
    if (!weights_) weights_.emplace(basis_, factor(), centred_b(), xi());
    return *weights_;
  }

  // Null where rounding forbids it.
  const VarianceFactor* variance_factor() const {
    if (!variance_) variance_.emplace(gpstream::variance_factor(basis_, factor()));
    return *variance_ ? &**variance_ : nullptr;
  }

  // The outputs of a batch that fits the model, measured from the offset.
  Vector centred(const ConstMatrixView& X, const ConstVectorView& y) const;

  double objective() const {
    const double shift = settings_.mean - offset_, n = evidence_.n;
    const double yy = evidence_.yy - 2.0 * shift * evidence_.sum_y + n * shift * shift;
    return gpstream::objective(factor(), weights(), centred_b(), n, yy, tau(), v(), s2());
  }

  // --- changing
  // Select over all rows, then absorb them all under the grown Z. With `stop_when_full`, a batch that would
  // be the first to exceed the selector's limit is not absorbed, and the answer is false.
  bool update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
              bool stop_when_full = false, const Proposal& proposal = Proposal());

  // The two halves of an update: the points of the batch join; its rows are absorbed.
  void grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
            const Proposal& proposal = Proposal());
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

  // How well the newest batch was foretold.
  template <class Probabilities>
  void note(const Scores& scores, const Probabilities& probabilities) {
    history_.note(scores, probabilities);
  }

  // --- saving
  // Everything on which later results depend to the last bit: C where there is one, and the rows not yet in
  // it. Saving changes nothing.
  struct Saved {
    Settings settings;
    double offset;
    Basis basis;
    Evidence evidence;
    Window window;
    Counters counters;
    History history;
    std::optional<Matrix> factor;
    Matrix pending;
  };
  Saved saved() const {
    const std::optional<Matrix> C = factor_ ? std::optional<Matrix>(lower(factor_->view())) : std::nullopt;
    const Index waiting = pending_.cols();
    return {settings_, offset_, basis_,
            evidence_, window_, counters_,
            history_,  C,       waiting > 0 ? Matrix(pending_.view()) : Matrix(size(), 0)};
  }
  explicit StreamingGP(Saved saved)
      : settings_(std::move(saved.settings)),
        offset_(saved.offset),
        basis_(std::move(saved.basis)),
        evidence_(std::move(saved.evidence)),
        window_(std::move(saved.window)),
        counters_(saved.counters),
        history_(std::move(saved.history)),
        pending_(saved.pending) {
    if (saved.factor) factor_.emplace(*saved.factor);
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
    forget_factor();
    forget_derived();
  }
  void forget_derived() {
    weights_.reset();
    variance_.reset();
  }
  void forget_factor() {
    factor_.reset();
    pending_.resize(pending_.rows(), 0);
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
  mutable GrowingMatrix pending_;  // features of the rows that are in the evidence and not yet in `factor_`
  mutable std::optional<PosteriorWeights> weights_;
  mutable std::optional<std::optional<VarianceFactor>> variance_;
  Absorbed seen_;  // work space of updates by a row or a few
  // for the transaction under way: the window's residuals before its first join, and the factor and the rows
  // not yet in it when a join had to change them otherwise than by appending
  std::optional<Vector> residuals_before_;
  std::optional<PosteriorFactor> factor_before_;
  GrowingMatrix pending_before_;
};

inline void StreamingGP::check_saved() const {
  const Index M = size(), D = columns();
  const auto whole = [](bool ok) { require(ok, "corrupt", "the saved state does not fit together."); };
  whole(D > 0 && settings_.kernel->fits(D) && settings_.noise > 0 && std::isfinite(settings_.noise));
  whole(std::isfinite(settings_.mean) && std::isfinite(offset_) && settings_.lookback == window_.limit());
  whole(basis_.Z.rows() == M && basis_.L.cols() == M && evidence_.P.rows() == M && evidence_.P.cols() == M);
  whole(evidence_.b.size() == M && evidence_.h.size() == M && evidence_.tau.size() == M + 1);
  whole(window_.features().rows() == M && pending_.rows() == M &&
        (pending_.cols() == 0 || (factor_ && pending_.view().allFinite())));
  whole(basis_.Z.view().allFinite() && basis_.L.view().allFinite() && evidence_.P.view().allFinite());
  whole(evidence_.b.view().allFinite() && evidence_.h.view().allFinite() && evidence_.tau.view().allFinite());
  whole(std::isfinite(evidence_.n) && evidence_.n >= 0 && std::isfinite(evidence_.yy) &&
        std::isfinite(evidence_.sum_y));
  whole(window_.inputs().allFinite() && window_.outputs().allFinite() && window_.features().allFinite());
  whole(std::isfinite(counters_.refused) && std::isfinite(counters_.turned_away) &&
        std::isfinite(counters_.moves));
  whole(evidence_.carried.lost >= 0 && evidence_.carried.norm >= 0 && evidence_.carried.foreign >= 0);
  whole(std::isfinite(evidence_.carried.lost) && std::isfinite(evidence_.carried.norm) &&
        std::isfinite(evidence_.carried.foreign));
  whole(std::isfinite(tau()) && history_.sound());
  whole(M == 0 || (basis_.L.view().diagonal().array() > 0).all());
  if (!factor_) return;
  whole(factor_->view().rows() == M && factor_->view().cols() == M && factor_->view().allFinite());
  whole(M == 0 || (factor_->view().diagonal().array() > 0).all());
}

}  // namespace gpstream

#endif
