// How the model grew and how well it foretold what came, batch by batch, in bounded memory: when the record
// is full every second entry is dropped. Entries are running sums, so that the difference of two is exact for
// the batches between them, whichever were dropped.
#ifndef GPSTREAM_HISTORY_H
#define GPSTREAM_HISTORY_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../linear/require.h"

namespace gpstream {

// The whole stream up to and including a batch.
struct HistoryEntry {
  double batch = 0.0, nobs = 0.0, points = 0.0;
  double scored = 0.0, squared = 0.0, log_score = 0.0,
         covered = 0.0;               // rows that were predicted before they were learned
  double timed = 0.0, seconds = 0.0;  // batches with a known time, and that time
  double bound =
      std::numeric_limits<double>::quiet_NaN();  // the newest objective read since the entry before, if any
  double alarms = 0.0;                           // of drift, raised over the stream
  double unlearned = 0.0;                        // rows that were taken out again, and are not in `nobs`
  double correct = 0.0, brier = 0.0;             // of classes: the most probable came; the Brier score

  // Before there were classes, and before anything was unlearned.
  static constexpr std::size_t fields = 14, fields_without_classes = 12, fields_of_format_6 = 10;
  std::array<double, fields> values() const;
  static HistoryEntry of(const std::array<double, fields>& v);

  bool sound() const;
};

// What `History::note` adds: sums over the scored rows of the newest batch; seconds and bound NaN where they
// are not known.
struct Scores {
  double scored = 0.0, squared = 0.0, log_score = 0.0, covered = 0.0;
  double seconds = std::numeric_limits<double>::quiet_NaN(), bound = std::numeric_limits<double>::quiet_NaN();
  double correct = 0.0, brier = 0.0;
};

struct History {
  static constexpr std::size_t limit = 999;  // and the present state, when it is read: 1000
  static constexpr std::size_t bins = 20;  // of the predictive distribution function at the outputs that came

  double stride = 1.0;
  HistoryEntry now;
  std::vector<HistoryEntry> kept;
  std::array<double, bins> pit{};

  // Room for the next batch; the only step that can fail.
  void reserve();

  void add(double nobs, double points);

  // About the newest batch, after it was learned. `probabilities` are the values of the predictive
  // distribution functions.
  template <class Probabilities>
  void note(const Scores& scores, const Probabilities& probabilities) {
    HistoryEntry next = now;
    next.scored += scores.scored;
    next.squared += scores.squared;
    next.log_score += scores.log_score;
    next.covered += scores.covered;
    next.correct += scores.correct;
    next.brier += scores.brier;
    if (!std::isnan(scores.seconds)) {
      if (next.timed < next.batch) next.timed += 1.0;
      next.seconds += scores.seconds;
    }
    if (!std::isnan(scores.bound)) next.bound = scores.bound;
    require(next.sound(), "nonfinite", "the scores of a batch must be finite, and counts not negative.");
    std::array<double, bins> counts = pit;
    for (double p : probabilities) {
      require(p >= 0 && p <= 1, "input", "a probability must lie between 0 and 1.");
      counts[std::min(static_cast<std::size_t>(p * static_cast<double>(bins)), bins - 1)] += 1.0;
    }
    const bool last_is_kept = is_kept();
    now = next;
    pit = counts;
    if (last_is_kept) kept.back() = now;
  }

  // How many alarms were raised over the whole stream, which may be older than the model.
  void note_alarms(double alarms);

  // Rows were taken out; the newest batch answers for it.
  void unlearn(double rows);

  // Another stream, as if it had come after this one: its running sums go on from where these ended. How many
  // points there were is said by points(rows of the other); objectives were of the other alone, and are not
  // known.
  template <class PointsThen>
  void append(const History& other, const PointsThen& points) {
    if (other.now.batch == 0) return;
    const HistoryEntry end = now;
    const auto after = [&](const HistoryEntry& one) {
      HistoryEntry out = end;
      out.batch += one.batch, out.nobs += one.nobs, out.points = points(one.nobs + one.unlearned);
      out.scored += one.scored, out.squared += one.squared, out.log_score += one.log_score;
      out.covered += one.covered, out.timed += one.timed, out.seconds += one.seconds;
      out.alarms += one.alarms, out.unlearned += one.unlearned;
      out.correct += one.correct, out.brier += one.brier;
      out.bound = std::numeric_limits<double>::quiet_NaN();
      return out;
    };
    for (const HistoryEntry& one : other.kept) kept.push_back(after(one));
    now = after(other.now);
    stride = std::max(stride, other.stride);
    while (kept.size() > limit) thin();
    for (std::size_t i = 0; i < bins; ++i) pit[i] += other.pit[i];
  }

  bool sound() const;

  bool is_kept() const { return !kept.empty() && kept.back().batch >= now.batch; }

 private:
  bool due() const { return std::fmod(now.batch - 1.0, stride) < 0.5; }
  void thin();
};

}  // namespace gpstream

#endif
