#include "follow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "ages.h"
#include "compete.h"
#include "contest.h"
#include "foretell.h"
#include "glance.h"
#include "half_life.h"
#include "own_noise.h"
#include "relearn.h"
#include "settings.h"

namespace gpstream {

namespace {

constexpr double contest_rows = 400;

}  // namespace

void change_places(StreamingGP& model, std::size_t i) {
  State before = std::move(model).take();
  Learner learner = std::move(before.learner);
  Rival& rival = learner.rivals[i];
  std::swap(before, *rival.state);
  std::swap(learner.standing, rival.standing);
  State& after = before;
  after.history = std::move(rival.state->history);
  after.counters.seen = rival.state->counters.seen;
  after.counters.implausible = rival.state->counters.implausible;
  after.counters.unlearned = rival.state->counters.unlearned;
  after.learning = rival.state->learning;
  rival.state->history = History();
  rival.state->learner = Learner();
  learner.changes += 1.0;
  learner.glance.resize(0);
  after.learner = std::move(learner);
  model = StreamingGP(std::move(after));
}

void note_score(const Foretold& rows, double score, double best_of_older, bool younger, Standing& one,
                std::optional<double> count) {
  const double n = count.value_or(static_cast<double>(rows.sd.size()));
  one.since += n;
  one.score = std::pow(0.9, n / 100.0) * one.score + 0.2 * score;
  if (younger) one.ahead += score - best_of_older;
  const Vector z = rows.z();
  for (Index i = 0; i < z.size(); ++i)
    one.width += 0.02 * ((std::abs(z(i)) > 1.959963984540054 * std::exp(one.width)) - 0.05);
}

void compete(StreamingGP& model, bool calibrate, bool open_noise) {
  Learner& learner = model.learner();
  std::vector<Standing*> all{&learner.standing};
  const double count = static_cast<double>(score_block(model.state()));
  const std::vector<bool> known = known_outputs(model);
  const std::vector<Foretold> own = foretell_and_choose(model, open_noise);
  std::vector<Foretold> foretold{in_one(own, known)};
  for (Rival& rival : learner.rivals) {
    all.push_back(&rival.standing);
    as_model(rival, [&](StreamingGP& one) {
      foretold.push_back(in_one(foretell_and_choose(one, open_noise), known));
    });
  }
  if (calibrate) gpstream::calibrate(own, known, learner);
  learner.earlier = learner.surprise;
  learner.surprise = in_one(own).z().array().square().min(400.0).mean();

  const double origin = learner.memory.origin();
  std::vector<double> scores;
  double best_of_older = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    scores.push_back(std::max(foretold[i].log_score(std::exp(all[i]->width)), -1e6));
    if (all[i]->origin <= origin) best_of_older = std::max(best_of_older, scores[i]);
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    note_score(foretold[i], scores[i], best_of_older, std::isfinite(best_of_older) && all[i]->origin > origin,
               *all[i], count);
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i]->score > all[best]->score) best = i;
  const double top = all[best]->score;
  for (Standing* one : all) one->score -= top;
  if (model.outputs() == 1) learner.glance = posterior_mean(model);  // of several, every block is scored
  if (best > 0) change_places(model, best - 1);
  model.learner().memory.set_half_life(model.state().fading().in_rows());
}

bool worth_scoring(const State& state, double n, double since) {
  const Learner& learner = state.learner;
  if (!learner.rivals.empty() || learner.glance.size() == 0 || since < contest_rows) return true;
  const double most = state.fading().fades() ? 1.0 : state.fades() ? 4.0 : 32.0;
  const double points = static_cast<double>(state.size()) / (state.fades() ? 128.0 : 16.0);
  double one_in = std::max(1.0, std::min(most, since / 500.0));
  one_in = state.fades() ? one_in * std::max(1.0, points) : std::max(one_in, points);
  const Index block = score_block(state);
  const auto number = static_cast<std::uint64_t>(n) / static_cast<std::uint64_t>(block);
  if (scattered(number) % static_cast<std::uint64_t>(one_in) == 0) return true;
  const double odd = at_a_glance(state, learner.glance, block);
  return !(odd > 0.25 && odd < 2.0);
}

