// Are the intervals as wide as they should be? One factor a level, learned from the misses of the intervals
// as they were served, so that in the long run a level misses as often as it says, whatever the stream does,
// and 1 while the misses are within what chance gives. [derivation 14] has the proof.
#ifndef GPSTREAM_CALIBRATION_H
#define GPSTREAM_CALIBRATION_H

#include <array>
#include <cmath>
#include <cstddef>

#include "../linear/types.h"

namespace gpstream {

struct Calibration {
  static constexpr std::size_t levels = 5, slots = 20;
  static constexpr std::array<double, levels> miss{0.5, 0.2, 0.1, 0.05, 0.01};  // of 50, 80, 90, 95, 99 %
  static constexpr std::array<double, levels> z{0.67448975019608171, 1.2815515655446004, 1.6448536269514722,
                                                1.9599639845400543, 2.5758293035489004};
  static constexpr int slot_rows = 50;     // 20 slots of them: the last 1000 rows
  static constexpr Index most_rows = 200;  // in a block: beyond, steps of this size would swing

  double rows = 0.0;                    // scored so far
  std::array<double, levels> debt{};    // log factors that account for every miss: v of the derivation
  std::array<double, slots> largest{};  // |z| of the last rows; the slot of row i is (i / 50) mod 20

  // The standardised errors of the next block of rows. All were served with the factors as they stand, and
  // the block's end is where the factors move: the same blocks give the same value, however they came.
  void see(const Vector& errors);

  // As served, by level. Half-widths z exp(log factor) never fall from one level to the next.
  std::array<double, levels> log_factors() const;

  // Of any level between 0 and 1. Between two of the five it is linear in log z, so that the half-width does
  // not fall there either; outside it is constant.
  double log_factor(double level) const;

  // How far a miss moves the log factor. Divided by the standard deviation of a miss, so that chance moves
  // all levels alike and, where half-widths would cross, the higher level gains on the lower one. A block of
  // 50 misses moves it by 1 at most.
  double step(std::size_t l) const;

  // Twice the standard deviation that a log factor has around 0 when the model is right and 0 is not left
  // alone: step / 2 times the variance of a miss over the density of log |z| at log z[l], and that density is
  // within a third of the deviation of a miss at every level.
  double chance(std::size_t l) const { return std::sqrt(2 * step(l) * deviation(l)); }

  static constexpr std::size_t fields = 1 + levels + slots;
  std::array<double, fields> values() const;
  static Calibration of(const std::array<double, fields>& from);
  friend bool operator==(const Calibration& a, const Calibration& b) { return a.values() == b.values(); }

  bool sound() const;

 private:
  static constexpr double log_least = 2.7725887222397811;   // log 16: what was covered beyond is forgotten
  static constexpr double log_behind = 1.3862943611198906;  // log 4
  static double deviation(std::size_t l) { return std::sqrt(miss[l] * (1 - miss[l])); }
};

}  // namespace gpstream

#endif
