// State: everything a model knows, as a plain value: copied, compared and saved as it is.
#ifndef GPSTREAM_STATE_H
#define GPSTREAM_STATE_H

#include "../evidence/absorb.h"
#include "../kernels/kernels.h"
#include "../learn/learner.h"
#include "../likelihoods/likelihoods.h"
#include "../read/posterior.h"
#include "../select/selectors.h"
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

  State(const Settings& settings, Index D)
      : kernel(settings.kernel),
        selector(settings.selector),
        likelihood(settings.likelihood),
        noise(settings.noise),
        mean(settings.mean),
        offset(settings.mean),
        trend(settings.trend),
        basis(empty_basis(D)),
        settled(0, settings.trend.size()),
        open(settings.lookback, D, 0, !settings.likelihood->fixed()),
        bank(Bank::of(settings.half_lives, 0, settings.trend.size())),
        every(settings.every),
        tolerance(settings.tolerance) {
    if (!likelihood->location()) offset = 0.0;
    require(likelihood->fixed() || bank.empty(), "parameter",
            "half-lives can be compared for Gaussian noise only; give one.");
    require(kernel->fits(D), "dimension", "the kernel does not fit the number of columns.");
    const Index support = selector->support();
    require(support == 1 || support <= settings.lookback, "parameter",
            "`support` (" + std::to_string(support) + ") cannot be more than the rows of the look-back.");
    require(trend.fits(D), "parameter",
            "the trend needs columns that there are, with finite centres and positive scales, and one ratio, "
            "not negative, for each of them and the constant.");
    require(settings.fading.half_life > 0 && settings.fading.column < D, "parameter",
            "a half-life must be positive, in rows or in units of a column that there is.");
    open.set_fading(settings.fading);
    require(static_cast<Index>(settings.others.size()) + 1 == likelihood->latents(), "parameter",
            "each latent function needs a variance and a mean.");
    Settings own = settings;
    own.likelihood = make_likelihood("gaussian");  // its sites are made by this one
    own.others.clear();
    for (const LatentScale& one : settings.others) {
      own.kernel = make_kernel(with_variance(kernel->spec(), one.variance));
      own.mean = one.mean;
      sisters.emplace_back(own, D).offset = 0.0;
    }
  }

  // The share of its variance that points may leave of a row that counts.
  double most_left() const { return selector->settles_with(kernel->variance(), noise); }

  // There are other points: open rows that lay apart and that these explain count from now on. Did any?
  bool gather() {
    if (open.count_apart() == 0) return false;
    const Index before = open.count_apart();
    Vector still = apart(*kernel, open.inputs(), open.residuals(), most_left());
    still = still.size() > 0 ? Vector(still.cwiseProduct(open.apart())) : Vector::Zero(open.size());
    open.set_apart(still);
    return open.count_apart() < before;
  }

  // These of the rows that left were set aside, when the look-back held so many and so many had come.
  void note_set_aside(const std::vector<Index>& rows, Index held, double seen) {
    for (const Index i : rows) {
      const double at = seen + static_cast<double>(i + 1 + open.limit() - held);
      traces.lose(at - 1.0, at);
    }
    counters.set_aside += static_cast<double>(rows.size());
  }

  // After how many rows are sites made anew? While all rows stay open, with every tenth.
  double refresh_every() const {
    if (every > 0) return static_cast<double>(every);
    if (open.limit() == unlimited) return std::max(1.0, std::floor(0.1 * static_cast<double>(open.size())));
    return std::max(1.0, static_cast<double>(open.limit()));
  }

  Index size() const { return basis.size(); }
  Index columns() const { return basis.Z.cols(); }
  Scale scale() const { return {kernel->variance(), noise, known_trend(trend, mean - offset)}; }
  double xi() const { return kernel->variance() / noise; }
  const Fading& fading() const { return open.fading(); }
  // Does the model forget, or may it come to?
  bool fades() const { return fading().fades() || !bank.empty(); }
  // When the next rows come: the number of each in the stream, or what its column says.
  Vector times(const ConstMatrixView& X) const {
    if (fading().column != Fading::by_rows) return X.col(fading().column);
    return Vector::LinSpaced(X.rows(), counters.seen + 1.0, counters.seen + static_cast<double>(X.rows()));
  }
};

}  // namespace gpstream

#endif
