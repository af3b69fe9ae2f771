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
  Index outputs() const { return 1 + told.others.cols(); }
  Vector output(Index k) const { return k == 0 ? y : Vector(told.others.col(k - 1)); }
};

// Of several outputs one, in the rows in which it was observed.
inline Sample of_output(const Sample& rows, Index k) {
  if (rows.outputs() == 1) return rows;
  const Vector y = rows.output(k);
  std::vector<Index> seen;
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(y(i))) seen.push_back(i);
  Sample out{rows_of(rows.X, seen), entries_of(y, seen), entries_of(rows.weights, seen)};
  if (rows.numbers.size() > 0) out.numbers = entries_of(rows.numbers, seen);
  if (rows.shares.size() > 0) out.shares = entries_of(rows.shares, seen);
  return out;
}

// Has an output more than one value? Else it teaches nothing.
inline bool varies(const Vector& y) { return y.size() > 0 && y.maxCoeff() > y.minCoeff(); }
inline bool varies(const Sample& rows) {
  for (Index k = 0; k < rows.outputs(); ++k)
    if (varies(of_output(rows, k).y)) return true;
  return false;
}

inline Sample both(const Sample& a, const Sample& b) {
  Sample out{Matrix(a.size() + b.size(), b.X.cols()), Vector(a.size() + b.size()),
             Vector(a.size() + b.size())};
  out.X << a.X, b.X;
  out.y << a.y, b.y;
  out.weights << a.weights, b.weights;
  out.told = {joined(a.told.more, a.size(), b.told.more, b.size(), 1.0),
              joined(a.told.offset, a.size(), b.told.offset, b.size(), 0.0)};
  out.told.others.resize(b.told.others.cols() > 0 ? out.size() : 0, b.told.others.cols());
  if (b.told.others.cols() > 0) out.told.others << a.told.others, b.told.others;
  return out;
}

inline Sample part_of(const Sample& all, Index most) {
  const std::vector<Index> some = spread_rows(all.size(), most);
  Sample out{rows_of(all.X, some), entries_of(all.y, some), entries_of(all.weights, some)};
  if (all.told.more.size() > 0) out.told.more = entries_of(all.told.more, some);
  if (all.told.offset.size() > 0) out.told.offset = entries_of(all.told.offset, some);
  if (all.told.others.size() > 0) out.told.others = rows_of(all.told.others, some);
  return out;
}

inline Sample piece_of(const Sample& all, Index from, Index count) {
  Sample out{all.X.middleRows(from, count), all.y.segment(from, count), all.weights.segment(from, count)};
  out.told = all.told.part(from, count);
  return out;
}

}  // namespace gpstream

#endif
