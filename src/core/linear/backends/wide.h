// The package's own operations in vectors of four, where the processor has AVX2 and FMA. On a plain build
// Eigen works two by two.
#ifndef GPSTREAM_BACKENDS_WIDE_H
#define GPSTREAM_BACKENDS_WIDE_H

#include "../vector/lanes.h"
#include "backend.h"

#if GPSTREAM_WIDE
namespace gpstream {

Backend wide_backend();

}  // namespace gpstream
#endif

#endif
