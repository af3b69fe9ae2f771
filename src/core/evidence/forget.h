// Forget: every row seen so far counts `keep` times what it did.  [derivation 2]
#ifndef GPSTREAM_FORGET_H
#define GPSTREAM_FORGET_H

#include "evidence.h"
#include "window.h"

namespace gpstream {

inline void forget(double keep, Evidence& settled) {
  settled.P.view() *= keep;
  settled.H.view() *= keep;
  settled.b.view() *= keep;
  settled.Phi *= keep;
  settled.s *= keep;
  settled.n *= keep;
  settled.con *= keep;
  settled.yy *= keep;
  settled.tau.view() *= keep;
  settled.carried.tau *= keep;
  settled.carried.lost *= keep;
  settled.carried.norm *= keep;
  settled.carried.foreign *= keep;
}

inline void forget(double keep, Evidence& settled, Window& open) {
  forget(keep, settled);
  open.weigh_down(keep);
}

}  // namespace gpstream

#endif
