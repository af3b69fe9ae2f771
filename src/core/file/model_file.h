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

#include <algorithm>

#include "crc32c.h"
#include "format.h"
#include "plain_value.h"

namespace gpstream {

constexpr std::uint32_t byte_order = 0x01020304U;
constexpr std::size_t head_size = 40, version_size = 16, check_size = 4;
constexpr Byte file_magic[8] = {0x89, 'G', 'P', 'S', '\r', '\n', 0x1A, '\n'};

// To be followed by the value.
inline void begin_file(PlainWriter& out, const std::string& version) {
  out.bytes.assign(file_magic, file_magic + 8);
  out.put(byte_order);
  out.put(format_number);
  out.put(std::uint64_t(0));
  for (std::size_t i = 0; i < version_size; ++i)
    out.bytes.push_back(i < version.size() && i + 1 < version_size ? static_cast<Byte>(version[i]) : Byte(0));
}

inline void end_file(PlainWriter& out) {
  const std::uint64_t size = out.bytes.size() + check_size;
  for (std::size_t i = 0; i < 8; ++i) out.bytes[16 + i] = static_cast<Byte>(size >> (8 * i));
  out.put(crc32c(out.bytes.data(), out.bytes.size()));
}

// From the first bytes alone: can a file of this size be one of ours, whole? Asked before it is read.
inline void check_head(const Byte* head, std::size_t available, std::uint64_t size) {
  require(available >= head_size && std::equal(file_magic, file_magic + 8, head), "corrupt",
          "it is not a model file.");
  require(from_little_endian<std::uint64_t>(head + 16) == size && size >= head_size + check_size, "corrupt",
          "it is not as long as it was when it was written.");
}

// The value in a whole file, which must outlive it.
inline PlainValue open_file(const Byte* file, std::size_t size) {
  check_head(file, size, size);
  require(crc32c(file, size - check_size) == from_little_endian<std::uint32_t>(file + size - check_size),
          "corrupt", "it was changed after it was written: the checksum differs.");
  require(from_little_endian<std::uint32_t>(file + 8) == byte_order, "corrupt",
          "its byte order is not known.");
  const std::uint32_t format = from_little_endian<std::uint32_t>(file + 12);
  require(format >= 1, "corrupt", "it has no format.");
  if (format > format_number) {
    const Byte* version = file + 24;
    const std::string maker(version, std::find(version, version + version_size, Byte(0)));
    const bool plain = std::all_of(maker.begin(), maker.end(),
                                   [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    throw Error("version", "it has format " + std::to_string(format) +
                               ", but this version of gpstream reads up to " + std::to_string(format_number) +
                               "; install gpstream " +
                               (plain && !maker.empty() ? maker : "of a later version") + ".");
  }
  return PlainReader(file + head_size, size - head_size - check_size).whole();
}

}  // namespace gpstream

#endif
