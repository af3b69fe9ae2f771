// Which back end: the fastest on this machine, found once by a short race, unless one is asked for by name.
#ifndef GPSTREAM_BACKENDS_H
#define GPSTREAM_BACKENDS_H

#include <cstddef>
#include <vector>

#include "backends/backend.h"

namespace gpstream {

// Eigen's comes first. Whoever embeds the core may add others, before the first use.
std::vector<Backend>& backends();

const std::vector<double>& raced();

// Of those that may be used. Another than the present best must be faster by a fifth: a choice that noise can
// turn would turn the last digits with it.
std::size_t fastest(const std::vector<Backend>& runners, const std::vector<double>& seconds);

const Backend& backend();

}  // namespace gpstream

#endif
