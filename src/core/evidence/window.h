// Window: the open rows, the newest of the stream, oldest first, `limit` of them (where sites depend on f, up
// to three times as many), each with its feature, residual, site and time, by which it fades. They are not in
// the evidence yet: when a point joins they extend their features, so a stream that moves is not settled
// before its points exist. Some may lie apart: they are held, and say nothing. Where sites depend on f, rows
// also keep what else was observed, so that they can be made anew.
#ifndef GPSTREAM_WINDOW_H
#define GPSTREAM_WINDOW_H

#include <limits>

#include "../likelihoods/responses.h"
#include "../linear/growing.h"
#include "../linear/types.h"
#include "apart.h"
#include "fading.h"
#include "site.h"

namespace gpstream {

constexpr Index unlimited = std::numeric_limits<Index>::max();

// Rows from, ..., from + count - 1.
struct Span {
  Index from, count;
};

class Window {
 public:
  // `told`: do rows keep weight, second number and offset of their response?
  Window(Index limit, Index D, Index M, bool told = false);

  Index limit() const { return limit_; }
  Index size() const { return rows_.cols() - first_; }
  Index columns() const { return D_; }
  const Fading& fading() const { return fading_; }
  void set_fading(const Fading& fading) { fading_ = fading; }

  // Of the oldest `count` rows, all of them unless said. Copies, so that what is summed is aligned alike
  // wherever the rows stand.
  Matrix inputs(Index count) const;
  Vector outputs(Index count) const;
  Vector residuals(Index count) const;
  // 1 for a row that lies apart, 0 for others.
  Vector apart(Index count) const;
  Vector times(Index count) const;
  // As it was observed, y measured from the offset. (Of rows that do not keep it, y alone.)
  Responses responses() const;
  bool tells() const { return told_ > 0; }
  Matrix told() const;
  // As they came; those that do not lie apart alone; and as these count by now.
  Sites own_sites(Index count) const;
  Sites said_sites(Index count) const;
  // With the half-life there is, or with another.
  Sites sites(Index count, const Fading& fading) const;
  Sites sites(Index count) const { return sites(count, fading_); }
  Matrix inputs() const { return inputs(size()); }
  Vector outputs() const { return outputs(size()); }
  Vector residuals() const { return residuals(size()); }
  Vector times() const { return times(size()); }
  Sites sites() const { return sites(size()); }
  Sites own_sites() const { return own_sites(size()); }
  Vector apart() const { return apart(size()); }
  Index count_apart() const { return apart_; }
  ConstMatrixView features() const;

  // The rows of a stretch alone, and those outside it.
  Window part(const Span& rows) const { return picked(rows, {0, 0}); }
  Window without(const Span& rows) const;

  // Room for `extend` and `push`; the only step that can fail.
  void reserve(Index M, Index incoming);

  // A point has joined: entry `fresh(i)` is added to the feature of row i, and its residual falls by the
  // square.
  void extend(const ConstVectorView& fresh);

  // Undo `extend`.
  void truncate(Index M, const ConstVectorView& residuals);

  // New rows with features A. `apart`: which of them lie apart; empty where none does. `told`: as told() has
  // it.
  void push(const ConstMatrixView& X, const ConstVectorView& y, const ConstVectorView& r, const Sites& sites,
            const ConstMatrixView& A, const ConstVectorView& apart, const ConstVectorView& times,
            const Matrix& told = Matrix());

  // The oldest go.
  void drop(Index count);

  // Row i goes, as if it had never come.
  void remove(Index i);

  // Other sites for the same rows, as they came.
  void set_sites(const Sites& sites);

  void set_apart(const ConstVectorView& apart);

  // Every row counts so much less.
  void weigh_down(double keep);

  // Times that are counted from elsewhere.
  void set_times(const ConstVectorView& times);

  // Outputs that are measured from elsewhere.
  void set_outputs(const ConstVectorView& y);

  // Other weights of their responses, of rows that keep these.
  void set_weights(const ConstVectorView& weights);

  // The same rows under other points.
  void set_features(const ConstMatrixView& W, const ConstVectorView& r);

 private:
  Index fields() const { return D_ + 4 + site::columns + told_; }

  Window picked(const Span& a, const Span& b) const;

  // Called when at least half of the columns are past, so that the copy costs O(M) a row and does not
  // overlap.
  void compact();

  Index limit_, D_, told_, first_ = 0, apart_ = 0;
  Fading fading_;
  // x, y, r, the site, whether it lies apart, the time and what else was told of one row in each column
  GrowingMatrix rows_;
  GrowingMatrix W_;  // its feature
};

}  // namespace gpstream

#endif
