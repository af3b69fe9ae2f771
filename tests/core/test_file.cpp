// Model files: whatever is done to one, it is refused or read, and no byte outside it is touched (the
// sanitizers look on).
#include <cstring>
#include <memory>

#include "../../src/core/file/crc32c.h"
#include "../../src/core/file/format.h"
#include "../../src/core/file/model_file.h"
#include "check.h"

using namespace gpstream;

namespace {

using File = std::vector<Byte>;

// A file with every kind of value, and `doubles` of them.
File sample(std::uint64_t doubles) {
  PlainWriter out;
  begin_file(out, "0.1.0");
  const auto texts = [&](const std::vector<std::string>& values) {
    out.head(Kind::text, false, values.size());
    for (const std::string& one : values) out.text(one.data(), one.size());
    out.fill();
  };
  out.head(Kind::list, true, 7);
  out.head(Kind::nothing, false, 0);
  out.head(Kind::logical, false, 3);
  for (int value : {0, 1, INT32_MIN}) out.integer(value);
  out.fill();
  out.head(Kind::integer, true, 4);
  for (int value : {1, -7, 1 << 30, INT32_MIN}) out.integer(value);
  out.fill();
  out.attribute_count(1);
  out.attribute_name("dim");
  out.head(Kind::integer, false, 2);
  out.integer(2);
  out.integer(2);
  out.fill();
  out.head(Kind::real, false, doubles);
  for (std::uint64_t i = 0; i < doubles; ++i) out.real(0.1 * static_cast<double>(i));
  texts({"", "a", "\xC3\xA4", "a longer one"});
  out.head(Kind::call, true, 3);
  for (const char* word : {"log", "x", ""}) {
    out.head(Kind::symbol, false, 1);
    out.text(word, std::strlen(word));
    out.fill();
  }
  out.attribute_count(1);
  out.attribute_name("names");
  texts({"", "", "base"});
  out.head(Kind::lower, false, 5);
  for (int i = 0; i < 15; ++i) out.real(i);
  out.attribute_count(1);
  out.attribute_name("names");
  texts({"a", "b", "c", "d", "e", "f", "g"});
  end_file(out);
  return out.bytes;
}

// "read", or the kind of the error. The bytes are copied into memory of just their size, so that a look
// beyond them is found.
std::string outcome(const File& bytes) {
  const std::unique_ptr<Byte[]> exact(new Byte[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), exact.get());
  try {
    open_file(exact.get(), bytes.size());
    return "read";
  } catch (const Error& error) {
    return error.kind();
  }
}

void reseal(File& bytes) {
  const std::uint64_t size = bytes.size();
  for (std::size_t i = 0; i < 8; ++i) bytes[16 + i] = static_cast<Byte>(size >> (8 * i));
  const std::uint32_t crc = crc32c(bytes.data(), bytes.size() - check_size);
  for (std::size_t i = 0; i < 4; ++i)
    bytes[bytes.size() - check_size + i] = static_cast<Byte>(crc >> (8 * i));
}

}  // namespace

TEST("CRC-32C has its published check value") {
  const std::string digits = "123456789";
  CHECK(crc32c(reinterpret_cast<const Byte*>(digits.data()), digits.size()) == 0xE3069283U);
  CHECK(crc32c(nullptr, 0) == 0);
}

TEST("a model file is read as it was written") {
  const File bytes = sample(100);
  const PlainValue value = open_file(bytes.data(), bytes.size());
  CHECK(value.kind == Kind::list && value.parts.size() == 7 &&
        value.attribute("names")->texts[6].string() == "g");
  CHECK(value.parts[1].integer(2) == INT32_MIN && value.parts[2].integer(1) == -7 &&
        value.parts[2].attribute("dim")->integer(1) == 2);
  CHECK(value.parts[3].length == 100 && value.parts[3].real(99) == 0.1 * 99 && value.parts[6].real(14) == 14);
  CHECK(value.parts[4].texts[3].string() == "a longer one" &&
        value.parts[5].parts[0].texts[0].string() == "log");
}

TEST("a model file cut off at every length is refused") {
  const File bytes = sample(2300);
  CHECK(bytes.size() > 18000 && bytes.size() <= 20000 && outcome(bytes) == "read");
  bool all = true;
  for (std::size_t size = 0; size < bytes.size(); ++size)
    all = all && outcome(File(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))) == "corrupt";
  CHECK(all);
}

TEST("a model file with any byte changed is refused") {
  for (const std::uint64_t doubles : {300, 2300}) {
    File bytes = sample(doubles);
    const std::vector<int> patterns =
        doubles < 1000 ? std::vector<int>{1, 2, 4, 8, 16, 32, 64, 128, 255, 0x55} : std::vector<int>{1, 255};
    bool all = true;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      for (int pattern : patterns) {
        bytes[i] = static_cast<Byte>(bytes[i] ^ pattern);
        all = all && outcome(bytes) == "corrupt";
        bytes[i] = static_cast<Byte>(bytes[i] ^ pattern);
      }
    CHECK(all && outcome(bytes) == "read");
  }
}

TEST("a model file made to do harm, with size and checksum right, is read or refused") {
  const File bytes = sample(20);
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int read = 0, refused = 0;
  for (int i = 0; i < 40000; ++i) {
    File changed = bytes;
    for (std::size_t j = 0; j <= below(4); ++j) {
      const std::size_t at = head_size + below(changed.size() - head_size - check_size);
      if (i % 5 == 0)
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
      else
        changed[at] =
            i % 3 == 0 ? static_cast<Byte>(changed[at] ^ (1U << below(8))) : static_cast<Byte>(below(256));
    }
    reseal(changed);
    const std::string what = outcome(changed);
    ++(what == "read" ? read : refused);
    if (what != "read" && what != "corrupt") CHECK(!"another kind");
  }
  CHECK(read > 100 && refused > 100);
}

TEST("sizes that a model file cannot have are refused before memory is taken for them") {
  for (std::uint64_t kind = 0; kind <= 12; ++kind)
    for (std::uint64_t length : {std::uint64_t(1), std::uint64_t(1) << 20, std::uint64_t(1) << 31,
                                 (std::uint64_t(1) << 32) - 1, (std::uint64_t(1) << 48) - 1}) {
      PlainWriter out;
      begin_file(out, "0.1.0");
      out.put(kind | (length << 16));
      out.put(std::uint64_t(1));
      end_file(out);
      if (outcome(out.bytes) != "corrupt")
        CHECK((kind == 1 || kind == 2 || kind == 3 || kind == 5 || kind == 7 || kind == 8) && length == 1);
    }
  // lists within lists within lists
  PlainWriter out;
  begin_file(out, "0.1.0");
  for (int i = 0; i < 100000; ++i) out.put(5U | (std::uint64_t(1) << 16));
  out.head(Kind::nothing, false, 0);
  end_file(out);
  CHECK(outcome(out.bytes) == "corrupt");
  // more parts than a model has
  out = PlainWriter();
  begin_file(out, "0.1.0");
  out.put(5U | (std::uint64_t(300000) << 16));
  for (int i = 0; i < 300000; ++i) out.put(std::uint64_t(0));
  end_file(out);
  CHECK(outcome(out.bytes) == "corrupt");
}

TEST("a model file of a later format says which version it needs") {
  File bytes = sample(10);
  bytes[12] = format_number + 1;
  bytes[24] = '7';
  reseal(bytes);
  CHECK(outcome(bytes) == "version");
  try {
    open_file(bytes.data(), bytes.size());
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("install gpstream 7.1.0") != std::string::npos);
  }
}
