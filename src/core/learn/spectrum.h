// The spectrum of outputs at irregular times: how much of them a wave of each frequency explains, by least
// squares.
#ifndef GPSTREAM_LEARN_SPECTRUM_H
#define GPSTREAM_LEARN_SPECTRUM_H

#include <cstddef>
#include <vector>

#include "../linear/types.h"

namespace gpstream {

// y without a cubic in t, which would drown the waves.
Vector without_drift(const Vector& t, const Vector& y);

// What cos and sin of this frequency, and of its multiples up to `harmonics`, leave of y.
Vector without_wave(const Vector& t, const Vector& y, double frequency, int harmonics);

// The share of y that a wave of this frequency explains, its phase free.
double explained(const Vector& t, const Vector& y, double frequency);

// The frequencies that explain most, each the highest of its neighbourhood, best first: of waves that come at
// least twice, and no faster than two typical gaps between rows.
std::vector<double> best_frequencies(const Vector& t, const Vector& y, std::size_t count);

}  // namespace gpstream

#endif
