// Rows with outputs and weights: a batch, or rows that a model has kept.
#ifndef GPSTREAM_LEARN_SAMPLE_H
#define GPSTREAM_LEARN_SAMPLE_H

#include "../likelihoods/responses.h"
#include "../linear/types.h"

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
  Vector output(Index k) const;
};

// Of several outputs one, in the rows in which it was observed.
Sample of_output(const Sample& rows, Index k);

// Has an output more than one value? Else it teaches nothing.
bool varies(const Vector& y);
bool varies(const Sample& rows);

Sample both(const Sample& a, const Sample& b);

Sample part_of(const Sample& all, Index most);

Sample piece_of(const Sample& all, Index from, Index count);

}  // namespace gpstream

#endif
