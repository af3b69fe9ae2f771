// How the model grew, batch by batch, in bounded memory: when the record is full every second entry is dropped.
#ifndef GPSTREAM_HISTORY_H
#define GPSTREAM_HISTORY_H

#include <cmath>
#include <cstddef>
#include <vector>

namespace gpstream {

struct HistoryEntry {
  double batch, nobs, points;
};

struct History {
  static constexpr std::size_t limit = 999;  // and the present state, when it is read: 1000

  double batches = 0.0, stride = 1.0;
  std::vector<HistoryEntry> kept;

  void reserve() { kept.reserve(limit); }

  void add(double nobs, double points) {
    batches += 1.0;
    if (due() && kept.size() == limit) thin();
    if (due()) kept.push_back({batches, nobs, points});
  }

 private:
  bool due() const { return std::fmod(batches - 1.0, stride) < 0.5; }
  void thin() {
    for (std::size_t i = 0; 2 * i < kept.size(); ++i) kept[i] = kept[2 * i];
    kept.resize((kept.size() + 1) / 2);
    stride *= 2.0;
  }
};

}  // namespace gpstream

#endif
