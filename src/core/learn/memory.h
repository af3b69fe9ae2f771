// Memory: rows that a model keeps to learn its kernel from. At most `limit` of them: all, while the stream is
// no longer; then blocks of consecutive rows whose numbers have the smallest hashes, an even sample of the
// whole stream, or one that fades, that does not depend on how it is cut, and the latest rows.
#ifndef GPSTREAM_LEARN_MEMORY_H
#define GPSTREAM_LEARN_MEMORY_H

#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "../linear/growing.h"
#include "../linear/types.h"
#include "sample.h"

namespace gpstream {

// A number between 0 and 2^64 that looks like chance (splitmix64).
std::uint64_t scattered(std::uint64_t number);

class Memory {
 public:
  static constexpr Index block = 10;

  // `others`: outputs after the first.
  explicit Memory(Index limit = 0, Index D = 0, Index others = 0) : limit_(limit), D_(D), others_(others) {
    rows_.resize(fields(), 0);
  }
  Memory(Index limit, double seen, double origin, const Matrix& rows, std::vector<double> parts = {0.0},
         Index others = 0);

  // For a part of a stream, of which so many rows come before it; others keep those.
  static Memory after(double rows, Index limit, Index D);

  Index limit() const { return limit_; }
  Index columns() const { return D_; }
  double seen() const { return seen_; }      // rows of the stream
  double origin() const { return origin_; }  // those before it do not count any more
  double since_origin() const { return seen_ - origin_; }
  bool whole() const { return since_origin() <= static_cast<double>(limit_); }
  ConstMatrixView stored() const { return rows_.view(); }
  const std::vector<double>& parts() const { return parts_; }

  // One row after the other, so that what is stored does not depend on the cut.
  void add(const Sample& batch);

  // The rows of another stream, numbered on from those of this one. Blocks keep the hashes they have in their
  // own stream, so that the smallest of all are among those that either kept.
  void merge(const Memory& other);

  // The next part of the same stream, kept elsewhere: what one memory would hold that had seen both.
  void go_on(const Memory& next);

  // Only so many are kept from now on.
  void set_limit(Index limit);

  // The oldest row that is this one, if it is kept, goes.
  void remove(const ConstVectorView& x, double y, const RowVector& others = RowVector());

  // By how fast they are to fade, in rows.
  void set_half_life(double half_life) { half_life_ = half_life; }

  // Rows before this one are forgotten.
  void start_from(double origin);

  Sample rows() const { return sample(kept()); }
  // Their numbers in the stream, from 1.
  Vector numbers() const { return rows().numbers; }
  // The newest ones.
  Sample newest(Index count) const;
  // At most `most` rows in whole blocks, those with the smallest hashes.
  Sample part(Index most) const;

 private:
  using Ticket = std::tuple<double, std::uint64_t, std::uint64_t, std::uint64_t>;

  Index fields() const { return D_ + 3 + others_; }
  Index latest() const { return limit_ / 5; }
  // By the hash of the block in the stream that the row came with. Where rows fade, blocks are drawn with
  // chances that fade alike: u, uniform, belongs to a block that came at t, and the blocks with the smallest
  // -log(1 - u) 2^(-t / half-life) stay.
  Ticket ticket(Index i) const;
  // The smallest tickets of these rows.
  std::set<Ticket> tickets(const std::vector<Index>& of, Index count) const;

  std::vector<Index> kept() const;

  void prune();

  Sample sample(const std::vector<Index>& which) const;

  Index limit_, D_, others_ = 0;
  double seen_ = 0.0, origin_ = 0.0;
  double half_life_ = std::numeric_limits<double>::infinity();
  std::vector<double> parts_ = {0.0};  // where streams that were merged begin
  GrowingMatrix rows_;  // number, output, weight, inputs and further outputs, a row in each column
};

}  // namespace gpstream

#endif
