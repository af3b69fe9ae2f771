// Memory: rows that a model keeps to learn its kernel from. At most `limit` of them: all, while the stream is
// no longer; then blocks of consecutive rows whose numbers have the smallest hashes, an even sample of the
// whole stream, or one that fades, that does not depend on how it is cut, and the latest rows.
#ifndef GPSTREAM_LEARN_MEMORY_H
#define GPSTREAM_LEARN_MEMORY_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "../linear/growing.h"
#include "../linear/require.h"
#include "sample.h"

namespace gpstream {

// A number between 0 and 2^64 that looks like chance (splitmix64).
inline std::uint64_t scattered(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

class Memory {
 public:
  static constexpr Index block = 10;

  // `others`: outputs after the first.
  explicit Memory(Index limit = 0, Index D = 0, Index others = 0) : limit_(limit), D_(D), others_(others) {
    rows_.resize(fields(), 0);
  }
  Memory(Index limit, double seen, double origin, const Matrix& rows, std::vector<double> parts = {0.0},
         Index others = 0)
      : limit_(limit),
        D_(rows.rows() - 3 - others),
        others_(others),
        seen_(seen),
        origin_(origin),
        parts_(std::move(parts)),
        rows_(rows) {}

  // For a part of a stream, of which so many rows come before it; others keep those.
  static Memory after(double rows, Index limit, Index D) {
    return Memory(limit, rows, rows, Matrix(D + 3, 0));
  }

  Index limit() const { return limit_; }
  Index columns() const { return D_; }
  double seen() const { return seen_; }      // rows of the stream
  double origin() const { return origin_; }  // those before it do not count any more
  double since_origin() const { return seen_ - origin_; }
  bool whole() const { return since_origin() <= static_cast<double>(limit_); }
  ConstMatrixView stored() const { return rows_.view(); }
  const std::vector<double>& parts() const { return parts_; }

  // One row after the other, so that what is stored does not depend on the cut.
  void add(const Sample& batch) {
    for (Index i = 0; i < batch.size(); ++i) {
      const Index at = rows_.cols();
      rows_.resize(fields(), at + 1);
      rows_.view().col(at).head(D_ + 3) << seen_, batch.y(i), batch.weights(i), batch.X.row(i).transpose();
      if (others_ > 0) rows_.view().col(at).tail(others_) = batch.told.others.row(i).transpose();
      seen_ += 1.0;
      if (at + 1 >= limit_ + latest()) prune();
    }
  }

  // The rows of another stream, numbered on from those of this one. Blocks keep the hashes they have in their
  // own stream, so that the smallest of all are among those that either kept.
  void merge(const Memory& other) {
    const Index at = rows_.cols(), more = other.rows_.cols();
    limit_ = std::min(limit_, other.limit_);
    rows_.resize(fields(), at + more);
    rows_.view().rightCols(more) = other.rows_.view();
    rows_.view().row(0).tail(more).array() += seen_;
    for (const double part : other.parts_)
      if (part > 0 || seen_ > 0) parts_.push_back(seen_ + part);
    seen_ += other.seen_;
    prune();
  }

  // The next part of the same stream, kept elsewhere: what one memory would hold that had seen both.
  void go_on(const Memory& next) {
    require(next.origin_ == seen_ && next.D_ == D_ && next.others_ == others_ && next.parts_ == parts_,
            "input", "parts of a stream are put together in their order.");
    const Index at = rows_.cols(), more = next.rows_.cols();
    rows_.resize(fields(), at + more);
    rows_.view().rightCols(more) = next.rows_.view();
    seen_ = next.seen_;
    prune();
  }

  // Only so many are kept from now on.
  void set_limit(Index limit) {
    limit_ = limit;
    prune();
  }

  // The oldest row that is this one, if it is kept, goes.
  void remove(const ConstVectorView& x, double y, const RowVector& others = RowVector()) {
    MatrixView stored = rows_.view();
    const Index n = rows_.cols();
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (Index i = 0; i < n; ++i) {
      bool found = same(stored(1, i), y) && (stored.col(i).segment(3, D_).array() == x.array()).all();
      for (Index k = 0; k < others_ && found; ++k) found = same(stored(D_ + 3 + k, i), others(k));
      if (!found) continue;
      for (Index j = i; j + 1 < n; ++j) stored.col(j) = stored.col(j + 1);
      return rows_.resize(fields(), n - 1);
    }
  }

  // By how fast they are to fade, in rows.
  void set_half_life(double half_life) { half_life_ = half_life; }

  // Rows before this one are forgotten.
  void start_from(double origin) {
    origin_ = origin;
    prune();
  }

  Sample rows() const { return sample(kept()); }
  // Their numbers in the stream, from 1.
  Vector numbers() const { return rows().numbers; }
  // The newest ones.
  Sample newest(Index count) const {
    const std::vector<Index> all = kept();
    const Index some = std::min<Index>(count, static_cast<Index>(all.size()));
    return sample({all.end() - some, all.end()});
  }
  // At most `most` rows in whole blocks, those with the smallest hashes.
  Sample part(Index most) const {
    const std::vector<Index> all = kept();
    if (static_cast<Index>(all.size()) <= most) return sample(all);
    const std::set<Ticket> best = tickets(all, most / block);
    std::vector<Index> out;
    for (const Index i : all)
      if (best.count(ticket(i)) > 0) out.push_back(i);
    return sample(out);
  }

 private:
  using Ticket = std::tuple<double, std::uint64_t, std::uint64_t, std::uint64_t>;

  Index fields() const { return D_ + 3 + others_; }
  Index latest() const { return limit_ / 5; }
  // By the hash of the block in the stream that the row came with. Where rows fade, blocks are drawn with
  // chances that fade alike: u, uniform, belongs to a block that came at t, and the blocks with the smallest
  // -log(1 - u) 2^(-t / half-life) stay.
  Ticket ticket(Index i) const {
    const double number = rows_.view()(0, i);
    const auto next = std::upper_bound(parts_.begin(), parts_.end(), number);
    const double first = *std::prev(next);
    const auto own = static_cast<std::uint64_t>(number - first) / static_cast<std::uint64_t>(block);
    const std::uint64_t hash = scattered(own);
    double key = 0.0;
    if (std::isfinite(half_life_)) {
      const double u = (static_cast<double>(hash >> 11) + 0.5) * 0x1p-53;
      const double t = first + static_cast<double>(own * static_cast<std::uint64_t>(block));
      key = std::log(-std::log1p(-u)) - t * std::log(2.0) / half_life_;
    }
    return {key, hash, static_cast<std::uint64_t>(next - parts_.begin()), own};
  }
  // The smallest tickets of these rows.
  std::set<Ticket> tickets(const std::vector<Index>& of, Index count) const {
    std::set<Ticket> out;
    for (const Index i : of) {
      out.insert(ticket(i));
      if (static_cast<Index>(out.size()) > count) out.erase(std::prev(out.end()));
    }
    return out;
  }

  std::vector<Index> kept() const {
    std::vector<Index> all;
    for (Index i = 0; i < rows_.cols(); ++i)
      if (rows_.view()(0, i) >= origin_) all.push_back(i);
    if (whole()) return all;
    const std::set<Ticket> best = tickets(all, (limit_ - latest()) / block);
    const double recent = seen_ - static_cast<double>(latest());
    std::vector<Index> out;
    for (const Index i : all)
      if (rows_.view()(0, i) >= recent || best.count(ticket(i)) > 0) out.push_back(i);
    return out;
  }

  void prune() {
    const std::vector<Index> stay = kept();
    MatrixView stored = rows_.view();
    for (std::size_t i = 0; i < stay.size(); ++i) stored.col(static_cast<Index>(i)) = stored.col(stay[i]);
    rows_.resize(fields(), static_cast<Index>(stay.size()));
  }

  Sample sample(const std::vector<Index>& which) const {
    const Index n = static_cast<Index>(which.size());
    Sample out{Matrix(n, D_), Vector(n), Vector(n), Vector(n)};
    out.told.others.resize(others_ > 0 ? n : 0, others_);
    for (Index i = 0; i < n; ++i) {
      const auto row = rows_.view().col(which[static_cast<std::size_t>(i)]);
      out.y(i) = row(1);
      out.weights(i) = row(2);
      out.numbers(i) = 1.0 + row(0);
      out.X.row(i) = row.segment(3, D_).transpose();
      if (others_ > 0) out.told.others.row(i) = row.tail(others_).transpose();
    }
    return out;
  }

  Index limit_, D_, others_ = 0;
  double seen_ = 0.0, origin_ = 0.0;
  double half_life_ = std::numeric_limits<double>::infinity();
  std::vector<double> parts_ = {0.0};  // where streams that were merged begin
  GrowingMatrix rows_;  // number, output, weight, inputs and further outputs, a row in each column
};

}  // namespace gpstream

#endif
