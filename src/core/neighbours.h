// Is a row within a ball about some point? Distances only, no kernel is evaluated.
//   a few rows, or many columns   all points in blocks, until one is near enough, the one that was so last first
//   many rows, up to 3 columns    only the points in the cells around the row: cells have the side of the radius, and a
//                                 hash table has the points of each. What else lands in the same place costs a look.
#ifndef GPSTREAM_NEIGHBOURS_H
#define GPSTREAM_NEIGHBOURS_H

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernel.h"

namespace gpstream {

class Neighbours {
 public:
  // For about `rows` questions. Z are the points so far; tell of each that joins.
  Neighbours(Ball ball, const ConstMatrixView& Z, Index rows)
      : ball_(std::move(ball)), D_(Z.cols()), cells_(D_ <= 3 && rows >= 32) {
    if (!cells_) return;
    per_cell_ = ball_.inverse / (std::sqrt(ball_.r2) * (1 + 1e-6));
    fill(Z);
  }

  // Row i of X; Z all points that have joined.
  bool near(const ConstMatrixView& Z, const ConstMatrixView& X, Index i) {
    if (Z.rows() == 0) return false;
    if (last_ < Z.rows() && within(Z, last_, X, i)) return true;
    return cells_ ? near_by_cells(Z, X, i) : near_by_scan(Z, X, i);
  }

  // The last row of Z has joined.
  void joined(const ConstMatrixView& Z) {
    last_ = Z.rows() - 1;
    if (!cells_) return;
    if (2 * Z.rows() > static_cast<Index>(heads_.size()))
      fill(Z);
    else
      put(Z, Z.rows() - 1);
  }

 private:
  using Cell = std::int64_t[3];
  static constexpr Index none = -1;

  bool within(const ConstMatrixView& Z, Index j, const ConstMatrixView& X, Index i) const {
    double r2 = 0.0;
    for (Index d = 0; d < D_; ++d) {
      const double t = (Z(j, d) - X(i, d)) * ball_.inverse(d);
      r2 += t * t;
    }
    return r2 <= ball_.r2;
  }

  bool near_by_scan(const ConstMatrixView& Z, const ConstMatrixView& X, Index i) {
    constexpr Index block = 8;
    const Index M = Z.rows(), whole = M - M % block;
    using Block = Eigen::Array<double, block, 1>;
    for (Index j = 0; j < whole; j += block) {
      Block r2 = Block::Zero();
      for (Index d = 0; d < D_; ++d) r2 += ((Z.col(d).segment<block>(j).array() - X(i, d)) * ball_.inverse(d)).square();
      if (r2.minCoeff() <= ball_.r2) {
        for (last_ = j; !within(Z, last_, X, i);) ++last_;
        return true;
      }
    }
    for (Index j = whole; j < M; ++j)
      if (within(Z, j, X, i)) {
        last_ = j;
        return true;
      }
    return false;
  }

  bool near_by_cells(const ConstMatrixView& Z, const ConstMatrixView& X, Index i) {
    Cell at = {0, 0, 0};
    if (!cell(X, i, at)) return near_by_scan(Z, X, i);
    const int y = D_ > 1 ? 1 : 0, z = D_ > 2 ? 1 : 0;
    if (any_in(Z, X, i, place(at[0], at[1], at[2]))) return true;
    for (int c = -z; c <= z; ++c)
      for (int b = -y; b <= y; ++b)
        for (int a = -1; a <= 1; ++a)
          if ((a != 0 || b != 0 || c != 0) && any_in(Z, X, i, place(at[0] + a, at[1] + b, at[2] + c))) return true;
    return false;
  }

  bool any_in(const ConstMatrixView& Z, const ConstMatrixView& X, Index i, std::size_t where) {
    for (Index j = heads_[where]; j != none; j = next_[static_cast<std::size_t>(j)])
      if (within(Z, j, X, i)) {
        last_ = j;
        return true;
      }
    return false;
  }

  // False so far out that rounding could put a neighbour two cells away.
  bool cell(const ConstMatrixView& X, Index i, Cell& at) const {
    for (Index d = 0; d < D_; ++d) {
      const double t = X(i, d) * per_cell_(d);
      if (!(std::abs(t) < 1e9)) return false;
      at[d] = static_cast<std::int64_t>(std::floor(t));
    }
    return true;
  }

  std::size_t place(std::int64_t a, std::int64_t b, std::int64_t c) const {
    const auto mix = [](std::int64_t n, std::uint64_t prime) { return static_cast<std::uint64_t>(n) * prime; };
    const std::uint64_t h = mix(a, 0x9E3779B97F4A7C15ULL) ^ mix(b, 0xC2B2AE3D27D4EB4FULL) ^ mix(c, 0x165667B19E3779F9ULL);
    return static_cast<std::size_t>((h ^ (h >> 32)) & (heads_.size() - 1));
  }

  void fill(const ConstMatrixView& Z) {
    std::size_t size = 64;
    while (size < 4 * static_cast<std::size_t>(Z.rows() + 1)) size *= 2;
    heads_.assign(size, none);
    next_.clear();
    for (Index j = 0; j < Z.rows(); ++j) put(Z, j);
  }

  // A point too far out for a cell is in none: rows near it are as far out, and all points are looked at for them.
  void put(const ConstMatrixView& Z, Index j) {
    next_.push_back(none);
    Cell at = {0, 0, 0};
    if (!cell(Z, j, at)) return;
    Index& head = heads_[place(at[0], at[1], at[2])];
    next_.back() = head;
    head = j;
  }

  Ball ball_;
  Index D_, last_ = 0;
  bool cells_;
  Vector per_cell_;
  std::vector<Index> heads_, next_;
};

}  // namespace gpstream

#endif
