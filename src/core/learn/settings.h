// What rows say of everything that was left open: the settings of a model.
#ifndef GPSTREAM_LEARN_SETTINGS_H
#define GPSTREAM_LEARN_SETTINGS_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../linear/types.h"
#include "../model/state.h"
#include "compete.h"
#include "families.h"
#include "moments.h"
#include "outputs.h"
#include "sample.h"
#include "wishes.h"

namespace gpstream {

// Families of kernels to choose from: where the kernel is given, that one.
std::vector<Family> families_of(const Wishes& wishes, const Sample& rows, bool few);

LearnedKernel learned_kernel(const Wishes& wishes, const Moments& columns, const Sample& few,
                             const Sample& more, const std::map<std::string, Vector>& last, bool young,
                             Checkpoint check, const std::optional<OutputUnits>& units = {});

// `rows` are those that the model will be fed with.
Settings settings_from(const LearnedKernel& found, const Wishes& wishes, const Moments& columns,
                       const Sample& rows, Checkpoint check);

}  // namespace gpstream

#endif
