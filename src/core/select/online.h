// Rules that look at each row once, in order: a row that the points so far do not cover joins. Once there are
// `max_points`, others leave for it (`when_full` is "replace"), or it is turned away. With `support`, only a
// row joins that does not lie alone. The choice does not depend on how the stream is cut into batches.
#ifndef GPSTREAM_SELECTORS_ONLINE_H
#define GPSTREAM_SELECTORS_ONLINE_H

#include <memory>

#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

class Online : public Selector {
 public:
  static constexpr double usual_rho = 0.8;  // where none is given, and no model chooses otherwise

  explicit Online(SelectorSpec spec);

  Index support() const final { return support_; }
  double settles_with(double v, double s2) const final;
  bool full(Index points) const final { return static_cast<double>(points) >= max_points_; }

  bool lets_go(Index points) const final {
    return replaces_ && 2.0 * static_cast<double>(points) >= max_points_;
  }

  Index select(const Batch& batch, Points& points, Checkpoint check) const final;

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
