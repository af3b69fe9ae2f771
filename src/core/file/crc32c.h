// CRC-32C (Castagnoli): finds every changed byte, and every run of changed bits up to 32.
#ifndef GPSTREAM_CRC32C_H
#define GPSTREAM_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace gpstream {

std::uint32_t crc32c(const unsigned char* bytes, std::size_t size);

}  // namespace gpstream

#endif
