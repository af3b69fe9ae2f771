// Rules that look at each row once, in order: a row that the points so far do not cover joins. Once there are
// `max_points`, others leave for it (`when_full` is "replace"), or it is turned away. The choice does not
// depend on how the stream is cut into batches.
#ifndef GPSTREAM_SELECTORS_ONLINE_H
#define GPSTREAM_SELECTORS_ONLINE_H

#include <algorithm>
#include <memory>

#include "selector.h"

namespace gpstream {

class Online : public Selector {
 public:
  explicit Online(SelectorSpec spec) : Selector(std::move(spec)), max_points_(number("max_points")) {
    const auto found = this->spec().words.find("when_full");
    replaces_ = found != this->spec().words.end() && found->second == "replace";
  }

  bool lets_go(Index points) const final {
    return replaces_ && 2.0 * static_cast<double>(points) >= max_points_;
  }

  Index select(const Batch& batch, Points& points, Checkpoint check) const final {
    constexpr Index block = 256;
    const std::unique_ptr<Cover> cover = this->cover(batch, points);
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
        if (static_cast<double>(points.points().rows()) >= max_points_) {
          if (replaces_ && points.can_make_room()) {
            if (!cover->worth_room(i)) continue;
            if (points.can_make_room_for(start + i)) return start + i;
            points.pass_over(start + i);
            continue;
          }
          points.turn_away(start + i);
          continue;
        }
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

 private:
  double max_points_;
  bool replaces_;
};

}  // namespace gpstream

#endif
