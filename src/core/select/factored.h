// The points with their factor, for selectors that need features: those of whoever asks, or, where no factor
// is kept, our own for as long as the selection lasts.
#ifndef GPSTREAM_SELECTORS_FACTORED_H
#define GPSTREAM_SELECTORS_FACTORED_H

#include "../linear/types.h"
#include "../points/basis.h"
#include "selector.h"

namespace gpstream {

class Factored {
 public:
  explicit Factored(const Points& points);

  const Basis& basis() const { return kept_ ? *kept_ : own_; }

  // The point z has joined, with this last row of the factor.
  void joined(const ConstMatrixView& z, const Border& edge);

 private:
  const Basis* kept_;
  Basis own_;
};

}  // namespace gpstream

#endif
