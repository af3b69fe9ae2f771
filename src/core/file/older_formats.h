// States of formats 1 to 6. The last is read as the present one, which has more. In formats 1 to 5 the trend
// was the constant, and known. In formats 1 to 4 the rows of the
// look-back were in the evidence from the start, and all had weight 1.
#ifndef GPSTREAM_OLDER_FORMATS_H
#define GPSTREAM_OLDER_FORMATS_H

#include "../model/state.h"
#include "record.h"

namespace gpstream {

// Of any format.
State restored(const Record& record);

}  // namespace gpstream

#endif
