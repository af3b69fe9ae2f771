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
#include <string>
#include <utility>
#include <vector>

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

double real_at(const Byte* at);

// --- writing

class PlainWriter {
 public:
  std::vector<Byte> bytes;

  void head(Kind kind, bool attributes, std::uint64_t length);
  void integer(std::int32_t value) { put(static_cast<std::uint32_t>(value)); }
  void real(double value);
  void text(const char* at, std::size_t size);
  void no_text() { put(missing_text); }
  void fill() { bytes.resize((bytes.size() + 7) / 8 * 8, 0); }

  void attribute_count(std::uint64_t count) { put(count); }
  void attribute_name(const std::string& name);

  template <class Number>
  void put(Number value) {
    Byte in_order[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof(Number); ++i) in_order[i] = static_cast<Byte>(value >> (8 * i));
    bytes.insert(bytes.end(), in_order, in_order + sizeof(Number));
  }

 private:
  void count_part();
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

  std::int32_t integer(std::uint64_t i) const;
  double real(std::uint64_t i) const { return real_at(numbers + 8 * i); }
  const PlainValue* attribute(const std::string& name) const;
};

bool is_utf8(const Byte* at, std::size_t size);

class PlainReader {
 public:
  PlainReader(const Byte* at, std::size_t size) : at_(at), left_(size) {}

  // One value, and nothing after it.
  PlainValue whole();

 private:
  PlainValue value(int level);

  void attributes(PlainValue& out, int level);

  PlainText text();

  const Byte* take(std::uint64_t size);
  // The zeros after so many bytes.
  void fill(std::uint64_t size);
  void count_part() { check(++parts_ <= most_parts); }
  static void check(bool ok);

  const Byte* at_;
  std::size_t left_;
  std::uint64_t parts_ = 0;
};

}  // namespace gpstream

#endif
