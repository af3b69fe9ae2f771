// Inputs and a kernel of many parts, for the tests of what is given and what is open.
#ifndef GPSTREAM_TEST_GIVEN_EXAMPLE_H
#define GPSTREAM_TEST_GIVEN_EXAMPLE_H

#include "../../src/core/learn/prior.h"
#include "check.h"

namespace example {

using namespace gpstream;

Matrix inputs(Index n, Index D);

GivenKernel leaf(const std::string& name, std::optional<double> lengthscale = std::nullopt,
                 std::optional<double> variance = std::nullopt);

GivenKernel composite(const std::string& name, std::vector<GivenKernel> parts);

// se("ard") + rq(alpha open) * matern32(variance = 2)
GivenKernel kernel();

Vector numbers(const std::vector<double>& values);

}  // namespace example

#endif
