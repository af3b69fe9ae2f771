// A record: named plain values, in order. What a state is saved as, whatever it is then written to.
#ifndef GPSTREAM_RECORD_H
#define GPSTREAM_RECORD_H

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "../kernels/kernel.h"
#include "../select/selector.h"

namespace gpstream {

using Plain = std::variant<double, std::string, Vector, Matrix, KernelSpec, SelectorSpec>;

class Record {
 public:
  void put(const std::string& name, Plain value) { fields_.emplace_back(name, std::move(value)); }
  const std::vector<std::pair<std::string, Plain>>& fields() const { return fields_; }

  bool has(const char* name) const { return find(name) != nullptr; }

  // Another record within this one: its names behind a prefix.
  void put(const std::string& prefix, const Record& inner) {
    for (const auto& one : inner.fields()) put(prefix + one.first, one.second);
  }
  Record within(const std::string& prefix) const {
    Record out;
    for (const auto& one : fields_)
      if (one.first.compare(0, prefix.size(), prefix) == 0)
        out.put(one.first.substr(prefix.size()), one.second);
    return out;
  }

  template <class T>
  const T& get(const char* name) const {
    const Plain* found = find(name);
    require(found != nullptr, "corrupt", std::string("the state has no `") + name + "`.");
    require(std::holds_alternative<T>(*found), "corrupt",
            std::string("`") + name + "` in the state is of the wrong type.");
    return std::get<T>(*found);
  }
  // One number, which may have come as a vector of one.
  double number(const char* name) const {
    const Plain* found = find(name);
    const bool alone = found != nullptr && std::holds_alternative<double>(*found);
    const double value = alone                           ? std::get<double>(*found)
                         : get<Vector>(name).size() == 1 ? get<Vector>(name)(0)
                                                         : std::nan("");
    require(!std::isnan(value), "corrupt", std::string("`") + name + "` in the state must be one number.");
    return value;
  }

 private:
  const Plain* find(const char* name) const {
    for (const auto& one : fields_)
      if (one.first == name) return &one.second;
    return nullptr;
  }

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
inline bool same_bits(const double* a, const double* b, Index size) {
  return size == 0 || std::memcmp(a, b, static_cast<std::size_t>(size) * sizeof(double)) == 0;
}
inline bool same(double a, double b) { return same_bits(&a, &b, 1); }
inline bool same(const std::string& a, const std::string& b) { return a == b; }
inline bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}
inline bool same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && same_bits(a.data(), b.data(), a.size());
}
inline bool same(const KernelSpec& a, const KernelSpec& b) {
  if (a.name != b.name || !same(a.variance, b.variance) || !same(a.lengthscale, b.lengthscale)) return false;
  if (a.extras != b.extras || a.columns != b.columns || a.parts.size() != b.parts.size() ||
      a.fixed.size() != b.fixed.size())
    return false;
  for (auto p = a.fixed.begin(), q = b.fixed.begin(); p != a.fixed.end(); ++p, ++q)
    if (p->first != q->first || !same(p->second, q->second)) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!same(a.parts[i], b.parts[i])) return false;
  return true;
}
inline bool same(const SelectorSpec& a, const SelectorSpec& b) {
  return a.name == b.name && a.numbers == b.numbers && a.words == b.words && same(a.points, b.points) &&
         a.optimize_points == b.optimize_points;
}

inline bool operator==(const Record& a, const Record& b) {
  if (a.fields().size() != b.fields().size()) return false;
  for (std::size_t i = 0; i < a.fields().size(); ++i) {
    const auto &x = a.fields()[i], &y = b.fields()[i];
    if (x.first != y.first || x.second.index() != y.second.index()) return false;
    const bool equal = std::visit(
        [&](const auto& v) { return same(v, std::get<std::decay_t<decltype(v)>>(y.second)); }, x.second);
    if (!equal) return false;
  }
  return true;
}

}  // namespace gpstream

#endif
