// Plain values as bytes, and back: what a model file is made of. Nothing in it is ever run, and nothing is
// believed: each size is checked against the bytes that are there before anything is made of it.
//
// A value starts with eight bytes, a little-endian number: its kind (8 bits), 1 if it has attributes (8
// bits), its length (48 bits).
//   0 nothing     length 0
//   1 logical     4 bytes each: 0, 1, or -2^31 for a missing value
//   2 integer     4 bytes each; -2^31 is a missing value
//   3 double      8 bytes each, IEEE 754
//   4 text        each 4 bytes for its size, 2^32 - 1 for a missing value, and UTF-8 without a null
//   5 list        so many values
//   6 symbol      as one text; empty for an argument that was left out
//   7 call        so many values, the function first
//   8 lower       a square matrix with so many rows and zeros above the diagonal: the rest, 8 bytes each,
//   column by column
// and is filled up with zeros to a multiple of eight. Attributes follow: their number in eight bytes, and for
// each its name (as one text, filled up) and its value.
#ifndef GPSTREAM_PLAIN_VALUE_H
#define GPSTREAM_PLAIN_VALUE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../linear/require.h"

namespace gpstream {

using Byte = unsigned char;

enum class Kind : Byte { nothing, logical, integer, real, text, list, symbol, call, lower };

// So that a small file cannot ask for much: parts of a value, texts, and lists within lists.
constexpr std::uint64_t most_parts = 200000;
constexpr int most_levels = 64;
constexpr std::uint32_t missing_text = 0xFFFFFFFFU;

template <class Number>
Number from_little_endian(const Byte* at) {
  Number out = 0;
  for (std::size_t i = sizeof(Number); i > 0; --i) out = static_cast<Number>((out << 8) | at[i - 1]);
  return out;
}

inline double real_at(const Byte* at) {
  const std::uint64_t bits = from_little_endian<std::uint64_t>(at);
  double out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

// --- writing

class PlainWriter {
 public:
  std::vector<Byte> bytes;

  void head(Kind kind, bool attributes, std::uint64_t length) {
    require(length < (std::uint64_t(1) << 48), "type", "a value is too long for a file.");
    count_part();
    put(static_cast<std::uint64_t>(kind) | (attributes ? 256U : 0U) | (length << 16));
  }
  void integer(std::int32_t value) { put(static_cast<std::uint32_t>(value)); }
  void real(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    put(bits);
  }
  void text(const char* at, std::size_t size) {
    require(size < missing_text, "type", "a text is too long for a file.");
    count_part();
    put(static_cast<std::uint32_t>(size));
    bytes.insert(bytes.end(), at, at + size);
  }
  void no_text() { put(missing_text); }
  void fill() { bytes.resize((bytes.size() + 7) / 8 * 8, 0); }

  void attribute_count(std::uint64_t count) { put(count); }
  void attribute_name(const std::string& name) {
    text(name.data(), name.size());
    fill();
  }

  template <class Number>
  void put(Number value) {
    Byte in_order[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof(Number); ++i) in_order[i] = static_cast<Byte>(value >> (8 * i));
    bytes.insert(bytes.end(), in_order, in_order + sizeof(Number));
  }

 private:
  void count_part() { require(++parts_ <= most_parts, "type", "the model has too many parts for a file."); }
  std::uint64_t parts_ = 0;
};

// --- reading

struct PlainText {
  const char* at = nullptr;
  std::size_t size = 0;
  bool missing = false;
  std::string string() const { return std::string(at, size); }
};

// A value in the bytes it was read from, which must outlive it.
struct PlainValue {
  Kind kind = Kind::nothing;
  std::uint64_t length = 0;
  const Byte* numbers = nullptr;  // of logical, integer, double, lower
  std::vector<PlainText> texts;   // of text, symbol
  std::vector<PlainValue> parts;  // of list, call
  std::vector<std::pair<std::string, PlainValue>> attributes;

  std::int32_t integer(std::uint64_t i) const {
    const std::uint32_t bits = from_little_endian<std::uint32_t>(numbers + 4 * i);
    std::int32_t out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
  double real(std::uint64_t i) const { return real_at(numbers + 8 * i); }
  const PlainValue* attribute(const std::string& name) const {
    for (const auto& one : attributes)
      if (one.first == name) return &one.second;
    return nullptr;
  }
};

inline bool is_utf8(const Byte* at, std::size_t size) {
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

class PlainReader {
 public:
  PlainReader(const Byte* at, std::size_t size) : at_(at), left_(size) {}

  // One value, and nothing after it.
  PlainValue whole() {
    PlainValue out = value(0);
    check(left_ == 0);
    return out;
  }

 private:
  PlainValue value(int level) {
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

  void attributes(PlainValue& out, int level) {
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

  PlainText text() {
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

  const Byte* take(std::uint64_t size) {
    check(size <= left_);
    const Byte* out = at_;
    at_ += size;
    left_ -= static_cast<std::size_t>(size);
    return out;
  }
  // The zeros after so many bytes.
  void fill(std::uint64_t size) {
    const std::uint64_t zeros = (8 - size % 8) % 8;
    const Byte* at = take(zeros);
    for (std::uint64_t i = 0; i < zeros; ++i) check(at[i] == 0);
  }
  void count_part() { check(++parts_ <= most_parts); }
  static void check(bool ok) { require(ok, "corrupt", "it does not hold together."); }

  const Byte* at_;
  std::size_t left_;
  std::uint64_t parts_ = 0;
};

}  // namespace gpstream

#endif
