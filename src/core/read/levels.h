// What is known of the distance between the rows of the stream and what was absorbed of them.  [derivation
// 10]
#ifndef GPSTREAM_LEVELS_H
#define GPSTREAM_LEVELS_H

#include "../linear/types.h"
#include "../model/streaming_gp.h"
#include "../points/basis.h"

namespace gpstream {

// Entry m: the residual of the rows whose feature has length m and is a projection on the first m points.
// Rows in the look-back window are at M; rows whose points were moved since are at 0, where nothing is said
// about directions. What is integrated out of the trend stands in front of all features, whole from the
// start: m counts these entries, too, and nothing is missed in them.
Vector levels(const StreamingGP& model);

// The smallest and the largest eigenvalue of L L'; the smallest as the inverse of the largest of its inverse,
// which is accurate where the difference of large numbers is not.
Vector extremes(const Basis& basis);

}  // namespace gpstream

#endif
