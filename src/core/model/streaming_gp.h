// StreamingGP: the model, a state and what is derived from it when asked for. A value: copying it gives an
// independent model. An update either happens completely or, when it throws, leaves the model as it was.
#ifndef GPSTREAM_STREAMING_GP_H
#define GPSTREAM_STREAMING_GP_H

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "../evidence/absorb.h"
#include "../evidence/bank.h"
#include "../evidence/site.h"
#include "../kernels/kernel.h"
#include "../learn/learner.h"
#include "../likelihoods/likelihood.h"
#include "../likelihoods/responses.h"
#include "../linear/types.h"
#include "../read/posterior.h"
#include "../read/totals.h"
#include "../read/variance.h"
#include "history.h"
#include "state.h"

namespace gpstream {

class Transaction;

// Rows that are absorbed, whatever they say: where, what and when was observed, how many may be open
// afterwards, whether the sites of those before were made anew with them, whether the points have seen them.
struct Placed {
  const ConstMatrixView& X;
  const Vector& y;
  const Vector& times;
  Index hold;
  double most;  // the share of its variance that points may leave of a row that counts
  bool sites_anew, seen;
};

class StreamingGP {
 public:
  StreamingGP(const Settings& settings, Index D);
  explicit StreamingGP(State state) : state_(std::move(state)) {}

  // --- reading
  const State& state() const { return state_; }
  Index size() const { return state_.size(); }
  Index columns() const { return state_.columns(); }
  const Kernel& kernel() const { return *state_.kernel; }
  ConstMatrixView points() const { return state_.basis.Z.view(); }
  double v() const { return kernel().variance(); }
  double s2() const { return state_.noise; }
  double xi() const { return state_.xi(); }
  Totals totals() const { return gpstream::totals(state_.settled, state_.open, state_.trend); }
  double tau() const { return totals().tau; }
  double bytes() const;

  ConstMatrixView factor() const;
  const PosteriorWeights& weights() const;
  // Null where rounding forbids it.
  const VarianceFactor* variance_factor() const;
  double objective() const;

  // A model of one latent function alone, with sites as they are: this one, or one of its sisters.
  Index latents() const { return static_cast<Index>(state_.sisters.size()) + 1; }
  Index outputs() const { return state_.outputs(); }
  const StreamingGP& latent(Index k) const;

  // The outputs of a batch that fits the model, measured from the offset; and those after the first, from
  // theirs.
  Vector centred(const ConstMatrixView& X, const ConstVectorView& y) const;
  Told centred(const ConstVectorView& y, const Told& told) const;

  // --- changing
  // Select over all rows, then absorb them all under the grown Z. With `stop_when_full`, a batch that would
  // be the first to exceed the selector's limit is not absorbed, and the answer is false. No weights: all 1.
  // No numbers: those of the next rows of the stream.
  // `told`: what was observed beside y. `in_place`: what throws may leave further latent functions half done.
  bool update(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
              bool stop_when_full = false, const Vector& weights = Vector(), const Vector& numbers = Vector(),
              const Told& told = Told(), bool in_place = false);

  // The two halves of an update: the points of the batch join; its rows are absorbed.
  void grow(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check);  // y may lack some
  void absorb(const ConstMatrixView& X, const ConstVectorView& y, Checkpoint check,
              const Vector& weights = Vector(), const Told& told = Told());

  // The sites of all open rows are made anew, where they depend on the posterior; to within a smaller
  // tolerance than the stream's, where one is given.
  void refresh(Checkpoint check, double tolerance = std::numeric_limits<double>::infinity());

  // The same likelihood with other parameters; what has settled keeps what it said.
  void set_likelihood(LikelihoodPtr likelihood);

  // f(model of one of the further latent functions), which may change its scale.
  template <class Function>
  void each_sister(const Function& f) {
    for (State& one : state_.sisters) {
      StreamingGP sister(std::move(one));
      f(sister);
      one = std::move(sister).take();
    }
    forget_derived();
  }
  // f(model of an output, its number), for all of them.
  template <class Function>
  void each_output(const Function& f) {
    f(*this, Index(0));
    if (outputs() == 1) return;
    Index k = 0;
    each_sister([&](StreamingGP& one) { f(one, ++k); });
  }

  // Other scalars, same evidence: exact at any time.
  void set_scale(double variance, double noise, double mean);

  // Other prior variances of the trend's coefficients, over the amplitude: likewise.
  void set_trend(const Vector& ratio);

  // Other points and/or another kernel.
  void rebase(KernelPtr kernel, const Matrix& Z);

  // Every row seen so far counts `keep` times what it did.
  void forget(double keep);

  // Rows that were left out before they got here.
  void count_implausible(double rows);

  // How well the newest batch was foretold.
  template <class Probabilities>
  void note(const Scores& scores, const Probabilities& probabilities) {
    state_.history.note(scores, probabilities);
  }
  void note_alarms(double alarms) { state_.history.note_alarms(alarms); }
  void set_learning(const Learning& learning) { state_.learning = learning; }
  void set_history(History history) { state_.history = std::move(history); }
  void note_batch();
  Learner& learner() { return state_.learner; }
  // Half-lives are compared, and another may become the model's own.
  Bank& bank() { return state_.bank; }
  void settle_bank();
  void take_strand(std::size_t i);
  // Rows that came before those it was made from, and are not kept.
  void set_left(double rows);
  // So many rows came and went before those that were absorbed.
  void set_unlearned(double rows);

  // The state alone, when the model is given up.
  State take() && { return std::move(state_); }

 private:
  Index select(const ConstMatrixView& X, const Vector& centred, Checkpoint check, Transaction& transaction);
  void absorb_part(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                   const Vector& times, const Told& told, Checkpoint check, const Transaction& transaction);
  void count_as_noise(Index i, double left, Vector& weights, Told& told);
  void absorb_sites(const Placed& rows, const Sites& sites, const Matrix& told, Checkpoint check);
  void absorb_covered(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                      const Vector& times, const Told& told, Checkpoint check, const std::vector<Index>& odd);
  void absorb_rows(const ConstMatrixView& X, const Vector& centred, const Vector& weights,
                   const Vector& times, const Told& told, Checkpoint check, bool seen = false);
  // Of one latent function.
  double own_objective(double kappa) const;
  Sites agree(const ConstMatrixView& X, const Responses& batch, const Vector& times, const Vector& lie_apart,
              bool due, Checkpoint check) const;
  void note_used(const ConstMatrixView& X);
  void forget_derived();
  void forget_posterior();

  State state_;
  mutable std::optional<PosteriorWeights> weights_;
  mutable std::optional<std::optional<VarianceFactor>> variance_;
  mutable std::vector<StreamingGP> sisters_;
  Seen seen_;  // work space of updates by a row or a few
};

// Which of some rows would lie apart from the points there are; empty where none can.
Vector apart_of(const StreamingGP& model, const ConstMatrixView& X);

}  // namespace gpstream

#endif
