// Points in cells with the side of the ball, in up to 3 columns: whatever is within the ball about a row is
// in its own cell or one of those around it. A hash table has the points of each cell; what else lands in the
// same place costs a look.
#ifndef GPSTREAM_CELLS_H
#define GPSTREAM_CELLS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "../kernels/kernel.h"

namespace gpstream {

class Cells {
 public:
  Cells(const Ball& ball, const ConstMatrixView& Z) : D_(Z.cols()), r2_(ball.r2) {
    for (Index d = 0; d < D_; ++d) {
      inverse_[d] = ball.inverse(d);
      per_cell_[d] = ball.inverse(d) / (std::sqrt(ball.r2) * (1 + 1e-6));
    }
    list_around();
    fill(Z);
  }

  // Is any point within the ball about row i of X? Empty so far out that rounding could put a neighbour two
  // cells away. Of the two cells next to the row's own along an axis one is nearer: those come first. The
  // choice of them takes no branch, since none could be predicted.
  std::optional<bool> near(const ConstMatrixView& X, Index i) const {
    double x[3] = {};
    std::uint64_t hash[3][3] = {};  // by axis, of the own, the nearer and the farther cell
    for (Index d = 0; d < D_; ++d) {
      x[d] = X(i, d);
      std::int64_t own;
      if (!cell(x[d], d, outermost, own)) return std::nullopt;
      const std::int64_t side =
          2 * static_cast<std::int64_t>(x[d] * per_cell_[d] - static_cast<double>(own) >= 0.5) - 1;
      hash[d][0] = mix(own, d);
      hash[d][1] = mix(own + side, d);
      hash[d][2] = mix(own - side, d);
    }
    for (const Around& to : around_)
      if (any_in(place(hash[0][to[0]] ^ hash[1][to[1]] ^ hash[2][to[2]]), x)) return true;
    return false;
  }

  // The last row of Z has joined.
  void joined(const ConstMatrixView& Z) {
    if (2 * Z.rows() > static_cast<Index>(heads_.size()))
      fill(Z);
    else
      put(Z, Z.rows() - 1);
  }

 private:
  struct Point {
    double at[3];
    Index next;  // in the same place
  };
  using Around = std::array<unsigned char, 3>;
  static constexpr Index none = -1;
  static constexpr double outermost = 1e9;  // cell of a row

  bool any_in(std::size_t where, const double* x) const {
    for (Index j = heads_[where]; j != none; j = points_[static_cast<std::size_t>(j)].next) {
      const Point& z = points_[static_cast<std::size_t>(j)];
      double r2 = 0.0;
      for (Index d = 0; d < D_; ++d) {
        const double t = (z.at[d] - x[d]) * inverse_[d];
        r2 += t * t;
      }
      if (r2 <= r2_) return true;
    }
    return false;
  }

  bool cell(double x, Index d, double limit, std::int64_t& own) const {
    const double t = x * per_cell_[d];
    if (!(std::abs(t) < limit)) return false;
    own = static_cast<std::int64_t>(t);
    own -= static_cast<double>(own) > t;  // down, not towards 0
    return true;
  }

  static std::uint64_t mix(std::int64_t cell, Index d) {
    constexpr std::uint64_t primes[3] = {0x9E3779B97F4A7C15ULL, 0xC2B2AE3D27D4EB4FULL, 0x165667B19E3779F9ULL};
    return static_cast<std::uint64_t>(cell) * primes[d];
  }
  std::size_t place(std::uint64_t h) const {
    return static_cast<std::size_t>((h ^ (h >> 32)) & (heads_.size() - 1));
  }

  // Own (0), nearer (1) or farther (2) along each axis: the fewer farther ones the earlier, then the fewer
  // nearer ones.
  void list_around() {
    for (unsigned char c = 0; c < (D_ > 2 ? 3 : 1); ++c)
      for (unsigned char b = 0; b < (D_ > 1 ? 3 : 1); ++b)
        for (unsigned char a = 0; a < 3; ++a) around_.push_back({a, b, c});
    const auto late = [](const Around& to) {
      int sum = 0;
      for (unsigned char one : to) sum += one == 2 ? 4 : one;
      return sum;
    };
    std::stable_sort(around_.begin(), around_.end(),
                     [&](const Around& p, const Around& q) { return late(p) < late(q); });
  }

  void fill(const ConstMatrixView& Z) {
    std::size_t size = 64;
    while (size < 4 * static_cast<std::size_t>(Z.rows() + 1)) size *= 2;
    heads_.assign(size, none);
    points_.clear();
    for (Index j = 0; j < Z.rows(); ++j) put(Z, j);
  }

  // A point too far out for a cell is in none: rows near it are too far out, too.
  void put(const ConstMatrixView& Z, Index j) {
    points_.push_back({{0, 0, 0}, none});
    std::uint64_t h = 0;
    for (Index d = 0; d < D_; ++d) {
      std::int64_t own;
      if (!cell(Z(j, d), d, outermost + 2, own)) return;
      h ^= mix(own, d);
      points_.back().at[d] = Z(j, d);
    }
    Index& head = heads_[place(h)];
    points_.back().next = head;
    head = j;
  }

  Index D_;
  double r2_, inverse_[3], per_cell_[3];
  std::vector<Around> around_;
  std::vector<Index> heads_;
  std::vector<Point> points_;
};

}  // namespace gpstream

#endif
