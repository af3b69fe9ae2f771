#include "learn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../model/shard.h"
#include "by_sites.h"
#include "change.h"
#include "contest.h"
#include "follow.h"
#include "foretell.h"
#include "glance.h"
#include "half_life.h"
#include "relearn.h"
#include "warmup.h"

namespace gpstream {

double scale_due(const State& state) {
  const Learning& learning = state.learning;
  const double wait = state.fades() && learning.wait > 0 ? learning.wait : learning.scaled;
  return learning.scaled + std::min(learning.scaled, wait);
}

namespace {

// When the block of rows that are scored together is over.
double block_end(const State& state) {
  const double block = static_cast<double>(score_block(state));
  return block * (std::floor(state.counters.seen / block) + 1.0);
}

Index rows_to_block_end(const State& state) {
  return static_cast<Index>(block_end(state) - state.counters.seen);
}

// How many rows can come before the sites of all open rows are made anew with them. While all rows stay open,
// any number.
Index rows_to_refresh(const State& state) {
  if (state.likelihood->fixed() || state.open.limit() == unlimited) return unlimited;
  return static_cast<Index>(std::max(1.0, state.refresh_every() - state.fresh));
}

// How many rows may have come before something other than absorbing them is due.
double plain_until(const State& state, const Wishes& wishes) {
  const Learning& learning = state.learning;
  if (state.shard) return std::numeric_limits<double>::infinity();
  if (wishes.follows()) return state.counters.seen + static_cast<double>(rows_until_due(state));
  if (learning.warm || wishes.select.optimize_points) return 0.0;
  double block = state.bank.empty() ? std::numeric_limits<double>::infinity() : block_end(state);
  if (!state.likelihood->fixed()) block = state.counters.seen + static_cast<double>(rows_to_refresh(state));
  if (wishes.learns == Wishes::nothing) return block;
  return std::min(block, std::max(few_rows, scale_due(state)));
}

// A shard of a model that learns from rows it keeps: it keeps them for that one.
bool absorb_and_keep(StreamingGP& model, const Sample& batch, bool stop_when_full, Checkpoint check) {
  if (!model.update(batch.X, batch.y, check, stop_when_full, batch.weights, Vector(), batch.told))
    return false;
  if (model.state().learner.memory.limit() == 0) return true;
  model.learner().memory.add(batch);
  model.learner().columns.add(batch.X);
  return true;
}

bool collect(StreamingGP& model, const Sample& batch, const Wishes&, bool stop_when_full, Checkpoint check) {
  return absorb_and_keep(model, batch, stop_when_full, check);
}

}  // namespace

bool absorb_plainly(StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y,
                    Checkpoint check) {
  const State& state = model.state();
  if (!state.learning.known || state.counters.seen + static_cast<double>(y.size()) >= state.learning.until)
    return false;
  if (state.selector->spec().optimize_points || state.likelihood->pairs() || state.outputs() > 1)
    return false;
  for (Index i = 0; i < y.size(); ++i)
    if (!state.likelihood->refuses(y(i), 1.0).empty()) return false;
  const double work = static_cast<double>(y.size()) * static_cast<double>(model.size() + state.open.size());
  const Checkpoint quick = work > 1e4 ? check : [] {};  // shorter ones need not be stopped
  if (state.learner.memory.limit() == 0) return model.update(X, y, quick, true);
  const Sample rows{X, y, Vector::Ones(y.size())};
  if (state.shard) return absorb_and_keep(model, rows, true, quick);
  absorb_everywhere(model, rows, quick);
  return true;
}

bool take(StreamingGP& model, const Sample& batch, bool stop_when_full, Checkpoint check) {
  if (!model.state().selector->spec().optimize_points)
    return model.update(batch.X, batch.y, check, stop_when_full, batch.weights, Vector(), batch.told);
  const double before = model.state().counters.turned_away;
  StreamingGP ahead = with_points(model, batch, check);
  if (stop_when_full && before == 0 && ahead.state().counters.turned_away > 0) return false;
  learn_points(ahead, StreamingGP(ahead), batch, 50, check);
  model = with_rows(std::move(ahead), batch, check);
  return true;
}

namespace {

bool warm_up(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
             Checkpoint check) {
  const bool first = model.state().counters.seen == 0;
  const double all = model.state().counters.held() + batch.count(), alike = rows_alike(model.state(), batch);
  const double n = all - alike, before = model.state().learning.fitted;
  const double fitted = n > 0 ? before - alike : before, now = n > 0 ? n : all;
  // learned anew when there are half as many rows again, but not shortly before the end, when it is learned
  // for the last time
  const double end = static_cast<double>(wishes.warmup);
  if (n < end && fitted >= few_rows && (now < 1.5 * fitted || (n > 0 && 1.5 * n > end)))
    return take(model, batch, stop_when_full, check);
  const Sample rows = first ? batch : both(open_rows(model), batch);
  StreamingGP anew = warmed_up(first ? nullptr : &model, rows, all, alike, wishes, check);
  const bool was_full = model.state().counters.turned_away > 0;
  if (!take(anew, rows, stop_when_full && !was_full, check)) return false;
  if (n >= few_rows) learn_scale_and_sites(anew, wishes, check);
  anew.set_left(all - rows.count());
  anew.set_unlearned(model.state().counters.unlearned);
  model = std::move(anew);
  return true;
}

// A model whose kernel stays.
bool learn_scale_only(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
                      Checkpoint check) {
  Learning learning = model.state().learning;
  const double n = model.state().counters.seen + batch.count();
  if (n < few_rows || n < scale_due(model.state())) return take(model, batch, stop_when_full, check);
  StreamingGP next = model;
  if (!take(next, batch, stop_when_full, check)) return false;
  // where rows fade they can become too few to say something; of models that compete the noise follows errors
  const double counted = next.totals().n;
  const double enough = !next.state().fading().fades() ? 0.0 : next.state().bank.empty() ? 20.0 : 200.0;
  if (counted >= enough) learn_scale_and_sites(next, wishes, check);
  learning.scaled = n;
  learning.wait = next.state().fading().fades() ? std::max(50.0, std::ceil(counted)) : 0.0;
  next.set_learning(learning);
  model = std::move(next);
  return true;
}

// The same where sites are made anew on the way: always after as many rows, however the stream is cut.
bool learn_with_refreshes(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
                          Checkpoint check) {
  if (batch.size() <= rows_to_refresh(model.state())) {
    if (!learn_scale_only(model, batch, wishes, stop_when_full, check)) return false;
    follow_likelihood(model, wishes);
    return true;
  }
  StreamingGP next = model;
  const History history = model.state().history;
  for (Index from = 0; from < batch.size();) {
    const Index count = std::min(batch.size() - from, rows_to_refresh(next.state()));
    if (!learn_scale_only(next, piece_of(batch, from, count), wishes, stop_when_full, check)) return false;
    follow_likelihood(next, wishes);
    from += count;
  }
  next.set_history(history);
  next.note_batch();
  model = std::move(next);
  return true;
}

// A warm-up where sites depend on the posterior ends with the same rows however the stream is cut.
bool warm_up_with_sites(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
                        Checkpoint check) {
  const double told = model.state().counters.held() - rows_alike(model.state(), batch);
  const Index rest = wishes.warmup - static_cast<Index>(told);
  if (batch.size() <= rest || rest <= 0) return warm_up(model, batch, wishes, stop_when_full, check);
  StreamingGP next = model;
  const History history = model.state().history;
  if (!warm_up(next, piece_of(batch, 0, rest), wishes, stop_when_full, check)) return false;
  const Sample later = piece_of(batch, rest, batch.size() - rest);
  if (!learn_with_refreshes(next, later, wishes, stop_when_full, check)) return false;
  next.set_history(history);
  next.note_batch();
  model = std::move(next);
  return true;
}

// A model whose kernel stays and whose half-life is to be found, piece by piece.
bool learn_pieces(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
                  Checkpoint check) {
  const History history = model.state().history;
  for (Index from = 0; from < batch.size();) {
    const Index rest = rows_to_block_end(model.state()), count = std::min(batch.size() - from, rest);
    if (!learn_scale_only(model, piece_of(batch, from, count), wishes, stop_when_full, check)) return false;
    from += count;
    const State& state = model.state();
    if (count < rest || state.open.size() < 2 * score_block(state) ||
        !worth_scoring(state, state.counters.seen, state.counters.seen))
      continue;
    const std::vector<Foretold> rows =
        foretell_and_choose(model, wishes.learns != Wishes::nothing && !wishes.noise);
    if (wishes.calibrate) calibrate(rows, known_outputs(model), model.learner());
    if (model.outputs() == 1) model.learner().glance = posterior_mean(model);
  }
  model.set_history(history);
  model.note_batch();
  return true;
}

// Whatever throws or is refused on the way leaves the model as it was: a batch in several pieces of which one
// may be refused, or that is long, is learned by a copy. Another cannot fail once it is known to fit.
bool learn_half_life(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
                     Checkpoint check) {
  const Index rest = rows_to_block_end(model.state());
  if (batch.size() < rest) return learn_scale_only(model, batch, wishes, stop_when_full, check);
  model.centred(batch.X, batch.y);
  model.centred(batch.y, batch.told);
  const bool never_refused = model.state().selector->lets_go(unlimited);
  if (batch.size() == rest || (batch.size() <= 1000 && never_refused))
    return learn_pieces(model, batch, wishes, stop_when_full, [] {});
  StreamingGP next = model;
  if (!learn_pieces(next, batch, wishes, stop_when_full, check)) return false;
  model = std::move(next);
  return true;
}

}  // namespace

StreamingGP started(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& y,
                    const Told& told) {
  StreamingGP model(settings_for(wishes, X, y, told), X.cols());
  const double never = std::numeric_limits<double>::infinity();
  const bool warm = wishes.needs_rows() && !wishes.follows();
  model.set_learning({true, warm, 0.0, 0.0, wishes.learns == Wishes::nothing ? never : 0.0, 0.0});
  if (wishes.follows()) {
    model.learner().memory = Memory(wishes.memory, X.cols(), model.outputs() - 1);
    model.learner().columns = Moments(X.cols());
    model.learner().memory.set_half_life(model.state().fading().in_rows());
    model.learner().next = few_rows;
  }
  return model;
}

bool learn(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool stop_when_full,
           Checkpoint check) {
  if (batch.size() == 0) return true;
  const bool follows = model.state().learner.memory.limit() > 0;
  const bool shard = model.state().shard;
  if (follows && !shard && !wishes.follows()) {  // it was given its kernel meanwhile
    model.learner() = Learner();
    return learn(model, batch, wishes, stop_when_full, check);
  }
  const bool fixed = model.state().likelihood->fixed();
  const auto step = shard                         ? collect
                    : follows                     ? follow
                    : model.state().learning.warm ? (fixed ? warm_up : warm_up_with_sites)
                    : !fixed                      ? learn_with_refreshes
                    : model.state().bank.empty()  ? learn_scale_only
                                                  : learn_half_life;
  if (!step(model, batch, wishes, stop_when_full, check)) return false;
  Learning learning = model.state().learning;
  learning.until = plain_until(model.state(), wishes);
  model.set_learning(learning);
  return true;
}

void learn_scale_anew(StreamingGP& model, const Wishes& wishes) {
  const ScaleOpen open = open_scale(wishes);
  model.each_output([&](StreamingGP& one, Index) { learn_scale(one, StreamingGP(one), open, true); });
  Learning learning = model.state().learning;
  learning.scaled = model.state().counters.seen;
  model.set_learning(learning);
}

void learn_scale_of_shards(StreamingGP& model, const Wishes& wishes) {
  if (wishes.learns != Wishes::nothing && model.totals().n >= few_rows) learn_scale_anew(model, wishes);
  Learner& learner = model.learner();
  if (learner.memory.limit() == 0) return;
  learner.learned = learner.memory.seen();
  learner.next = next_learning(learner.learned, learner.memory.since_origin());
}

namespace {

// The rows from which a model that has no kernel yet would learn it: all it has seen, unless it keeps fewer.
Sample training_rows(const StreamingGP& model) {
  return model.state().learning.warm ? open_rows(model) : model.state().learner.memory.rows();
}

}  // namespace

StreamingGP with_own_rows(const StreamingGP& learned, const StreamingGP& before, Checkpoint check) {
  StreamingGP out = emptied(learned);
  const Sample rows = training_rows(before);
  require(rows.count() == before.state().counters.held(), "input",
          "the model has no kernel of its own yet, and keeps fewer rows than it has seen.");
  absorb_and_keep(out, rows, false, check);
  out.set_history(before.state().history);
  return out;
}

BestScale optimize(StreamingGP& model, const Sample& batch, Wishes wishes,
                   const std::vector<std::string>& what, int steps, Checkpoint check) {
  wishes.kernel = opened(model.kernel().spec());
  wishes.noise.reset();
  BestScale scale{};
  for (const std::string& one : what) {
    const StreamingGP ahead = with_points(model, batch, check);
    require(one == "scale" || model.outputs() == 1, "parameter",
            "of several outputs a kernel is learned from the rows as they come; their scale can be.");
    if (one == "scale" && model.outputs() > 1) {
      const StreamingGP after = with_rows(ahead, batch, check);
      model.each_output([&](StreamingGP& output, Index k) {
        const BestScale best = learn_scale(output, after.latent(k), open_scale(wishes), false);
        if (k == 0) scale = best;
        scale.no_signal = scale.no_signal || best.no_signal;
        scale.no_noise = scale.no_noise || best.no_noise;
      });
    } else if (one == "scale")
      scale = learn_scale(model, with_rows(ahead, batch, check), open_scale(wishes), false);
    else if (one == "kernel")
      learn_kernel(model, ahead, batch, wishes, Reach{steps}, check);
    else
      learn_points(model, ahead, batch, steps, check);
  }
  return scale;
}

}  // namespace gpstream
