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
  Matrix table() const;
};

// What was observed beside y and weight, as in Responses.
struct Told {
  Vector more = Vector(), offset = Vector();
  Matrix others = Matrix(), weights_of_others = Matrix();

  Told part(Index from, Index count) const;
};

struct Latent {
  Vector mean, variance;
};

// Rows one after the other. What only one of them has is in the other what it is where it is left out.
Vector joined(const Vector& a, Index a_rows, const Vector& b, Index b_rows, double otherwise);
Responses joined(const Responses& a, const Responses& b);

}  // namespace gpstream

#endif
