// One family's search: L-BFGS on the exact evidence times the prior.
#ifndef GPSTREAM_LEARN_CLIMB_H
#define GPSTREAM_LEARN_CLIMB_H

#include <map>
#include <string>
#include <vector>

#include "../linear/types.h"
#include "exact.h"
#include "families.h"
#include "lbfgs.h"
#include "outputs.h"

namespace gpstream {

// Exact evidences, one an output, and the variances that these are measured in: outputs are independent given
// the kernel, so that what rows say of it is the sum.
struct Evidences {
  std::vector<ExactEvidence> each;
  std::vector<double> variance;
};

// From theta to the best that is found in so many steps.
Found climb(Evidences& evidence, const OutputUnknowns& unknowns, const Vector& theta, int steps,
            Checkpoint check);

// Short and long lengthscales, the best of some that are far shorter, down to the spacing of so many rows in
// so many columns, and where the family ended the last time.
std::vector<Vector> starts_of(const Family& family, Evidences& evidence, const OutputUnknowns& unknowns,
                              const std::map<std::string, Vector>& last, double spacing, Checkpoint check);

}  // namespace gpstream

#endif
