// What it takes to find a settled row again, so that it can be taken out: how many points there were when it
// left the look-back. Its feature has that many entries.
#ifndef GPSTREAM_TRACES_H
#define GPSTREAM_TRACES_H

#include <algorithm>
#include <vector>

#include "../linear/types.h"

namespace gpstream {

// Rows are told by the number of rows that had come when they left: each row that comes lets at most one
// leave, whatever the batches.
struct Stretch {
  double after, until;
  bool has(double at) const { return at > after && at <= until; }
};

struct Traces {
  std::vector<double> joined;  // by point: rows that had come before the batch it joined with; -1: no row had
  std::vector<Stretch> lost;   // rows that left then cannot be found any more
  std::vector<double> taken;   // when the rows had left that were unlearned

  // Room for a point; the only step that can fail.
  void reserve() {
    if (joined.size() == joined.capacity()) joined.reserve(std::max<std::size_t>(16, 2 * joined.size()));
  }

  // How many points there were.
  Index left(double at) const {
    return std::count_if(joined.begin(), joined.end(), [&](double since) { return since < at; });
  }
  bool is_lost(double at) const {
    return std::any_of(lost.begin(), lost.end(), [&](const Stretch& one) { return one.has(at); });
  }
  bool is_taken(double at) const { return std::find(taken.begin(), taken.end(), at) != taken.end(); }

  // Stretches that meet become one, so that there are few however often points leave.
  void lose(double after, double until) {
    if (!(until > after)) return;
    Stretch all{after, until};
    const auto met = [&](const Stretch& one) {
      if (one.after > all.until || one.until < all.after) return false;
      all = {std::min(all.after, one.after), std::max(all.until, one.until)};
      return true;
    };
    std::size_t before = 0;
    do {
      before = lost.size();
      lost.erase(std::remove_if(lost.begin(), lost.end(), met), lost.end());
    } while (lost.size() < before);
    lost.push_back(all);
    if (lost.size() > most_stretches) unite_oldest();
  }
  // Room for so many more stretches; the only step that can fail.
  void expect_lost(Index more) {
    lost.reserve(std::min(lost.size() + static_cast<std::size_t>(more), most_stretches + 1));
  }
  // Features of rows that have left so far are no longer those of then, and there are M points now.
  void lose_all(double seen, Index M) {
    lost.clear();
    lose(0.0, seen);
    joined.assign(static_cast<std::size_t>(M), seen);
  }
  // Point j goes: rows that left before it joined are as they were.
  void remove(Index j, double seen) {
    lose(joined[static_cast<std::size_t>(j)], seen);
    joined.erase(joined.begin() + j);
  }

  // Where there would be too many, the two oldest and what lies between them become one.
  static constexpr std::size_t most_stretches = 256;
  void unite_oldest() {
    std::sort(lost.begin(), lost.end(), [](const Stretch& a, const Stretch& b) { return a.after < b.after; });
    lost[1].after = lost[0].after;
    lost.erase(lost.begin());
  }

  // As saved.
  Matrix lost_matrix() const {
    Matrix out(static_cast<Index>(lost.size()), 2);
    for (Index i = 0; i < out.rows(); ++i)
      out.row(i) << lost[static_cast<std::size_t>(i)].after, lost[static_cast<std::size_t>(i)].until;
    return out;
  }
};

}  // namespace gpstream

#endif
