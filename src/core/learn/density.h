// Points as dense as the noise asks.
#ifndef GPSTREAM_LEARN_DENSITY_H
#define GPSTREAM_LEARN_DENSITY_H

#include "../linear/types.h"
#include "../model/state.h"
#include "../select/selector.h"

namespace gpstream {

// Where the choice is the model's own: a row joins when the points leave more of it than a share of the
// noise; a larger share where these rows would use up more than half of the points there may be, so that a
// stream which moves on finds some left. What points so few leave of a row is noise of its own.
SelectorPtr dense_enough(const Settings& settings, const Matrix& rows, const SelectorSpec& wished,
                         Checkpoint check);

}  // namespace gpstream

#endif
