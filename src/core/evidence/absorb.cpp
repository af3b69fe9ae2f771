#include "absorb.h"

#include <cstddef>
#include <utility>

#include "forget.h"
#include "merge.h"
#include "settle.h"

namespace gpstream {

Bank Bank::of(const std::vector<double>& half_lives, Index M, Index q) {
  Bank out;
  for (const double one : half_lives) out.strands.push_back({one, 0.0, Evidence(M, q)});
  if (!out.empty()) out.rows.resize(2 + site::columns + q + M, 0);
  return out;
}

void Bank::reserve(Index M, Index incoming) {
  if (empty()) return;
  for (Strand& one : strands) one.settled.reserve(M);
  rows.reserve(head() + M, waiting() + incoming);
}

void Bank::append() {
  if (empty()) return;
  for (Strand& one : strands) one.settled.append();
  rows.resize(rows.rows() + 1, waiting());
  rows.view().bottomRows(1).setZero();
}

void Bank::truncate(Index M) {
  if (empty()) return;
  for (Strand& one : strands) one.settled.truncate(M);
  rows.resize(head() + M, waiting());
}

void Bank::resize(Index M) {
  if (empty()) return;
  rows = GrowingMatrix();
  rows.resize(head() + M, 0);
}

void Bank::wait(const ConstMatrixView& W, const ConstVectorView& r, const Sites& own, const Matrix& T,
                const ConstVectorView& times) {
  if (empty() || r.size() == 0) return;
  const Index at = waiting(), n = r.size(), q = T.cols();
  rows.resize(rows.rows(), at + n);
  MatrixView added = rows.view().rightCols(n);
  added.row(0) = times.transpose();
  added.row(1) = r.transpose();
  added.middleRows(2, site::columns) = own.transpose();
  added.middleRows(2 + site::columns, q) = T.transpose();
  added.bottomRows(W.rows()) = W;
}

void Bank::settle(const Fading& later) {
  if (empty()) return;
  const Index n = waiting(), q = strands.front().settled.s.size();
  const ConstMatrixView held = rows.view();
  const Vector times = held.row(0).transpose(), r = held.row(1).transpose();
  const Sites own = held.middleRows(2, site::columns).transpose();
  const Matrix T = held.middleRows(2 + site::columns, q).transpose();
  const ConstMatrixView W = held.bottomRows(held.rows() - head());
  for (Strand& one : strands) {
    const Fading fading = later.with(one.half_life);
    const double left = now.with(one.half_life).left(fading);
    if (left != 1.0) forget(left, one.settled);
    const Sites sites = fading.shares(times).asDiagonal() * own;
    if (n > 0) gpstream::settle(W, r, sites, T, one.settled);
  }
  rows.resize(rows.rows(), 0);
  now = later;
}

Sites Rows::first(Index count, const Fading& then) const {
  if (!then.fades()) return sites.topRows(count);
  return then.shares(times.head(count)).asDiagonal() * sites.topRows(count);
}

void see(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X, Checkpoint check, Seen& out) {
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

void settle_open(Index count, const Window& open, const Trend& trend, Evidence& evidence) {
  settle(open.features().leftCols(count), open.residuals(count), open.sites(count),
         trend.at(open.inputs(count)), evidence);
}

std::vector<char> settle_first(Index n, const Basis& basis, const Kernel& kernel, const Rows& rows,
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

namespace {

// The oldest of the open rows and the first that were seen, in one step; nothing fades with it.
void settle_both(Index leaving, const Window& open, Index first, const Seen& seen, const Rows& rows,
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

}  // namespace

std::vector<Index> absorb(const Basis& basis, const Kernel& kernel, const Rows& rows, double most,
                          Checkpoint check, Window& open, Evidence& evidence, Bank& bank, Seen& seen,
                          bool ready) {
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
