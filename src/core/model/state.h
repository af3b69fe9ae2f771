// State: everything a model knows, as a plain value: copied, compared and saved as it is.
#ifndef GPSTREAM_STATE_H
#define GPSTREAM_STATE_H

#include <vector>

#include "../evidence/bank.h"
#include "../evidence/evidence.h"
#include "../evidence/fading.h"
#include "../evidence/trend.h"
#include "../evidence/window.h"
#include "../kernels/kernel.h"
#include "../learn/learner.h"
#include "../likelihoods/likelihood.h"
#include "../likelihoods/likelihoods.h"
#include "../linear/growing.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "../read/posterior.h"
#include "../read/scale.h"
#include "../select/selector.h"
#include "history.h"
#include "traces.h"

namespace gpstream {

// What a model is made of.
struct Settings {
  KernelPtr kernel;  // its amplitude is that of the model
  SelectorPtr selector;
  double noise = 1.0;  // dispersion of the likelihood
  double mean = 0.0;   // constant prior mean of f
  Index lookback = 100;
  LikelihoodPtr likelihood = make_likelihood("gaussian");
  Trend trend = Trend();
  Fading fading = Fading();
  std::vector<double> half_lives = {};   // others that compete with it
  std::vector<LatentScale> others = {};  // of further latent functions, where there are any
  Index every = 0;          // rows after which sites are made anew; 0: as many as the look-back has
  double tolerance = 1e-5;  // by how much of themselves they may then still change
};

struct Counters {
  double seen = 0.0;         // rows
  double refused = 0.0;      // candidates that carried nothing the points lack
  double turned_away = 0.0;  // rows that should have joined after the limit was reached
  double set_aside = 0.0;    // rows that no point is near and that count for less than half, or not at all
  double removed = 0.0;      // points that left for others
  double divergence = 0.0;   // by how much the posterior changed thereby, in nats, added up
  double made_room = 0.0;    // the number of the row they left for last
  double forgotten = 0.0;    // how often all rows so far were made to count less
  double implausible = 0.0;  // rows that were not learned, being implausible
  double moves = 0.0;  // points put in, or points or kernel changed, otherwise than by the selector's rule
  double unlearned = 0.0;  // rows that were taken out again

  double held() const { return seen - unlearned; }
};

// What the model remembers of its own learning. (learn/learn.h)
struct Learning {
  bool known = true;    // false for a state of an older format, whose keeper has it
  bool warm = false;    // every row is kept until the kernel has been learned
  double fitted = 0.0;  // rows when the kernel was last learned or tried
  double wait = 0.0;    // rows until it is tried again
  double scaled = 0.0;  // rows when the scale was last learned
  double until = 0.0;   // so many rows may have come before a batch needs more than to be absorbed
};

struct State {
  KernelPtr kernel;
  SelectorPtr selector;
  LikelihoodPtr likelihood;
  double noise, mean;
  double offset;  // the evidence measures y from here; the mean may move, the offset does not
  Trend trend;
  Basis basis;
  GrowingVector used;  // of each point, the number of the row that needed it last
  Evidence settled;
  Window open;
  Bank bank;
  Counters counters;
  Traces traces;
  History history;
  bool shard = false;  // a part of another model: it learns nothing but the rows
  Learning learning;
  Learner learner;
  mutable PosteriorFactor factor;  // brought up to date when it is read
  Index every;
  double tolerance;
  double fresh = 0.0;  // rows since sites were last made anew
  // Further latent functions of the same rows, each a state of its own about the same points: an amplitude, a
  // mean, evidence and sites. What changes rows or points here changes them there.
  std::vector<State> sisters;

  State(const Settings& settings, Index D);

  // How many outputs are observed? Each has a function and a noise of its own.
  Index outputs() const { return likelihood->fixed() ? likelihood->latents() : 1; }
  // f(state of an output), for all of them.
  template <class Function>
  void each_output(const Function& f) const {
    f(*this);
    if (outputs() > 1)
      for (const State& one : sisters) f(one);
  }
  // The output of which least is noise: whatever the points leave shows there first.
  const State& sharpest() const;

  // The share of its variance that points may leave of a row that counts.
  double most_left() const;

  // There are other points: open rows that lay apart and that these explain count from now on. Did any?
  bool gather() { return gather(most_left()); }
  bool gather(double most);

  // These of the rows that left were set aside, when the look-back held so many and so many had come.
  void note_set_aside(const std::vector<Index>& rows, Index held, double seen);

  // After how many rows are sites made anew? While all rows stay open, with every tenth.
  double refresh_every() const;

  // How many rows stay open when some settle? Where sites depend on the posterior, two look-backs of them:
  // what a row says is known later than which points it needs.
  Index stay_open() const;

  // Of the open rows and `more` behind them, those whose sites stay as they are while the others are made
  // anew: where rows settle, all that neither do nor came since the last time. They have been looked at with
  // rows after them, and will be once more before they settle. None, where points are few and looking at all
  // rows costs little more.
  Span resting(Index more) const;

  Index size() const { return basis.size(); }
  Index columns() const { return basis.Z.cols(); }
  Scale scale() const { return {kernel->variance(), noise, known_trend(trend, mean - offset)}; }
  double xi() const { return kernel->variance() / noise; }
  // In the unit of f, which that of the dispersion need not be.
  double noise_variance() const { return likelihood->noise_variance(noise); }
  double signal_to_noise() const { return kernel->variance() / noise_variance(); }
  const Fading& fading() const { return open.fading(); }
  // Does the model forget, or may it come to?
  bool fades() const { return fading().fades() || !bank.empty(); }
  // When the next rows come: the number of each in the stream, or what its column says.
  Vector times(const ConstMatrixView& X) const;
};

}  // namespace gpstream

#endif
