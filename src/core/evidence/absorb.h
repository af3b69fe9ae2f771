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
  const Matrix& told;  // what else was observed, where the look-back keeps it
  Index hold;          // so many rows may be open afterwards

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

// The first rows of a batch, which do not open. Of those of whose variance the points leave more than a share
// `most`, nothing settles; which they are.
inline std::vector<char> settle_first(Index n, const Basis& basis, const Kernel& kernel, const Rows& rows,
                                      const Fading& then, double most, Checkpoint check, Evidence& evidence) {
  const Index M = basis.size();
  const Sites sites = rows.first(n, then);
  std::vector<Evidence> sums;  // one for each thread
  std::vector<char> aside(static_cast<std::size_t>(n), 0);
  for (Index i =
           parts_of(n, threads_for(static_cast<double>(M) * static_cast<double>(M) * static_cast<double>(n)));
       i > 0; --i)
    sums.emplace_back(M, rows.trend.size());
  in_blocks(n, M, check, [&](Index part, Index from, Index count) {
    Seen seen;
    const ConstMatrixView X = rows.X.middleRows(from, count);
    see(
        basis, kernel, X, [] {}, seen);
    Sites S = sites.middleRows(from, count);
    const Vector odd = apart(kernel, X, seen.r, most);
    silence(odd, S);
    for (Index i = 0; i < odd.size(); ++i) aside[static_cast<std::size_t>(from + i)] = odd(i) != 0;
    settle(seen.A, seen.r, S, rows.trend.at(X), sums[static_cast<std::size_t>(part)]);
  });
  for (const Evidence& sum : sums) merge(sum, evidence);
  return aside;
}

// The oldest of the open rows and the first that were seen, in one step; nothing fades with it.
inline void settle_both(Index leaving, const Window& open, Index first, const Seen& seen, const Rows& rows,
                        const Fading& then, Evidence& evidence) {
  const Index n = leaving + first;
  Matrix A(seen.A.rows(), n), X(n, rows.X.cols());
  Vector r(n);
  Sites S(n, site::columns), own = rows.first(first, then);
  silence(seen.apart.head(std::min(first, seen.apart.size())), own);
  A << open.features().leftCols(leaving), seen.A.leftCols(first);
  X << open.inputs(leaving), rows.X.topRows(first);
  r << open.residuals(leaving), seen.r.head(first);
  S << open.sites(leaving), own;
  settle(A, r, S, rows.trend.at(X), evidence);
}

// `ready`: the rows have been seen already. `most`: the share of its variance that points may leave of a row
// that counts. A bank takes at most a block of rows at a time. The answer: which rows left and were set
// aside, of all that left, in their order.
inline std::vector<Index> absorb(const Basis& basis, const Kernel& kernel, const Rows& rows, double most,
                                 Checkpoint check, Window& open, Evidence& evidence, Bank& bank, Seen& seen,
                                 bool ready = false) {
  const Index B = rows.X.rows(), opening = std::min(B, rows.hold), first = B - opening;
  const Index leaving = open.size() > rows.hold - opening ? open.size() - (rows.hold - opening) : 0;
  const Fading then = open.fading().after(rows.times);
  const double left = open.fading().left(then);
  open.reserve(basis.size(), opening);
  bank.reserve(basis.size(), leaving + first);
  std::vector<Index> aside;
  const auto note = [&](const auto& flags, Index count, Index from) {
    for (Index i = 0; i < count; ++i)
      if (flags[i] != 0) aside.push_back(from + i);
  };
  if (open.count_apart() > 0) note(open.apart(leaving), leaving, 0);
  const bool few = B <= absorb_block;
  const auto shown = rows.X.bottomRows(few ? B : opening);
  if (!ready || !few) see(basis, kernel, shown, check, seen);
  seen.apart = apart(kernel, shown, seen.r, most);
  if (few && first == 0) {
    settle_open(leaving, open, rows.trend, evidence);  // as they counted before, and fade with the others
    if (left != 1.0) forget(left, evidence);
  } else if (few && left == 1.0) {
    if (seen.apart.size() > 0) note(seen.apart, first, leaving);
    settle_both(leaving, open, first, seen, rows, then, evidence);
  } else {
    Evidence grown = evidence;
    settle_open(leaving, open, rows.trend, grown);
    if (left != 1.0) forget(left, grown);
    const std::vector<char> odd = settle_first(first, basis, kernel, rows, then, most, check, grown);
    note(odd.data(), first, leaving);
    evidence = std::move(grown);
  }
  if (!bank.empty()) {
    bank.wait(open.features().leftCols(leaving), open.residuals(leaving), open.said_sites(leaving),
              rows.trend.at(open.inputs(leaving)), open.times(leaving));
    Sites own = rows.sites.topRows(first);
    silence(seen.apart.head(std::min(first, seen.apart.size())), own);
    bank.wait(seen.A.leftCols(first), seen.r.head(first), own, rows.trend.at(rows.X.topRows(first)),
              rows.times.head(first));
  }
  open.set_fading(then);
  open.drop(leaving);
  open.push(rows.X.bottomRows(opening), rows.y.tail(opening), seen.r.tail(opening),
            rows.sites.bottomRows(opening), seen.A.rightCols(opening),
            seen.apart.tail(std::min(opening, seen.apart.size())), rows.times.tail(opening),
            rows.told.bottomRows(open.tells() ? opening : 0));
  return aside;
}

}  // namespace gpstream

#endif
