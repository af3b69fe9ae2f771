// Rows with outputs and weights: a batch, or rows that a model has kept.
#ifndef GPSTREAM_LEARN_SAMPLE_H
#define GPSTREAM_LEARN_SAMPLE_H

#include "../likelihoods/responses.h"
#include "spread.h"

namespace gpstream {

struct Sample {
  Matrix X;
  Vector y, weights;
  Vector numbers = Vector();  // in the stream, where they are known
  Vector shares = Vector();   // of what they counted once; none: all of it
  Told told = Told();         // what was observed beside y

  Index size() const { return y.size(); }
  double count() const { return static_cast<double>(y.size()); }
};

inline Sample both(const Sample& a, const Sample& b) {
  Sample out{Matrix(a.size() + b.size(), b.X.cols()), Vector(a.size() + b.size()),
             Vector(a.size() + b.size())};
  out.X << a.X, b.X;
  out.y << a.y, b.y;
  out.weights << a.weights, b.weights;
  out.told = {joined(a.told.more, a.size(), b.told.more, b.size(), 1.0),
              joined(a.told.offset, a.size(), b.told.offset, b.size(), 0.0)};
  return out;
}

inline Sample part_of(const Sample& all, Index most) {
  const std::vector<Index> some = spread_rows(all.size(), most);
  Sample out{rows_of(all.X, some), entries_of(all.y, some), entries_of(all.weights, some)};
  if (all.told.more.size() > 0) out.told.more = entries_of(all.told.more, some);
  if (all.told.offset.size() > 0) out.told.offset = entries_of(all.told.offset, some);
  return out;
}

inline Sample piece_of(const Sample& all, Index from, Index count) {
  Sample out{all.X.middleRows(from, count), all.y.segment(from, count), all.weights.segment(from, count)};
  out.told = all.told.part(from, count);
  return out;
}

}  // namespace gpstream

#endif
