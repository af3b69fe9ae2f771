// Absorb: a batch is seen from the present points; its newest rows open, the oldest that exceed the look-back
// settle.  [derivation 2] In blocks, so that memory stays O(block x M). Whatever throws does so before the
// first write, or not at all.
#ifndef GPSTREAM_ABSORB_H
#define GPSTREAM_ABSORB_H

#include <algorithm>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/linalg.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "bank.h"
#include "evidence.h"
#include "fading.h"
#include "site.h"
#include "trend.h"
#include "window.h"

namespace gpstream {

constexpr Index absorb_block = 512;

// Rows with outputs, sites and times, and the trend that is at work on them.
struct Rows {
  ConstMatrixView X;
  ConstVectorView y;
  const Sites& sites;
  const Vector& times;
  const Trend& trend;
  const Matrix& told;  // what else was observed, where the look-back keeps it
  Index hold;          // so many rows may be open afterwards

  // The first of them as they count by then.
  Sites first(Index count, const Fading& then) const;
};

// Rows as the present points see them. Used again for the next batch of the same size, which then needs no
// new memory.
struct Seen {
  Matrix A;  // features, one a column
  Vector r;
  Vector apart;  // which of them lie apart; empty where none can
};

// f(block of rows, from, count) for rows 0 ... n - 1; with threads, each has consecutive blocks of its own.
template <class Block>
void in_blocks(Index n, Index M, Checkpoint check, const Block& block) {
  const int threads = threads_for(static_cast<double>(M) * static_cast<double>(M) * static_cast<double>(n));
  const Index step = (threads == 1 ? 1 : 16 * threads) * absorb_block;
  for (Index start = 0; start < n; start += step) {
    check();
    in_parts(std::min(step, n - start), threads, [&](Index part, Index from, Index count) {
      for (Index at = from; at < from + count; at += absorb_block)
        block(part, start + at, std::min(absorb_block, from + count - at));
    });
  }
}

void see(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, Checkpoint check, Seen& out);

// The oldest of the open rows.
void settle_open(Index count, const Window& open, const Trend& trend, Evidence& evidence);

// The first rows of a batch, which do not open. Of those of whose variance the points leave more than a share
// `most`, nothing settles; which they are.
std::vector<char> settle_first(Index n, const Basis& basis, const Kernel& kernel, const Rows& rows,
                               const Fading& then, double most, Checkpoint check, Evidence& evidence);

// `ready`: the rows have been seen already. `most`: the share of its variance that points may leave of a row
// that counts. A bank takes at most a block of rows at a time. The answer: which rows left and were set
// aside, of all that left, in their order.
std::vector<Index> absorb(const Basis& basis, const Kernel& kernel, const Rows& rows, double most,
                          Checkpoint check, Window& open, Evidence& evidence, Bank& bank, Seen& seen,
                          bool ready = false);

}  // namespace gpstream

#endif
