// Rows whose sites depend on the posterior: a batch is absorbed with sites that agree with what is known
// after it. Once in a look-back of rows the sites of all that came since are made anew together with those of
// the rows that settle then, each of which has at least two look-backs of later rows behind it; the others
// rest meanwhile.  [derivation 20]
#ifndef GPSTREAM_MODEL_REFRESH_H
#define GPSTREAM_MODEL_REFRESH_H

#include "../evidence/site.h"
#include "../linear/types.h"
#include "state.h"

namespace gpstream {

constexpr Index refresh_block = 4096;

// Rows from, ..., from + count - 1 of each function.
Sites part_of_sites(const Sites& sites, Index K, Index from, Index count);

void set_open_sites(const Sites& sites, State& state);

}  // namespace gpstream

#endif
