// How the core may use the machine: which linear algebra, how many threads. Whoever embeds the core says so
// by a hook; R asks its options.
#ifndef GPSTREAM_MACHINE_H
#define GPSTREAM_MACHINE_H

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "types.h"

namespace gpstream {

struct Preferences {
  std::string backend = "auto";  // or the name of one: see backends.h
  int threads = 1;
};

// Called in the thread that entered the core, never in one of its own: see `wanted`.
inline Preferences (*preferences)() = [] { return Preferences(); };

// What holds within a part of `in_parts`: asked for before, and no threads within threads.
inline thread_local const Preferences* settled = nullptr;
inline Preferences wanted() { return settled ? *settled : preferences(); }

class Settled {
 public:
  explicit Settled(const Preferences& here) : before_(settled) { settled = &here; }
  ~Settled() { settled = before_; }
  Settled(const Settled&) = delete;
  Settled& operator=(const Settled&) = delete;

 private:
  const Preferences* before_;
};

// Into how many parts: no more than threads, none shorter than 24.
inline Index parts_of(Index n, int threads) { return std::max<Index>(1, std::min<Index>(threads, n / 24)); }

// part(which, from, count) for consecutive parts of 0 ... n - 1, each in a thread that lives no longer than
// this call (so nothing is left that a fork could break), the first in the present one. Parts must write to
// different places.
template <class Part>
void in_parts(Index n, int threads, const Part& part) {
  const Index pieces = parts_of(n, threads), length = ((n + pieces - 1) / pieces + 23) / 24 * 24;
  if (pieces == 1) return part(Index(0), Index(0), n);
  Preferences here = wanted();
  here.threads = 1;
  std::vector<std::thread> others;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(pieces));
  const auto guarded = [&](Index i) {
    const Index from = i * length, count = std::min(length, n - from);
    const Settled until_the_end(here);
    try {
      if (count > 0) part(i, from, count);
    } catch (...) {
      failures[static_cast<std::size_t>(i)] = std::current_exception();
    }
  };
  Index started = 1;
  try {
    for (others.reserve(static_cast<std::size_t>(pieces)); started < pieces; ++started)
      others.emplace_back(guarded, started);
  } catch (const std::exception&) {  // the system gives no more threads, or no memory for one: the present
                                     // one does the rest
  }
  guarded(0);
  for (Index i = started; i < pieces; ++i) guarded(i);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gpstream

#endif
