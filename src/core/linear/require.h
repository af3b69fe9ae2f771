// Checks that protect memory and mathematics. Exceptions, because R compiles packages with assertions off.
#ifndef GPSTREAM_REQUIRE_H
#define GPSTREAM_REQUIRE_H

#include <stdexcept>
#include <string>
#include <utility>

namespace gpstream {

// `kind` becomes the class of the R condition: gpstream_error_<kind>.
class Error : public std::runtime_error {
 public:
  Error(std::string kind, const std::string& message) : std::runtime_error(message), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
};

inline void require(bool condition, const char* kind, const std::string& message) {
  if (!condition) throw Error(kind, message);
}

}  // namespace gpstream

#endif
