#include "plain_value.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "../linear/require.h"
#include "crc32c.h"
#include "format.h"
#include "model_file.h"

namespace gpstream {

std::uint32_t crc32c(const unsigned char* bytes, std::size_t size) {
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

double real_at(const Byte* at) {
  const std::uint64_t bits = from_little_endian<std::uint64_t>(at);
  double out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

void PlainWriter::head(Kind kind, bool attributes, std::uint64_t length) {
  require(length < (std::uint64_t(1) << 48), "type", "a value is too long for a file.");
  count_part();
  put(static_cast<std::uint64_t>(kind) | (attributes ? 256U : 0U) | (length << 16));
}

void PlainWriter::real(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  put(bits);
}

void PlainWriter::text(const char* at, std::size_t size) {
  require(size < missing_text, "type", "a text is too long for a file.");
  count_part();
  put(static_cast<std::uint32_t>(size));
  bytes.insert(bytes.end(), at, at + size);
}

void PlainWriter::attribute_name(const std::string& name) {
  text(name.data(), name.size());
  fill();
}

void PlainWriter::count_part() {
  require(++parts_ <= most_parts, "type", "the model has too many parts for a file.");
}

std::int32_t PlainValue::integer(std::uint64_t i) const {
  const std::uint32_t bits = from_little_endian<std::uint32_t>(numbers + 4 * i);
  std::int32_t out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

const PlainValue* PlainValue::attribute(const std::string& name) const {
  for (const auto& one : attributes)
    if (one.first == name) return &one.second;
  return nullptr;
}

bool is_utf8(const Byte* at, std::size_t size) {
  for (std::size_t i = 0; i < size;) {
    const Byte first = at[i];
    const int more = first < 0x80                    ? 0
                     : first >= 0xC2 && first < 0xE0 ? 1
                     : first >= 0xE0 && first < 0xF0 ? 2
                     : first >= 0xF0 && first < 0xF5 ? 3
                                                     : -1;
    if (more < 0 || first == 0 || size - i - 1 < static_cast<std::size_t>(more)) return false;
    for (int k = 1; k <= more; ++k)
      if ((at[i + static_cast<std::size_t>(k)] & 0xC0) != 0x80) return false;
    if (more == 2 && ((first == 0xE0 && at[i + 1] < 0xA0) || (first == 0xED && at[i + 1] > 0x9F)))
      return false;  // too long; half a pair
    if (more == 3 && ((first == 0xF0 && at[i + 1] < 0x90) || (first == 0xF4 && at[i + 1] > 0x8F)))
      return false;  // too long; beyond Unicode
    i += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

PlainValue PlainReader::whole() {
  PlainValue out = value(0);
  check(left_ == 0);
  return out;
}

PlainValue PlainReader::value(int level) {
  check(level < most_levels);
  count_part();
  const std::uint64_t head = from_little_endian<std::uint64_t>(take(8));
  const std::uint64_t kind = head & 0xFF, flags = (head >> 8) & 0xFF;
  check(kind <= static_cast<std::uint64_t>(Kind::lower) && flags <= 1);
  PlainValue out;
  out.kind = static_cast<Kind>(kind);
  out.length = head >> 16;
  switch (out.kind) {
    case Kind::nothing:
      check(out.length == 0 && flags == 0);
      break;
    case Kind::logical:
    case Kind::integer:
      check(out.length <= left_ / 4);
      out.numbers = take(4 * out.length);
      fill(4 * out.length);
      break;
    case Kind::real:
      check(out.length <= left_ / 8);
      out.numbers = take(8 * out.length);
      break;
    case Kind::lower:
      check(out.length <= 65535 * 16 && out.length * (out.length + 1) / 2 <= left_ / 8 && flags == 0);
      out.numbers = take(8 * (out.length * (out.length + 1) / 2));
      break;
    case Kind::text:
    case Kind::symbol: {
      check(out.length <= left_ / 4 && (out.kind == Kind::text || (out.length == 1 && flags == 0)));
      const Byte* start = at_;
      for (std::uint64_t i = 0; i < out.length; ++i) out.texts.push_back(text());
      check(out.kind == Kind::text || !out.texts[0].missing);
      fill(static_cast<std::uint64_t>(at_ - start));
      break;
    }
    case Kind::list:
    case Kind::call:
      check(out.length <= left_ / 8 && (out.kind == Kind::list || out.length > 0));
      for (std::uint64_t i = 0; i < out.length; ++i) out.parts.push_back(value(level + 1));
      break;
  }
  if (out.kind == Kind::logical) {
    for (std::uint64_t i = 0; i < out.length; ++i)
      check(out.integer(i) == 0 || out.integer(i) == 1 || out.integer(i) == INT32_MIN);
  }
  if (flags != 0) attributes(out, level);
  return out;
}

void PlainReader::attributes(PlainValue& out, int level) {
  const std::uint64_t count = from_little_endian<std::uint64_t>(take(8));
  check(count > 0 && count <= left_ / 16);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Byte* start = at_;
    const PlainText name = text();
    fill(static_cast<std::uint64_t>(at_ - start));
    check(!name.missing && out.attribute(name.string()) == nullptr);
    PlainValue attribute = value(level + 1);
    out.attributes.emplace_back(name.string(), std::move(attribute));
  }
}

PlainText PlainReader::text() {
  count_part();
  PlainText out;
  const std::uint32_t size = from_little_endian<std::uint32_t>(take(4));
  out.missing = size == missing_text;
  if (out.missing) return out;
  const Byte* at = take(size);
  check(is_utf8(at, size));
  out.at = reinterpret_cast<const char*>(at);
  out.size = size;
  return out;
}

const Byte* PlainReader::take(std::uint64_t size) {
  check(size <= left_);
  const Byte* out = at_;
  at_ += size;
  left_ -= static_cast<std::size_t>(size);
  return out;
}

void PlainReader::fill(std::uint64_t size) {
  const std::uint64_t zeros = (8 - size % 8) % 8;
  const Byte* at = take(zeros);
  for (std::uint64_t i = 0; i < zeros; ++i) check(at[i] == 0);
}

void PlainReader::check(bool ok) { require(ok, "corrupt", "it does not hold together."); }

namespace {

constexpr std::uint32_t byte_order = 0x01020304U;

constexpr Byte file_magic[8] = {0x89, 'G', 'P', 'S', '\r', '\n', 0x1A, '\n'};

}  // namespace

void begin_file(PlainWriter& out, const std::string& version) {
  out.bytes.assign(file_magic, file_magic + 8);
  out.put(byte_order);
  out.put(format_number);
  out.put(std::uint64_t(0));
  for (std::size_t i = 0; i < version_size; ++i)
    out.bytes.push_back(i < version.size() && i + 1 < version_size ? static_cast<Byte>(version[i]) : Byte(0));
}

void end_file(PlainWriter& out) {
  const std::uint64_t size = out.bytes.size() + check_size;
  for (std::size_t i = 0; i < 8; ++i) out.bytes[16 + i] = static_cast<Byte>(size >> (8 * i));
  out.put(crc32c(out.bytes.data(), out.bytes.size()));
}

void check_head(const Byte* head, std::size_t available, std::uint64_t size) {
  require(available >= head_size && std::equal(file_magic, file_magic + 8, head), "corrupt",
          "it is not a model file.");
  require(from_little_endian<std::uint64_t>(head + 16) == size && size >= head_size + check_size, "corrupt",
          "it is not as long as it was when it was written.");
}

PlainValue open_file(const Byte* file, std::size_t size) {
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
