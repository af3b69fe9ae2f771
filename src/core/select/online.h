// Rules that look at each row once, in order: a row that the points so far do not cover joins. Once there are
// `max_points`, others leave for it (`when_full` is "replace"), or it is turned away. With `support`, only a
// row joins that does not lie alone. The choice does not depend on how the stream is cut into batches.
#ifndef GPSTREAM_SELECTORS_ONLINE_H
#define GPSTREAM_SELECTORS_ONLINE_H

#include <algorithm>
#include <memory>

#include "../points/basis.h"
#include "selector.h"
#include "support.h"

namespace gpstream {

class Online : public Selector {
 public:
  static constexpr double usual_rho = 0.8;  // where none is given, and no model chooses otherwise

  explicit Online(SelectorSpec spec) : Selector(std::move(spec)), max_points_(number("max_points")) {
    const auto found = this->spec().words.find("when_full");
    replaces_ = found != this->spec().words.end() && found->second == "replace";
    const auto wanted = this->spec().numbers.find("support");
    if (wanted == this->spec().numbers.end()) return;
    require(wanted->second >= 1 && wanted->second <= 1e6 && wanted->second == std::floor(wanted->second),
            "parameter", "`support` must be a whole number from 1 to 1e6.");
    support_ = static_cast<Index>(wanted->second);
  }

  Index support() const final { return support_; }
  double settles_with(double v, double s2) const final {
    return support_ > 1 ? left_by_cover(v, s2) + rank_tolerance : Selector::settles_with(v, s2);
  }
  bool full(Index points) const final { return static_cast<double>(points) >= max_points_; }

  bool lets_go(Index points) const final {
    return replaces_ && 2.0 * static_cast<double>(points) >= max_points_;
  }

  Index select(const Batch& batch, Points& points, Checkpoint check) const final {
    constexpr Index block = 256;
    const std::unique_ptr<Cover> cover = this->cover(batch, points);
    Support support(points, batch.X, ball(), support_);
    const Index before = points.points().rows();
    for (Index start = 0; start < batch.X.rows(); start += block) {
      check();
      const ConstMatrixView X = batch.X.middleRows(start, std::min(block, batch.X.rows() - start));
      cover->look(X);
      for (Index i = 0; i < X.rows(); ++i) {
        if (cover->covers(X, i)) {
          if (const double left = cover->left_to_noise(i)) points.count_as_noise(start + i, left);
          continue;
        }
        if (!support.has(start + i)) continue;
        if (full(points.points().rows())) {
          if (replaces_ && points.can_make_room()) {
            if (!cover->worth_room(i)) continue;
            if (points.can_make_room_for(start + i)) return start + i;
            points.pass_over(start + i);
            continue;
          }
          points.turn_away(start + i);
          continue;
        }
        // what leaves the look-back before this row comes does not know it
        if (support_ > 1 && start + i > 0 && points.absorbs()) return start + i;
        check();  // with a long look-back a join is long
        if (points.join(X.middleRows(i, 1), start + i)) cover->joined(X, i);
      }
    }
    if (batch.X.rows() <= block && points.points().rows() == before) cover->tell(points);
    return batch.X.rows();
  }

 protected:
  // What the points cover of one block of rows, kept up to date for the rows after one that joins.
  class Cover {
   public:
    virtual ~Cover() = default;
    virtual void look(const ConstMatrixView& X) = 0;
    virtual bool covers(const ConstMatrixView& X, Index i) = 0;
    virtual void joined(const ConstMatrixView& X, Index i) = 0;
    // Is a row that is not covered worth a point that others have to leave for?
    virtual bool worth_room(Index) const { return true; }
    // What is left of a row that is covered, where the noise has to account for it; otherwise 0.
    virtual double left_to_noise(Index) const { return 0.0; }
    // What was found out about a block of which no row joined.
    virtual void tell(Points&) const {}
  };
  virtual std::unique_ptr<Cover> cover(const Batch& batch, const Points& points) const = 0;

  // What lies about a row: rows that have at least this correlation with it.
  virtual double ball() const { return usual_rho; }
  // The share of its variance that may be left of a row which counts as covered.
  virtual double left_by_cover(double, double) const { return 1.0; }

 private:
  double max_points_;
  Index support_ = 1;
  bool replaces_;
};

}  // namespace gpstream

#endif
