// Window: the open rows, the newest of the stream, oldest first, `limit` of them (where sites depend on f, up
// to three times as many), each with its feature, residual, site and time, by which it fades. They are not in
// the evidence yet: when a point joins they extend their features, so a stream that moves is not settled
// before its points exist. Some may lie apart: they are held, and say nothing. Where sites depend on f, rows
// also keep what else was observed, so that they can be made anew.
#ifndef GPSTREAM_WINDOW_H
#define GPSTREAM_WINDOW_H

#include <algorithm>
#include <limits>

#include "../likelihoods/responses.h"
#include "../linear/growing.h"
#include "apart.h"
#include "fading.h"
#include "site.h"

namespace gpstream {

constexpr Index unlimited = std::numeric_limits<Index>::max();

// Rows from, ..., from + count - 1.
struct Span {
  Index from, count;
};

class Window {
 public:
  // `told`: do rows keep weight, second number and offset of their response?
  Window(Index limit, Index D, Index M, bool told = false) : limit_(limit), D_(D), told_(told ? 3 : 0) {
    rows_.reserve(fields(), 1);  // an empty window is not a null pointer
    rows_.resize(fields(), 0);
    W_.reserve(std::max<Index>(M, 1), 1);
    W_.resize(M, 0);
  }

  Index limit() const { return limit_; }
  Index size() const { return rows_.cols() - first_; }
  Index columns() const { return D_; }
  const Fading& fading() const { return fading_; }
  void set_fading(const Fading& fading) { fading_ = fading; }

  // Of the oldest `count` rows, all of them unless said. Copies, so that what is summed is aligned alike
  // wherever the rows stand.
  Matrix inputs(Index count) const { return rows_.view().block(0, first_, D_, count).transpose(); }
  Vector outputs(Index count) const { return rows_.view().row(D_).segment(first_, count).transpose(); }
  Vector residuals(Index count) const { return rows_.view().row(D_ + 1).segment(first_, count).transpose(); }
  // 1 for a row that lies apart, 0 for others.
  Vector apart(Index count) const {
    return rows_.view().row(D_ + 2 + site::columns).segment(first_, count).transpose();
  }
  Vector times(Index count) const {
    return rows_.view().row(D_ + 3 + site::columns).segment(first_, count).transpose();
  }
  // As it was observed, y measured from the offset. (Of rows that do not keep it, y alone.)
  Responses responses() const {
    Responses out{outputs()};
    if (told_ == 0) return out;
    const Matrix told = this->told();
    out.weights = told.col(0);
    out.more = told.col(1);
    out.offset = told.col(2);
    return out;
  }
  bool tells() const { return told_ > 0; }
  Matrix told() const { return rows_.view().bottomRows(told_).rightCols(size()).transpose(); }
  // As they came; those that do not lie apart alone; and as these count by now.
  Sites own_sites(Index count) const {
    return rows_.view().block(D_ + 2, first_, site::columns, count).transpose();
  }
  Sites said_sites(Index count) const {
    Sites out = own_sites(count);
    if (apart_ > 0) silence(apart(count), out);
    return out;
  }
  // With the half-life there is, or with another.
  Sites sites(Index count, const Fading& fading) const {
    if (!fading.fades()) return said_sites(count);
    return fading.shares(times(count)).asDiagonal() * said_sites(count);
  }
  Sites sites(Index count) const { return sites(count, fading_); }
  Matrix inputs() const { return inputs(size()); }
  Vector outputs() const { return outputs(size()); }
  Vector residuals() const { return residuals(size()); }
  Vector times() const { return times(size()); }
  Sites sites() const { return sites(size()); }
  Sites own_sites() const { return own_sites(size()); }
  Vector apart() const { return apart(size()); }
  Index count_apart() const { return apart_; }
  ConstMatrixView features() const { return W_.view().rightCols(size()); }

  // The rows of a stretch alone, and those outside it.
  Window part(const Span& rows) const { return picked(rows, {0, 0}); }
  Window without(const Span& rows) const {
    return picked({0, rows.from}, {rows.from + rows.count, size() - rows.from - rows.count});
  }

  // Room for `extend` and `push`; the only step that can fail.
  void reserve(Index M, Index incoming) {
    if (first_ > 0 && first_ >= size()) compact();
    const Index cols = rows_.cols() + incoming;
    rows_.reserve(fields(), cols);
    W_.reserve(M, cols);
  }

  // A point has joined: entry `fresh(i)` is added to the feature of row i, and its residual falls by the
  // square.
  void extend(const ConstVectorView& fresh) {
    const Index M = W_.rows();
    W_.resize(M + 1, W_.cols());
    W_.view().row(M).tail(size()) = fresh.transpose();
    MatrixView stored = rows_.view();
    for (Index i = 0; i < size(); ++i) {
      double& r = stored(D_ + 1, first_ + i);
      r = std::max(r - fresh(i) * fresh(i), 0.0);
    }
  }

