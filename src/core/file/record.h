// A record: named plain values, in order. What a state is saved as, whatever it is then written to.
#ifndef GPSTREAM_RECORD_H
#define GPSTREAM_RECORD_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "../select/selector.h"

namespace gpstream {

using Plain = std::variant<double, std::string, Vector, Matrix, KernelSpec, SelectorSpec>;

class Record {
 public:
  void put(const std::string& name, Plain value) { fields_.emplace_back(name, std::move(value)); }
  const std::vector<std::pair<std::string, Plain>>& fields() const { return fields_; }

  bool has(const char* name) const { return find(name) != nullptr; }

  // Another record within this one: its names behind a prefix.
  void put(const std::string& prefix, const Record& inner);
  Record within(const std::string& prefix) const;

  template <class T>
  const T& get(const char* name) const {
    const Plain* found = find(name);
    require(found != nullptr, "corrupt", std::string("the state has no `") + name + "`.");
    require(std::holds_alternative<T>(*found), "corrupt",
            std::string("`") + name + "` in the state is of the wrong type.");
    return std::get<T>(*found);
  }
  // One number, which may have come as a vector of one.
  double number(const char* name) const;

 private:
  const Plain* find(const char* name) const;

  std::vector<std::pair<std::string, Plain>> fields_;
};

// Several numbers, and as many back.
template <class Numbers>
Vector vector_of(const Numbers& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}
template <std::size_t size>
std::array<double, size> numbers_of(const Record& record, const char* name) {
  const Vector& values = record.get<Vector>(name);
  require(values.size() == static_cast<Index>(size), "corrupt",
          std::string("`") + name + "` in the state has another length.");
  std::array<double, size> out;
  std::copy(values.data(), values.data() + size, out.begin());
  return out;
}

// Equal to the last bit; missing values are equal, too.
bool same_bits(const double* a, const double* b, Index size);
inline bool same(double a, double b) { return same_bits(&a, &b, 1); }
inline bool same(const std::string& a, const std::string& b) { return a == b; }
bool same(const Vector& a, const Vector& b);
bool same(const Matrix& a, const Matrix& b);
bool same(const KernelSpec& a, const KernelSpec& b);
bool same(const SelectorSpec& a, const SelectorSpec& b);

bool operator==(const Record& a, const Record& b);

}  // namespace gpstream

#endif
