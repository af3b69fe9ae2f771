// A test framework in forty lines: TEST("what must hold") { CHECK(...); CHECK_CLOSE(a, b, tol); }
#ifndef GPSTREAM_TEST_CHECK_H
#define GPSTREAM_TEST_CHECK_H

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../../src/core/linear/require.h"

namespace check {

struct Case {
  std::string name;
  std::function<void()> body;
};
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
inline int& failures() {
  static int count = 0;
  return count;
}
struct Register {
  Register(const char* name, std::function<void()> body) { cases().push_back({name, std::move(body)}); }
};
inline void report(bool ok, const char* what, const char* file, int line, const std::string& more = "") {
  if (ok) return;
  ++failures();
  std::printf("  FAILED %s:%d  %s  %s\n", file, line, what, more.c_str());
}
template <class A, class B>
double difference(const A& a, const B& b, double floor = 0) {
  const double scale = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), floor, 1e-300});
  return (a - b).cwiseAbs().maxCoeff() / scale;
}

}  // namespace check

#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN2(a, b)
#define TEST(name)                                                                           \
  static void CHECK_JOIN(test_, __LINE__)();                                                 \
  static check::Register CHECK_JOIN(register_, __LINE__)(name, CHECK_JOIN(test_, __LINE__)); \
  static void CHECK_JOIN(test_, __LINE__)()
#define CHECK(condition) check::report(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
// largest difference relative to the largest entry
#define CHECK_CLOSE(a, b, tolerance)                                               \
  do {                                                                             \
    const double off = check::difference(a, b);                                    \
    check::report(off <= (tolerance), #a " == " #b, __FILE__, __LINE__,            \
                  "off by " + std::to_string(off / (tolerance)) + " x tolerance"); \
  } while (false)
#define CHECK_THROWS(expression, expected)                                    \
  do {                                                                        \
    std::string kind = "nothing thrown";                                      \
    try {                                                                     \
      expression;                                                             \
    } catch (const gpstream::Error& error) {                                  \
      kind = error.kind();                                                    \
    }                                                                         \
    check::report(kind == (expected), #expression, __FILE__, __LINE__, kind); \
  } while (false)

#endif
