// The envelope of a model file. It is the same in every format, so that a damaged file is told from a newer
// one.
//   0    8 bytes   89 47 50 53 0D 0A 1A 0A         what it is; spoilt by whatever treats it as text
//   8    4         byte order: 01020304 hexadecimal, as a little-endian number like all others
//   12   4         format
//   16   8         size of the file in bytes
//   24   16        the version of gpstream that wrote it, ASCII, filled up with zeros
//   40   ...       one plain value
//   end  4         CRC-32C of all bytes before
#ifndef GPSTREAM_MODEL_FILE_H
#define GPSTREAM_MODEL_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "plain_value.h"

namespace gpstream {
constexpr std::size_t head_size = 40, version_size = 16, check_size = 4;

// To be followed by the value.
void begin_file(PlainWriter& out, const std::string& version);

void end_file(PlainWriter& out);

// From the first bytes alone: can a file of this size be one of ours, whole? Asked before it is read.
void check_head(const Byte* head, std::size_t available, std::uint64_t size);

// The value in a whole file, which must outlive it.
PlainValue open_file(const Byte* file, std::size_t size);

}  // namespace gpstream

#endif
