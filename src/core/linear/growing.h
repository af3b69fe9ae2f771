// Storage that grows at the end without copying anything large: capacity doubles, `view()` is the part in
// use.
//
// The leading dimension is a multiple of eight, so that every column starts at the same alignment whatever
// the capacity: vectorised sums then add in the same order, and a model read from disk continues bitwise as
// the one that was saved.
#ifndef GPSTREAM_GROWING_H
#define GPSTREAM_GROWING_H

#include <algorithm>

#include "types.h"

namespace gpstream {

inline Index grown(Index wanted, Index now) { return wanted <= now ? now : std::max(wanted, 2 * now); }

class GrowingMatrix {
 public:
  GrowingMatrix() = default;
  explicit GrowingMatrix(const ConstMatrixView& values);
  // A copy has what is in use, and no more room than that.
  GrowingMatrix(const GrowingMatrix& other);
  // What was moved is empty, and can be used again.
  GrowingMatrix(GrowingMatrix&& other) noexcept;
  GrowingMatrix& operator=(GrowingMatrix other) noexcept;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  MatrixView view() { return data_.topLeftCorner(rows_, cols_); }
  ConstMatrixView view() const { return data_.topLeftCorner(rows_, cols_); }

  // Make room; the only step that can fail. What is in use keeps its values.
  void reserve(Index rows, Index cols);

  // New entries are not initialised; shrinking keeps the head.
  void resize(Index rows, Index cols) {
    reserve(rows, cols);
    rows_ = rows;
    cols_ = cols;
  }

 private:
  Matrix data_;
  Index rows_ = 0, cols_ = 0;
};

class GrowingVector {
 public:
  GrowingVector() = default;
  explicit GrowingVector(const ConstVectorView& values) : data_(values), size_(values.size()) {}

  Index size() const { return size_; }
  VectorView view() { return data_.head(size_); }
  ConstVectorView view() const { return data_.head(size_); }
  void reserve(Index size);
  void resize(Index size) {
    reserve(size);
    size_ = size;
  }
  void push(double value) {
    resize(size_ + 1);
    data_(size_ - 1) = value;
  }

 private:
  Vector data_;
  Index size_ = 0;
};

}  // namespace gpstream

#endif
