#include "kernels.h"

#include <cmath>

#include "../linear/require.h"

namespace gpstream {

// The name of a kernel in files and in R. Its unit defines KernelPtr make_<name>(const KernelSpec&).
#define GPSTREAM_KERNELS(KERNEL) \
  KERNEL(se)                     \
  KERNEL(matern12)               \
  KERNEL(matern32)               \
  KERNEL(matern52)               \
  KERNEL(rq)                     \
  KERNEL(periodic)               \
  KERNEL(cosine)                 \
  KERNEL(constant)               \
  KERNEL(linear)                 \
  KERNEL(brownian)               \
  KERNEL(integrated_brownian)    \
  KERNEL(factor)                 \
  KERNEL(gibbs)                  \
  KERNEL(amplitude)              \
  KERNEL(warped)                 \
  KERNEL(sum)                    \
  KERNEL(product)

#define GPSTREAM_DECLARE(name) KernelPtr make_##name(const KernelSpec& spec);
GPSTREAM_KERNELS(GPSTREAM_DECLARE)
#undef GPSTREAM_DECLARE
KernelPtr make_on_columns(const KernelSpec& spec);

std::map<std::string, KernelMaker>& kernel_registry() {
  static std::map<std::string, KernelMaker> registry = {
#define GPSTREAM_ROW(name) {#name, make_##name},
      GPSTREAM_KERNELS(GPSTREAM_ROW)
#undef GPSTREAM_ROW
  };
  return registry;
}

KernelPtr make_kernel(const KernelSpec& spec) {
  const auto found = kernel_registry().find(spec.name);
  require(found != kernel_registry().end(), "parameter", "there is no kernel \"" + spec.name + "\".");
  require(std::isfinite(spec.variance) && spec.variance > 0, "parameter",
          "`variance` must be positive and finite.");
  if (!spec.columns.empty()) return make_on_columns(spec);
  return found->second(spec);
}

KernelSpec with_variance(KernelSpec spec, double v) {
  const double factor = v / spec.variance;
  for (KernelSpec& part : spec.parts) {
    part = with_variance(part, part.variance * factor);
    if (spec.name == "product") break;
  }
  spec.variance = v;
  return spec;
}

}  // namespace gpstream
