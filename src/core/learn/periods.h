// Where the search for open periods begins: the peaks of the spectrum. Each way to begin is a family that
// competes by its evidence.
#ifndef GPSTREAM_LEARN_PERIODS_H
#define GPSTREAM_LEARN_PERIODS_H

#include <vector>

#include "families.h"
#include "given.h"
#include "sample.h"

namespace gpstream {

// A given kernel as families that compete: other smoothness where that is open, other periods.
std::vector<Family> families_of(const GivenKernel& given, const Sample& rows, bool few);

}  // namespace gpstream

#endif
