// What was observed in some rows, and what is known of f there.
#ifndef GPSTREAM_RESPONSES_H
#define GPSTREAM_RESPONSES_H

#include "../linear/types.h"

namespace gpstream {

// Each a number a row; all but y may be left out.
struct Responses {
  Vector y;                   // where it is on the scale of f, measured from the model's offset
  Vector weights = Vector();  // how often a row counts; for the Gaussian, its precision
  Vector more = Vector();     // what some likelihoods need beside y: trials; whether the event was seen; ...
  Vector offset = Vector();   // what is known beforehand to be added to f, log exposure say
  // Of several outputs: those after the first, a column each, and what they count where that differs. What
  // was not observed is NaN, in y too.
  Matrix others = Matrix(), weights_of_others = Matrix();

  Index size() const { return y.size(); }

  // Weight, second number and offset of each row, as a look-back keeps them.
  Matrix table() const {
    Matrix out(size(), 3);
    out << Vector::Ones(size()), Vector::Ones(size()), Vector::Zero(size());
    if (weights.size() > 0) out.col(0) = weights;
    if (more.size() > 0) out.col(1) = more;
    if (offset.size() > 0) out.col(2) = offset;
    return out;
  }
};

// What was observed beside y and weight, as in Responses.
struct Told {
  Vector more = Vector(), offset = Vector();
  Matrix others = Matrix(), weights_of_others = Matrix();

  Told part(Index from, Index count) const {
    return {more.size() > 0 ? Vector(more.segment(from, count)) : Vector(),
            offset.size() > 0 ? Vector(offset.segment(from, count)) : Vector(),
            others.size() > 0 ? Matrix(others.middleRows(from, count)) : Matrix(),
            weights_of_others.size() > 0 ? Matrix(weights_of_others.middleRows(from, count)) : Matrix()};
  }
};

struct Latent {
  Vector mean, variance;
};

// Rows one after the other. What only one of them has is in the other what it is where it is left out.
inline Vector joined(const Vector& a, Index a_rows, const Vector& b, Index b_rows, double otherwise) {
  if (a.size() == 0 && b.size() == 0) return Vector();
  Vector out = Vector::Constant(a_rows + b_rows, otherwise);
  if (a.size() > 0) out.head(a_rows) = a;
  if (b.size() > 0) out.tail(b_rows) = b;
  return out;
}
inline Responses joined(const Responses& a, const Responses& b) {
  const Index n = a.size(), m = b.size();
  return {joined(a.y, n, b.y, m, 0.0), joined(a.weights, n, b.weights, m, 1.0),
          joined(a.more, n, b.more, m, 1.0), joined(a.offset, n, b.offset, m, 0.0)};
}

}  // namespace gpstream

#endif
