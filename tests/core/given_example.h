// Inputs and a kernel of many parts, for the tests of what is given and what is open.
#ifndef GPSTREAM_TEST_GIVEN_EXAMPLE_H
#define GPSTREAM_TEST_GIVEN_EXAMPLE_H

#include "../../src/core/learn/prior.h"
#include "check.h"

namespace example {

using namespace gpstream;

inline Matrix inputs(Index n, Index D) {
  Matrix out(n, D);
  for (Index i = 0; i < n; ++i)
    for (Index d = 0; d < D; ++d) {
      const double row = static_cast<double>(i + 1), column = static_cast<double>(d + 1);
      out(i, d) = std::sin(row * column * 1.3) + row * 0.01 * column;
    }
  return out;
}

inline GivenKernel leaf(const std::string& name, std::optional<double> lengthscale = std::nullopt,
                        std::optional<double> variance = std::nullopt) {
  GivenKernel out;
  out.name = name;
  if (lengthscale) out.lengthscale = Vector::Constant(1, *lengthscale);
  out.variance = variance;
  return out;
}

inline GivenKernel composite(const std::string& name, std::vector<GivenKernel> parts) {
  GivenKernel out;
  out.name = name;
  out.parts = std::move(parts);
  return out;
}

// se("ard") + rq(alpha open) * matern32(variance = 2)
inline GivenKernel kernel() {
  GivenKernel se = leaf("se"), rq = leaf("rq");
  se.ard = true;
  rq.extras = {{"alpha", std::nullopt}};
  return composite("sum", {se, composite("product", {rq, leaf("matern32", std::nullopt, 2.0)})});
}

inline Vector numbers(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace example

#endif
