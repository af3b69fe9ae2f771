// Models that learned at different times foretell the same rows, and the best of them is the model.
#ifndef GPSTREAM_LEARN_CONTEST_H
#define GPSTREAM_LEARN_CONTEST_H

#include "foretell.h"
#include "glance.h"
#include "half_life.h"
#include "learner.h"

namespace gpstream {

constexpr std::size_t most_rivals = 2;
constexpr double early_rows = 1000;
constexpr double contest_rows = 400;  // after a learning, by then its rivals have lost

// Rival i and the model change places. What belongs to the stream stays: its count, its history, its learner.
inline void change_places(StreamingGP& model, std::size_t i) {
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

// A rival as a model, for as long as it is asked to do something.
template <class Task>
void as_model(Rival& rival, const Task& task) {
  StreamingGP model(std::move(*rival.state));
  const auto back = [&] {
    model.set_history(History());
    *rival.state = std::move(model).take();
  };
  try {
    task(model);
  } catch (...) {
    back();
    throw;
  }
  back();
}

// Of several outputs fewer rows came than were foretold: `count`, where it is said.
inline void note_score(const Foretold& rows, double score, double best_of_older, bool younger, Standing& one,
                       std::optional<double> count = {}) {
  const double n = count.value_or(static_cast<double>(rows.sd.size()));
  one.since += n;
  one.score = std::pow(0.9, n / 100.0) * one.score + 0.2 * score;
  if (younger) one.ahead += score - best_of_older;
  const Vector z = rows.z();
  for (Index i = 0; i < z.size(); ++i)
    one.width += 0.02 * ((std::abs(z(i)) > 1.959963984540054 * std::exp(one.width)) - 0.05);
}

// Every model is scored on the newest block of rows, and whoever is best becomes the model.
inline void compete(StreamingGP& model, bool calibrate, bool open_noise) {
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

// Is the newest block to be scored, when n rows have come, `since` of them since the kernel was learned? All
// are while there are rivals. Then one in so many, more the longer that is ago and the more points there are
// (scoring takes a factor of the posterior, for each half-life where there are several), chosen by a hash of
// its number; and any that looks odd at a glance.
inline bool worth_scoring(const State& state, double n, double since) {
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

// Who has lost goes. A model that knows only younger rows and has been far better for long takes the memory
// along: what came before its origin was another stream.
inline void settle_contest(StreamingGP& model) {
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

}  // namespace gpstream

#endif
