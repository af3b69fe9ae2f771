// Threads that cannot be had.
#include <atomic>
#include <cstdlib>
#include <new>

#include "../../src/core/linear/machine.h"
#include "check.h"

using namespace gpstream;

// A request for memory that fails, counted from now; -1: none.
namespace {
std::atomic<int> failing{-1};
void* memory(std::size_t size) {
  return failing >= 0 && failing-- == 0 ? nullptr : std::malloc(size + (size == 0));
}
}  // namespace

void* operator new(std::size_t size) {
  if (void* out = memory(size)) return out;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return memory(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return memory(size); }
__attribute__((noinline)) void operator delete(void* what) noexcept { std::free(what); }
__attribute__((noinline)) void operator delete[](void* what) noexcept { std::free(what); }
__attribute__((noinline)) void operator delete(void* what, std::size_t) noexcept { std::free(what); }
__attribute__((noinline)) void operator delete[](void* what, std::size_t) noexcept { std::free(what); }

TEST("no memory for a thread: the present one does its part") {
  int complete = 0;
  for (int which = 0; which < 8; ++which) {
    std::atomic<int> seen{0};
    failing = which;
    try {
      in_parts(96, 4, [&](Index, Index, Index count) { seen += static_cast<int>(count); });
      complete += seen == 96;
    } catch (const std::bad_alloc&) {
      CHECK(which == 0);  // the list of failures, before anything has started
    }
    failing = -1;
  }
  CHECK(complete == 7);
}
