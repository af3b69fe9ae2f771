// The points with their factor, for selectors that need features: those of whoever asks, or, where no factor
// is kept, our own for as long as the selection lasts.
#ifndef GPSTREAM_SELECTORS_FACTORED_H
#define GPSTREAM_SELECTORS_FACTORED_H

#include "../points/basis.h"
#include "selector.h"

namespace gpstream {

class Factored {
 public:
  explicit Factored(const Points& points) : kept_(points.factored()) {
    if (kept_) return;
    const ConstMatrixView Z = points.points();
    own_ = empty_basis(Z.cols());
    own_.reserve(Z.rows());
    for (Index i = 0; i < Z.rows(); ++i) {
      const auto z = Z.middleRows(i, 1);
      if (const std::optional<Border> edge = own_.border(points.kernel(), z)) own_.append(z, *edge);
    }
  }

  const Basis& basis() const { return kept_ ? *kept_ : own_; }

  // The point z has joined, with this last row of the factor.
  void joined(const ConstMatrixView& z, const Border& edge) {
    if (!kept_) own_.append(z, edge);
  }

 private:
  const Basis* kept_;
  Basis own_;
};

}  // namespace gpstream

#endif
