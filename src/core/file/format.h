// The format of saved states, in lists and in files: one number. A newer one is refused, older ones are read.
#ifndef GPSTREAM_FORMAT_H
#define GPSTREAM_FORMAT_H

#include <cstdint>

namespace gpstream {

constexpr std::uint32_t format_number = 11;

}  // namespace gpstream

#endif
