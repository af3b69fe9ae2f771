// CRC-32C (Castagnoli): finds every changed byte, and every run of changed bits up to 32.
#ifndef GPSTREAM_CRC32C_H
#define GPSTREAM_CRC32C_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpstream {

inline std::uint32_t crc32c(const unsigned char* bytes, std::size_t size) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1U) != 0 ? 0x82F63B78U : 0U);
      out[i] = rest;
    }
    return out;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (std::size_t i = 0; i < size; ++i) crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 0xFFU];
  return crc ^ 0xFFFFFFFFU;
}

}  // namespace gpstream

#endif
