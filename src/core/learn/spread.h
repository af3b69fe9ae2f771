// At most `most` of n rows, evenly spread, the first and the last among them; numbered from 0.
#ifndef GPSTREAM_LEARN_SPREAD_H
#define GPSTREAM_LEARN_SPREAD_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "../linear/types.h"

namespace gpstream {

inline std::vector<Index> spread_rows(Index n, Index most) {
  std::vector<Index> out(static_cast<std::size_t>(std::min(n, most)));
  const bool all = n <= most;
  const double by = all || most < 2 ? 1.0 : static_cast<double>(n - 1) / static_cast<double>(most - 1);
  for (std::size_t i = 0; i < out.size(); ++i)
    // counted from 1 before it is rounded, halves to the even: so R does, and its tests know the rows
    out[i] = all ? static_cast<Index>(i)
                 : static_cast<Index>(std::nearbyint(1.0 + static_cast<double>(i) * by)) - 1;
  if (!all && most > 1) out.back() = n - 1;
  return out;
}

inline Matrix rows_of(const ConstMatrixView& X, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), X.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
  return out;
}

inline Vector entries_of(const ConstVectorView& y, const std::vector<Index>& rows) {
  Vector out(static_cast<Index>(rows.size()));
  for (Index i = 0; i < out.size(); ++i) out(i) = y(rows[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace gpstream

#endif
