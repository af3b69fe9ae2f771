#include "given_example.h"

#include "../../src/core/learn/prior.h"
#include "check.h"

namespace example {

Matrix inputs(Index n, Index D) {
  Matrix out(n, D);
  for (Index i = 0; i < n; ++i)
    for (Index d = 0; d < D; ++d) {
      const double row = static_cast<double>(i + 1), column = static_cast<double>(d + 1);
      out(i, d) = std::sin(row * column * 1.3) + row * 0.01 * column;
    }
  return out;
}

GivenKernel leaf(const std::string& name, std::optional<double> lengthscale, std::optional<double> variance) {
  GivenKernel out;
  out.name = name;
  if (lengthscale) out.lengthscale = Vector::Constant(1, *lengthscale);
  out.variance = variance;
  return out;
}

GivenKernel composite(const std::string& name, std::vector<GivenKernel> parts) {
  GivenKernel out;
  out.name = name;
  out.parts = std::move(parts);
  return out;
}

GivenKernel kernel() {
  GivenKernel se = leaf("se"), rq = leaf("rq");
  se.ard = true;
  rq.extras = {{"alpha", std::nullopt}};
  return composite("sum", {se, composite("product", {rq, leaf("matern32", std::nullopt, 2.0)})});
}

Vector numbers(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace example