void settle_contest(StreamingGP& model) {
  Learner& learner = model.learner();
  std::vector<Rival>& rivals = learner.rivals;
  const double origin = learner.standing.origin;
  const auto drop = [&](const auto& lost) {
    rivals.erase(std::remove_if(rivals.begin(), rivals.end(), lost), rivals.end());
  };
  if (origin > learner.memory.origin() && learner.standing.since >= 100.0 * std::pow(2.0, learner.moves) &&
      learner.standing.ahead > learner.standing.since) {
    learner.memory.start_from(origin);
    learner.last.starts.clear();
    learner.calibration = Calibration();  // what it learned was of another stream
    learner.calibrations.clear();
    learner.moves += 1.0;
    learner.next = learner.memory.seen() + learner.memory.since_origin();
    drop([&](const Rival& one) { return one.standing.origin < origin; });
  }
  const bool over = learner.memory.seen() - learner.learned >= contest_rows;
  drop([&](const Rival& one) { return over || (one.standing.since >= 200 && one.standing.score < -10.0); });
}

State restarted(LearnedKernel found, const Wishes& wishes, const State& from, const Sample& rows,
                Checkpoint check) {
  const Learner& learner = from.learner;
  Settings settings = settings_from(found, wishes, learner.columns, rows, check);
  if (!wishes.noise && settings.selector->leaves_noise()) {
    const Vector noise = noise_to_points(settings, rows, check);
    found.noise = noise(0);
    for (std::size_t k = 0; k < found.others.size(); ++k)
      found.others[k].noise = noise(static_cast<Index>(k) + 1);
    settings = settings_from(found, wishes, learner.columns, rows, check);
  }
  State empty(settings, rows.X.cols());
  keep_half_life(from, empty);
  StreamingGP out(std::move(empty));
  out.grow(rows.X, rows.y, check);  // all points first: what they leave of a row may be noise
  out.update(rows.X, rows.y, check, false, rows.weights, rows.numbers, rows.told);
  if (!wishes.noise) take_own_noises(out, found, many_learned);
  State state = std::move(out).take();
  state.counters.seen = learner.memory.seen();
  state.traces.lose(0.0, state.counters.seen);  // of rows before only the memory was fed
  state.history = History();
  return state;
}

double next_learning(double n, double since_origin) {
  if (n < 20) return 20;
  if (n < 50) return 50;
  return 50 * std::ceil((n + 0.5 * since_origin) / 50);
}

namespace {

// A model that knows only the latest rows: should the stream have become another, it will be ahead.
Rival young_rival(const Wishes& wishes, const State& from, Checkpoint check) {
  const Learner& learner = from.learner;
  const Index half = static_cast<Index>(learner.memory.since_origin()) / 2;
  const Sample rows = learner.memory.newest(std::min<Index>(200, half));
  const LearnedKernel found =
      learned_kernel(wishes, learner.columns, part_of(rows, 100), rows, {}, true, check);
  Standing standing;
  standing.score = -4.0;
  standing.origin = learner.memory.seen() - rows.count();
  return {Held<State>(restarted(found, wishes, from, rows, check)), standing};
}

}  // namespace

void relearn(StreamingGP& model, const Wishes& wishes, bool very_odd, Checkpoint check) {
  Learner& learner = model.learner();
  const Memory& memory = learner.memory;
  const double n = memory.seen(), since = memory.since_origin();
  const Sample rows = memory.rows();
  learner.learned = n;
  learner.next = next_learning(n, since);
  if (!varies(rows)) return;  // outputs that are all the same teach nothing
  const Fading& fading = model.state().fading();
  const LearnedKernel found =
      learned_kernel(wishes, learner.columns, aged(memory.part(few_learned), fading),
                     aged(memory.part(many_learned), fading), learner.last.starts, false, check);
  if (!wishes.noise) take_own_noises(model, found, many_learned);
  std::vector<Rival> fresh;
  fresh.push_back({Held<State>(restarted(found, wishes, model.state(), rows, check)), Standing()});
  fresh.front().standing.origin = memory.origin();
  if (since > 100 && (very_odd || since <= early_rows))
    fresh.push_back(young_rival(wishes, model.state(), check));
  learner.last = {found.family, found.by_family, found.starts};

  std::vector<Rival>& rivals = learner.rivals;  // the best of them stay
  std::sort(rivals.begin(), rivals.end(),
            [](const Rival& a, const Rival& b) { return a.standing.score > b.standing.score; });
  for (Rival& old : rivals)
    if (fresh.size() < most_rivals) fresh.push_back(std::move(old));
  rivals = std::move(fresh);
  const bool scored = n > 50 && model.state().open.limit() >= 50;  // else nothing can be foretold
  if (scored && !memory.whole()) return;
  // While all rows are kept the new model knows each row the old one does, and more of them taught its
  // kernel: it takes the place, and has to keep it.
  change_places(model, 0);
  if (scored) return;
  model.learner().rivals.clear();
  model.learner().changes = 0.0;
}

