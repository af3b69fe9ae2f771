// Rules that draw random numbers, which the core does not: whoever embeds it proposes points, and they join,
// up to m in all.
#ifndef GPSTREAM_SELECTORS_PROPOSED_H
#define GPSTREAM_SELECTORS_PROPOSED_H

#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

struct Proposal {
  Matrix points;
  Vector rows;  // the row of X each one is, from 0, or -1
};

// Asked while points are lacking: which rule, where it chooses from, for which kernel, how many points there
// are. R has its own.
using Proposer = Proposal (*)(const SelectorSpec& rule, const ConstMatrixView& X, const Kernel& kernel,
                              Index have);
inline Proposer propose = [](const SelectorSpec&, const ConstMatrixView&, const Kernel&, Index) {
  return Proposal();
};

}  // namespace gpstream

#endif
