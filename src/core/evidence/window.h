// The look-back window: the last `limit` rows with their features, oldest first. When a point joins they
// extend their features instead of being padded with zero, so a stream that moves is not absorbed before its
// points exist.
#ifndef GPSTREAM_WINDOW_H
#define GPSTREAM_WINDOW_H

#include <algorithm>
#include <limits>

#include "../linear/growing.h"

namespace gpstream {

constexpr Index unlimited = std::numeric_limits<Index>::max();

class Window {
 public:
  Window(Index limit, Index D, Index M) : limit_(limit), D_(D) {
    rows_.reserve(D + 2, 1);  // an empty window is not a null pointer
    rows_.resize(D + 2, 0);
    W_.reserve(std::max<Index>(M, 1), 1);
    W_.resize(M, 0);
  }

  Index limit() const { return limit_; }
  Index size() const { return rows_.cols() - first_; }

  Matrix inputs() const { return rows_.view().block(0, first_, D_, size()).transpose(); }
  Vector outputs() const { return rows_.view().row(D_).tail(size()).transpose(); }
  Vector residuals() const { return rows_.view().row(D_ + 1).tail(size()).transpose(); }
  double residual() const { return rows_.view().row(D_ + 1).tail(size()).sum(); }
  ConstMatrixView features() const { return W_.view().rightCols(size()); }

  // Room for `extend` and `push`; the only step that can fail.
  void reserve(Index M, Index incoming) {
    if (first_ > 0 && first_ >= size()) compact();
    const Index cols = rows_.cols() + std::min(incoming, limit_);
    rows_.reserve(D_ + 2, cols);
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

  // The newest rows (at most `limit` of them) enter, the oldest leave; returns the residual that left.
  double push(const ConstMatrixView& X, const ConstVectorView& y, const ConstVectorView& r,
              const ConstMatrixView& A) {
    const Index B = X.rows(), leaving = size() > limit_ - B ? size() - (limit_ - B) : 0;
    const double left = rows_.view().row(D_ + 1).segment(first_, leaving).sum();
    first_ += leaving;
    const Index at = rows_.cols();
    rows_.resize(D_ + 2, at + B);
    W_.resize(A.rows(), at + B);
    MatrixView stored = rows_.view();
    stored.block(0, at, D_, B) = X.transpose();
    stored.row(D_).tail(B) = y.transpose();
    stored.row(D_ + 1).tail(B) = r.transpose();
    W_.view().rightCols(B) = A;
    return left;
  }

  // Undo `extend`.
  void truncate(Index M, const ConstVectorView& residuals) {
    W_.resize(M, W_.cols());
    rows_.view().row(D_ + 1).tail(size()) = residuals.transpose();
  }

 private:
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

  Index limit_, D_, first_ = 0;
  GrowingMatrix rows_;  // x, y, r of one row of the stream in each column
  GrowingMatrix W_;     // its feature
};

}  // namespace gpstream

#endif