  // Undo `extend`.
  void truncate(Index M, const ConstVectorView& residuals) {
    W_.resize(M, W_.cols());
    rows_.view().row(D_ + 1).tail(size()) = residuals.transpose();
  }

  // New rows with features A. `apart`: which of them lie apart; empty where none does. `told`: as told() has
  // it.
  void push(const ConstMatrixView& X, const ConstVectorView& y, const ConstVectorView& r, const Sites& sites,
            const ConstMatrixView& A, const ConstVectorView& apart, const ConstVectorView& times,
            const Matrix& told = Matrix()) {
    const Index B = X.rows(), at = rows_.cols();
    rows_.resize(fields(), at + B);
    W_.resize(A.rows(), at + B);
    MatrixView stored = rows_.view();
    stored.block(0, at, D_, B) = X.transpose();
    stored.row(D_).tail(B) = y.transpose();
    stored.row(D_ + 1).tail(B) = r.transpose();
    stored.block(D_ + 2, at, site::columns, B) = sites.transpose();
    stored.row(D_ + 3 + site::columns).tail(B) = times.transpose();
    stored.row(D_ + 2 + site::columns).tail(B).setZero();
    if (told_ > 0) stored.bottomRows(told_).rightCols(B) = told.transpose();
    W_.view().rightCols(B) = A;
    if (apart.size() == 0) return;
    stored.row(D_ + 2 + site::columns).tail(B) = apart.transpose();
    apart_ += static_cast<Index>(apart.sum());
  }

  // The oldest go.
  void drop(Index count) {
    if (apart_ > 0) apart_ -= static_cast<Index>(apart(count).sum());
    first_ += count;
  }

  // Row i goes, as if it had never come.
  void remove(Index i) {
    if (rows_.view()(D_ + 2 + site::columns, first_ + i) != 0) --apart_;
    for (Index j = first_ + i; j > first_; --j) {
      rows_.view().col(j) = rows_.view().col(j - 1);
      W_.view().col(j) = W_.view().col(j - 1);
    }
    ++first_;
  }

  // Other sites for the same rows, as they came.
  void set_sites(const Sites& sites) {
    rows_.view().block(D_ + 2, first_, site::columns, size()) = sites.transpose();
  }

  void set_apart(const ConstVectorView& apart) {
    rows_.view().row(D_ + 2 + site::columns).tail(size()) = apart.transpose();
    apart_ = static_cast<Index>(apart.sum());
  }

  // Every row counts so much less.
  void weigh_down(double keep) {
    set_sites(keep * own_sites());
    if (told_ > 0) rows_.view().row(fields() - told_).tail(size()) *= keep;
  }

  // Times that are counted from elsewhere.
  void set_times(const ConstVectorView& times) {
    rows_.view().row(D_ + 3 + site::columns).tail(size()) = times.transpose();
  }

  // Outputs that are measured from elsewhere.
  void set_outputs(const ConstVectorView& y) { rows_.view().row(D_).tail(size()) = y.transpose(); }

  // The same rows under other points.
  void set_features(const ConstMatrixView& W, const ConstVectorView& r) {
    Window again(limit_, D_, W.rows(), tells());
    again.reserve(W.rows(), size());
    again.push(inputs(), outputs(), r, own_sites(), W, apart(), times(), told());
    again.fading_ = fading_;
    *this = std::move(again);
  }

 private:
  Index fields() const { return D_ + 4 + site::columns + told_; }

  Window picked(const Span& a, const Span& b) const {
    Window out(limit_, D_, W_.rows(), tells());
    out.fading_ = fading_;
    out.reserve(W_.rows(), a.count + b.count);
    out.rows_.resize(fields(), a.count + b.count);
    out.W_.resize(W_.rows(), a.count + b.count);
    const auto pick = [&](const auto& all, MatrixView into) {
      into << all.middleCols(first_ + a.from, a.count), all.middleCols(first_ + b.from, b.count);
    };
    pick(rows_.view(), out.rows_.view());
    pick(W_.view(), out.W_.view());
    if (apart_ > 0) out.apart_ = static_cast<Index>(out.apart().sum());
    return out;
  }

  // Called when at least half of the columns are past, so that the copy costs O(M) a row and does not
  // overlap.
  void compact() {
    const Index keep = size();
    for (Index j = 0; j < keep; ++j) {
      rows_.view().col(j) = rows_.view().col(first_ + j);
      W_.view().col(j) = W_.view().col(first_ + j);
    }
    rows_.resize(rows_.rows(), keep);
    W_.resize(W_.rows(), keep);
    first_ = 0;
  }

  Index limit_, D_, told_, first_ = 0, apart_ = 0;
  Fading fading_;
  // x, y, r, the site, whether it lies apart, the time and what else was told of one row in each column
  GrowingMatrix rows_;
  GrowingMatrix W_;  // its feature
};

}  // namespace gpstream

#endif
