// Support: is a row one of several? A row that is far from all others may be an error of its inputs, and a
// point there would wait for rows that never come. It has support when so many of the latest rows, itself
// among them, lie in its ball: their correlation with it is at least rho.
#ifndef GPSTREAM_SELECTORS_SUPPORT_H
#define GPSTREAM_SELECTORS_SUPPORT_H

#include <optional>

#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

class Support {
 public:
  // X are the rows being selected from.
  Support(const Points& points, const ConstMatrixView& X, double rho, Index least)
      : points_(points), X_(X), rho_(rho), least_(least) {}

  // Has row i of X support? The rows before it are those of X, and before these the ones that are held: the
  // newest first, for a row that does not lie alone seldom needs many of them.
  bool has(Index i);

 private:
  // How many of the `count` rows before row `end` are near x; counted until there are enough.
  Index near(const ConstMatrixView& rows, Index end, Index count, const ConstMatrixView& x,
             Index enough) const;

  const Points& points_;
  const ConstMatrixView X_;
  double rho_;
  Index least_;
  std::optional<Matrix> held_;  // asked for once, where it is needed
};

}  // namespace gpstream

#endif
