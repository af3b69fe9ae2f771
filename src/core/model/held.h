// A value behind a pointer, for a type that holds others of its own kind: copies are copies.
#ifndef GPSTREAM_HELD_H
#define GPSTREAM_HELD_H

#include <memory>
#include <utility>

namespace gpstream {

template <class T>
class Held {
 public:
  explicit Held(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Held(const Held& other) : value_(std::make_unique<T>(*other.value_)) {}
  Held(Held&&) noexcept = default;
  Held& operator=(Held other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace gpstream

#endif
