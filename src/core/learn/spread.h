// At most `most` of n rows, evenly spread, the first and the last among them; numbered from 0.
#ifndef GPSTREAM_LEARN_SPREAD_H
#define GPSTREAM_LEARN_SPREAD_H

#include <vector>

#include "../linear/types.h"

namespace gpstream {

std::vector<Index> spread_rows(Index n, Index most);

Matrix rows_of(const ConstMatrixView& X, const std::vector<Index>& rows);

Vector entries_of(const ConstVectorView& y, const std::vector<Index>& rows);

}  // namespace gpstream

#endif
