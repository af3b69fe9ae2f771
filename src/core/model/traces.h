// What it takes to find a settled row again, so that it can be taken out: how many points there were when it
// left the look-back. Its feature has that many entries.
#ifndef GPSTREAM_TRACES_H
#define GPSTREAM_TRACES_H

#include <algorithm>
#include <cstddef>
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
  void reserve();

  // How many points there were.
  Index left(double at) const;
  bool is_lost(double at) const;
  bool is_taken(double at) const { return std::find(taken.begin(), taken.end(), at) != taken.end(); }

  // Stretches that meet become one, so that there are few however often points leave.
  void lose(double after, double until);
  // Room for so many more stretches; the only step that can fail.
  void expect_lost(Index more);
  // Features of rows that have left so far are no longer those of then, and there are M points now.
  void lose_all(double seen, Index M);
  // Point j goes: rows that left before it joined are as they were.
  void remove(Index j, double seen);

  // Where there would be too many, the two oldest and what lies between them become one.
  static constexpr std::size_t most_stretches = 256;
  void unite_oldest();

  // As saved.
  Matrix lost_matrix() const;
};

}  // namespace gpstream

#endif
