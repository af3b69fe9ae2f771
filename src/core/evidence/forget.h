// Forget: every row seen so far counts `keep` times what it did.  [derivation 2]
#ifndef GPSTREAM_FORGET_H
#define GPSTREAM_FORGET_H

#include "../linear/machine.h"
#include "evidence.h"
#include "window.h"

namespace gpstream {

void forget(double keep, Evidence& settled);

void forget(double keep, Evidence& settled, Window& open);

}  // namespace gpstream

#endif
