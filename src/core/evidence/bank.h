// Bank: what the settled rows said under other half-lives than the model's own, about the same points. The
// rows are seen once for all of them. Those that have settled in the model wait here until there are some, so
// that a row costs little more than without.  [derivation 19]
#ifndef GPSTREAM_BANK_H
#define GPSTREAM_BANK_H

#include <vector>

#include "fading.h"
#include "forget.h"
#include "settle.h"

namespace gpstream {

struct Strand {
  double half_life;
  double score = 0.0;  // of the rows it foretold, older ones counting less
  Evidence settled = Evidence();
};

struct Bank {
  std::vector<Strand> strands;
  double score = 0.0;  // of the model's own half-life
  Fading now;          // as of when the strands have faded
  GrowingMatrix rows;  // that wait: time, residual, site, trend functions and feature, one in each column

  bool empty() const { return strands.empty(); }
  Index waiting() const { return rows.cols(); }

  // A bank for these half-lives and a model that knows nothing.
  static Bank of(const std::vector<double>& half_lives, Index M, Index q) {
    Bank out;
    for (const double one : half_lives) out.strands.push_back({one, 0.0, Evidence(M, q)});
    if (!out.empty()) out.rows.resize(2 + site::columns + q + M, 0);
    return out;
  }

  // A point has joined, of which the rows know nothing; or the last ones never did.
  void reserve(Index M, Index incoming) {
    if (empty()) return;
    for (Strand& one : strands) one.settled.reserve(M);
    rows.reserve(head() + M, waiting() + incoming);
  }
  void append() {
    if (empty()) return;
    for (Strand& one : strands) one.settled.append();
    rows.resize(rows.rows() + 1, waiting());
    rows.view().bottomRows(1).setZero();
  }
  void truncate(Index M) {
    if (empty()) return;
    for (Strand& one : strands) one.settled.truncate(M);
    rows.resize(head() + M, waiting());
  }

  // None wait, and there are so many points now.
  void resize(Index M) {
    if (empty()) return;
    rows = GrowingMatrix();
    rows.resize(head() + M, 0);
  }

  // Rows settle in the model.
  void wait(const ConstMatrixView& W, const ConstVectorView& r, const Sites& own, const Matrix& T,
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

  // Those that wait settle in every strand, and all is as of `later`.
  void settle(const Fading& later) {
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

  // What stands above the feature.
  Index head() const { return 2 + site::columns + strands.front().settled.s.size(); }
};

}  // namespace gpstream

#endif
