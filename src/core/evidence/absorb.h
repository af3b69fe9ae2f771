// Absorb: a batch is seen from the present points; its newest rows open, the oldest that exceed the look-back
// settle.  [derivation 2] In blocks, so that memory stays O(block x M). Whatever throws does so before the
// first write, or not at all.
#ifndef GPSTREAM_ABSORB_H
#define GPSTREAM_ABSORB_H

#include <algorithm>
#include <vector>

#include "../points/basis.h"
#include "bank.h"
#include "merge.h"
#include "settle.h"

namespace gpstream {

constexpr Index absorb_block = 512;

// Rows with outputs, sites and times, and the trend that is at work on them.
struct Rows {
  ConstMatrixView X;
  ConstVectorView y;
  const Sites& sites;
  const Vector& times;
  const Trend& trend;

  // The first of them as they count by then.
  Sites first(Index count, const Fading& then) const {
    if (!then.fades()) return sites.topRows(count);
    return then.shares(times.head(count)).asDiagonal() * sites.topRows(count);
  }
};

// Rows as the present points see them. Used again for the next batch of the same size, which then needs no
// new memory.
struct Seen {
  Matrix A;  // features, one a column
  Vector r;
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

inline void see(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, Checkpoint check,
                Seen& out) {
  const Index n = X.rows(), M = basis.size();
  out.r.resize(n);
  if (n <= absorb_block) return basis.features(kernel, X, out.A, out.r);
  out.A.resize(M, n);
  in_blocks(n, M, check, [&](Index, Index from, Index count) {
    Matrix A;
    basis.features(kernel, X.middleRows(from, count), A, out.r.segment(from, count));
    out.A.middleCols(from, count) = A;
  });
}

// The oldest of the open rows.
inline void settle_open(Index count, const Window& open, const Trend& trend, Evidence& evidence) {
  settle(open.features().leftCols(count), open.residuals(count), open.sites(count),
         trend.at(open.inputs(count)), evidence);
}

// The first rows of a batch, which do not open.
inline void settle_first(Index n, const Basis& basis, const Kernel& kernel, const Rows& rows,
                         const Fading& then, Checkpoint check, Evidence& evidence) {
  const Index M = basis.size();
  const Sites sites = rows.first(n, then);
  std::vector<Evidence> sums;  // one for each thread
  for (Index i =
           parts_of(n, threads_for(static_cast<double>(M) * static_cast<double>(M) * static_cast<double>(n)));
       i > 0; --i)
    sums.emplace_back(M, rows.trend.size());
  in_blocks(n, M, check, [&](Index part, Index from, Index count) {
    Seen seen;
    const ConstMatrixView X = rows.X.middleRows(from, count);
    see(
        basis, kernel, X, [] {}, seen);
    settle(seen.A, seen.r, sites.middleRows(from, count), rows.trend.at(X),
           sums[static_cast<std::size_t>(part)]);
  });
  for (const Evidence& sum : sums) merge(sum, evidence);
}

// The oldest of the open rows and the first that were seen, in one step; nothing fades with it.
inline void settle_both(Index leaving, const Window& open, Index first, const Seen& seen, const Rows& rows,
                        const Fading& then, Evidence& evidence) {
  const Index n = leaving + first;
  Matrix A(seen.A.rows(), n), X(n, rows.X.cols());
  Vector r(n);
  Sites S(n, site::columns);
  A << open.features().leftCols(leaving), seen.A.leftCols(first);
  X << open.inputs(leaving), rows.X.topRows(first);
  r << open.residuals(leaving), seen.r.head(first);
  S << open.sites(leaving), rows.first(first, then);
  settle(A, r, S, rows.trend.at(X), evidence);
}

// `ready`: the rows have been seen already. A bank takes at most a block of rows at a time.
inline void absorb(const Basis& basis, const Kernel& kernel, const Rows& rows, Checkpoint check, Window& open,
                   Evidence& evidence, Bank& bank, Seen& seen, bool ready = false) {
  const Index B = rows.X.rows(), opening = std::min(B, open.limit()), first = B - opening;
  const Index leaving = open.size() > open.limit() - opening ? open.size() - (open.limit() - opening) : 0;
  const Fading then = open.fading().after(rows.times);
  const double left = open.fading().left(then);
  open.reserve(basis.size(), opening);
  bank.reserve(basis.size(), leaving + first);
  const bool few = B <= absorb_block;
  if (!ready || !few) see(basis, kernel, few ? rows.X : rows.X.bottomRows(opening), check, seen);
  if (few && first == 0) {
    settle_open(leaving, open, rows.trend, evidence);  // as they counted before, and fade with the others
    if (left != 1.0) forget(left, evidence);
  } else if (few && left == 1.0) {
    settle_both(leaving, open, first, seen, rows, then, evidence);
  } else {
    Evidence grown = evidence;
    settle_open(leaving, open, rows.trend, grown);
    if (left != 1.0) forget(left, grown);
    settle_first(first, basis, kernel, rows, then, check, grown);
    evidence = std::move(grown);
  }
  if (!bank.empty()) {
    bank.wait(open.features().leftCols(leaving), open.residuals(leaving), open.own_sites(leaving),
              rows.trend.at(open.inputs(leaving)), open.times(leaving));
    bank.wait(seen.A.leftCols(first), seen.r.head(first), rows.sites.topRows(first),
              rows.trend.at(rows.X.topRows(first)), rows.times.head(first));
  }
  open.set_fading(then);
  open.drop(leaving);
  open.push(rows.X.bottomRows(opening), rows.y.tail(opening), seen.r.tail(opening),
            rows.sites.bottomRows(opening), seen.A.rightCols(opening), rows.times.tail(opening));
}

}  // namespace gpstream

#endif
