#include "check.h"

// With an argument, only the tests that have it in their titles.
int main(int count, char** words) {
  int passed = 0, failed = 0;
  for (const check::Case& one : check::cases()) {
    if (count > 1 && one.name.find(words[1]) == std::string::npos) continue;
    const int before = check::failures();
    try {
      one.body();
    } catch (const std::exception& error) {
      check::report(false, error.what(), one.name.c_str(), 0);
    }
    const bool ok = check::failures() == before;
    std::printf("%s  %s\n", ok ? "ok    " : "FAILED", one.name.c_str());
    ++(ok ? passed : failed);
  }
  std::printf("core: %d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