Index rows_until_due(const State& state) {
  const Learner& learner = state.learner;
  const double n = learner.memory.seen(), block = static_cast<double>(score_block(state));
  const double end = block * (std::floor(n / block) + 1.0);
  return static_cast<Index>((n < learner.next ? std::min(end, learner.next) : end) - n);
}

void absorb_everywhere(StreamingGP& model, const Sample& rows, Checkpoint check) {
  model.update(rows.X, rows.y, check, false, rows.weights, Vector(), rows.told);
  Learner& learner = model.learner();
  for (Rival& rival : learner.rivals)
    as_model(rival, [&](StreamingGP& one) {
      one.update(
          rows.X, rows.y, [] {}, false, rows.weights, Vector(), rows.told);
    });
  learner.memory.add(rows);
  learner.columns.add(rows.X);
}

void forget_everywhere(StreamingGP& model, double keep) {
  model.forget(keep);
  for (Rival& rival : model.learner().rivals) as_model(rival, [&](StreamingGP& one) { one.forget(keep); });
}

namespace {

// After a piece of the stream: score where a block has ended, learn where that is due.
void reflect(StreamingGP& model, const Wishes& wishes, Checkpoint check) {
  const double n = model.learner().memory.seen();
  const Index block = score_block(model.state());
  const bool block_ends = std::fmod(n, static_cast<double>(block)) == 0;
  if (block_ends && n > 50 && model.state().open.size() >= block &&
      worth_scoring(model.state(), n, n - model.learner().learned)) {
    compete(model, wishes.calibrate, !wishes.noise);
    settle_contest(model);
  }
  Learner& learner = model.learner();
  const double odd = 0.5 * (learner.surprise + learner.earlier);
  const bool surprised = block_ends && (odd > 4.0 || odd < 0.1) && n - learner.learned >= learner.gap;
  const Counters& counters = model.state().counters;
  const bool full = block_ends && counters.turned_away + counters.removed > 0 &&
                    n - learner.learned >= std::max(200.0, 0.25 * learner.memory.since_origin());
  if (n < learner.next && !surprised && !full) return;
  if (n < learner.next && surprised) learner.gap *= 2.0;
  relearn(model, wishes, odd > 10.0 || odd < 0.1, check);
  model.learner().surprise = model.learner().earlier = 1.0;
}

// The batch, piece by piece.
void follow_pieces(StreamingGP& model, const Sample& batch, const Wishes& wishes, Checkpoint check) {
  const History history = model.state().history;
  for (Index from = 0; from < batch.size();) {
    const Index count = std::min(batch.size() - from, rows_until_due(model.state()));
    absorb_everywhere(model, piece_of(batch, from, count), check);
    from += count;
    reflect(model, wishes, check);
  }
  model.set_history(history);
  model.note_batch();
}

// Can the batch be refused by a model or a rival?
void check_everywhere(const StreamingGP& model, const Sample& batch) {
  model.centred(batch.X, batch.y);
  model.centred(batch.y, batch.told);
  for (const Rival& rival : model.state().learner.rivals)
    require(std::isfinite(rival.state->trend.at(batch.X).squaredNorm()), "input",
            "the batch has inputs that are too large for the trend.");
}

}  // namespace

bool follow(StreamingGP& model, const Sample& batch, const Wishes& wishes, bool, Checkpoint check) {
  const Learner& learner = model.state().learner;
  const double n = learner.memory.seen();
  check_everywhere(model, batch);
  if (batch.size() < rows_until_due(model.state())) {
    absorb_everywhere(model, batch, check);
  } else if (n + batch.count() < learner.next && batch.size() <= 1000) {
    follow_pieces(model, batch, wishes, [] {});
  } else {
    StreamingGP next = model;
    follow_pieces(next, batch, wishes, check);
    model = std::move(next);
  }
  return true;
}

}  // namespace gpstream
