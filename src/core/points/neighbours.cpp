#include "neighbours.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../linear/vector/distance.h"
#include "../linear/vector/near.h"

namespace gpstream {

Cells::Cells(const Ball& ball, const ConstMatrixView& Z) : D_(Z.cols()), r2_(ball.r2) {
  for (Index d = 0; d < D_; ++d) {
    inverse_[d] = ball.inverse(d);
    per_cell_[d] = ball.inverse(d) / (std::sqrt(ball.r2) * (1 + 1e-6));
  }
  list_around();
  fill(Z);
}

std::optional<bool> Cells::near(const ConstMatrixView& X, Index i) const {
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

void Cells::joined(const ConstMatrixView& Z) {
  if (2 * Z.rows() > static_cast<Index>(heads_.size()))
    fill(Z);
  else
    put(Z, Z.rows() - 1);
}

bool Cells::any_in(std::size_t where, const double* x) const {
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

bool Cells::cell(double x, Index d, double limit, std::int64_t& own) const {
  const double t = x * per_cell_[d];
  if (!(std::abs(t) < limit)) return false;
  own = static_cast<std::int64_t>(t);
  own -= static_cast<double>(own) > t;  // down, not towards 0
  return true;
}

std::uint64_t Cells::mix(std::int64_t cell, Index d) {
  constexpr std::uint64_t primes[3] = {0x9E3779B97F4A7C15ULL, 0xC2B2AE3D27D4EB4FULL, 0x165667B19E3779F9ULL};
  return static_cast<std::uint64_t>(cell) * primes[d];
}

std::size_t Cells::place(std::uint64_t h) const {
  return static_cast<std::size_t>((h ^ (h >> 32)) & (heads_.size() - 1));
}

void Cells::list_around() {
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

void Cells::fill(const ConstMatrixView& Z) {
  std::size_t size = 64;
  while (size < 4 * static_cast<std::size_t>(Z.rows() + 1)) size *= 2;
  heads_.assign(size, none);
  points_.clear();
  for (Index j = 0; j < Z.rows(); ++j) put(Z, j);
}

void Cells::put(const ConstMatrixView& Z, Index j) {
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

Neighbours::Neighbours(Ball ball, const ConstMatrixView& Z, Index rows) : ball_(std::move(ball)) {
  if (Z.cols() <= 3 && rows >= 32) cells_.emplace(ball_, Z);
}

bool Neighbours::near(const ConstMatrixView& Z, const ConstMatrixView& X, Index i) {
  if (Z.rows() == 0) return false;
  if (cells_)
    if (const std::optional<bool> answer = cells_->near(X, i)) return *answer;
  if (last_ < Z.rows() && near_one_of(Z, last_, 1, X, i)) return true;
  return near_one_of(Z, 0, Z.rows(), X, i);
}

void Neighbours::joined(const ConstMatrixView& Z) {
  last_ = Z.rows() - 1;
  if (cells_) cells_->joined(Z);
}

bool Neighbours::near_one_of(const ConstMatrixView& Z, Index first, Index count, const ConstMatrixView& X,
                             Index i) {
  const vector::Rows rows{Z.data() + first, count, Z.outerStride()};
  const Index j =
      vector::near_row(rows, {X.data() + i, X.outerStride()}, {ball_.inverse.data(), 1}, Z.cols(), ball_.r2);
  if (j >= 0) last_ = first + j;
  return j >= 0;
}

}  // namespace gpstream
