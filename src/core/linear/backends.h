// Which back end: the fastest on this machine, found once by a short race, unless one is asked for by name.
#ifndef GPSTREAM_BACKENDS_H
#define GPSTREAM_BACKENDS_H

#include <chrono>
#include <limits>

#include "backends/eigen.h"
#include "backends/wide.h"
#include "machine.h"
#include "require.h"

namespace gpstream {

inline std::vector<Backend> own_backends() {
  std::vector<Backend> all{eigen_backend()};
#if GPSTREAM_WIDE
  if (vector::wide_supported()) all.push_back(wide_backend());
#endif
  return all;
}

// Eigen's comes first. Whoever embeds the core may add others, before the first use.
inline std::vector<Backend>& backends() {
  static std::vector<Backend> all = own_backends();
  return all;
}

// Seconds for a solve and a symmetric update of this size, the best of a few.
inline std::vector<double> race(const std::vector<Backend>& runners, Index size = 128, int rounds = 3) {
  Matrix L = Matrix::Identity(size, size), S = L;
  L.triangularView<Eigen::StrictlyLower>().setConstant(0.5 / static_cast<double>(size));
  const Matrix B = Matrix::Constant(size, size, 0.5);
  std::vector<double> best(runners.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < runners.size(); ++i) {
      Matrix W = B;
      const auto start = std::chrono::steady_clock::now();
      runners[i].solve_lower(L, W);
      runners[i].add_outer(S, W);
      best[i] =
          std::min(best[i], std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  return best;
}

inline const std::vector<double>& raced() {
  static const std::vector<double> seconds = race(backends());
  return seconds;
}

// Of those that may be used. Another than the present best must be faster by a fifth: a choice that noise can
// turn would turn the last digits with it.
inline std::size_t fastest(const std::vector<Backend>& runners, const std::vector<double>& seconds) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < seconds.size(); ++i)
    if (1.2 * seconds[i] < seconds[best] && (runners[i].name != "avx2" || vector::wide_vectors())) best = i;
  return best;
}

inline const Backend& backend() {
  const std::string name = wanted().backend;
  if (name == "auto") return backends()[fastest(backends(), raced())];
  for (const Backend& one : backends())
    if (one.name == name) return one;
  std::string names = "\"auto\"";
  for (const Backend& one : backends()) names += ", \"" + one.name + "\"";
  throw Error("parameter",
              "the option `gpstream.backend` must be one of " + names + ", not \"" + name + "\".");
}

}  // namespace gpstream

#endif
