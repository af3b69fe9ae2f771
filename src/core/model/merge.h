// Merge two models that saw different rows: as if the stream of the second had come after that of the first,
// with the points of both.  [derivation 18]
#ifndef GPSTREAM_MODEL_MERGE_H
#define GPSTREAM_MODEL_MERGE_H

#include <optional>
#include <string>
#include <vector>

#include "../evidence/window.h"
#include "../kernels/kernel.h"
#include "state.h"
#include "streaming_gp.h"

namespace gpstream {

// What became of the second on the way to the first.
struct Merged {
  StreamingGP model;
  double added = 0.0;    // points that only the second had
  double refused = 0.0;  // such points that say nothing the others do not say already
  double foreign = 0.0;  // rows that had settled under another kernel
  double lost = 0.0;     // what its evidence lost, in units of the kernel's variance: the price of the move
};

// In what two models differ of the things that evidence is about, up to its variance the kernel, and of those
// that it is read with.
inline bool same_kernel(const State& a, const State& b) {
  return same_unit_kernel(a.kernel->spec(), b.kernel->spec());
}
std::vector<std::string> differences(const State& a, const State& b);
void require_same_rows(const State& a, const State& b);

// Open rows side by side; the oldest that exceed the look-back settle. `most`: the share of its variance that
// points may leave of a row that counts.
void put_behind(const Window& later, double most, State& state);

// Noise, variance, mean and prior of the trend, the selector, the look-back and what it learns by itself are
// those of the first. With another kernel, too, the evidence of the second is carried over.
Merged merged(StreamingGP first, const StreamingGP& second, std::optional<double> most = {});

}  // namespace gpstream

#endif
