// Bank: what the settled rows said under other half-lives than the model's own, about the same points. The
// rows are seen once for all of them. Those that have settled in the model wait here until there are some, so
// that a row costs little more than without.  [derivation 19]
#ifndef GPSTREAM_BANK_H
#define GPSTREAM_BANK_H

#include <vector>

#include "../linear/growing.h"
#include "../linear/machine.h"
#include "../linear/types.h"
#include "evidence.h"
#include "fading.h"
#include "site.h"

namespace gpstream {

struct Strand {
  double half_life;
  double score = 0.0;  // of the rows it foretold, older ones counting less
  Evidence settled = Evidence();
};

struct Bank {
  std::vector<Strand> strands;
  double score = 0.0;  // of the model's own half-life
  Fading now;          // as of when the strands have faded
  GrowingMatrix rows;  // that wait: time, residual, site, trend functions and feature, one in each column

  bool empty() const { return strands.empty(); }
  Index waiting() const { return rows.cols(); }

  // A bank for these half-lives and a model that knows nothing.
  static Bank of(const std::vector<double>& half_lives, Index M, Index q);

  // A point has joined, of which the rows know nothing; or the last ones never did.
  void reserve(Index M, Index incoming);
  void append();
  void truncate(Index M);

  // None wait, and there are so many points now.
  void resize(Index M);

  // Rows settle in the model.
  void wait(const ConstMatrixView& W, const ConstVectorView& r, const Sites& own, const Matrix& T,
            const ConstVectorView& times);

  // Those that wait settle in every strand, and all is as of `later`.
  void settle(const Fading& later);

  // What stands above the feature.
  Index head() const { return 2 + site::columns + strands.front().settled.s.size(); }
};

}  // namespace gpstream

#endif
