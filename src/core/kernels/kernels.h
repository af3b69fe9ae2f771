// The registry of kernels: one line each.
#ifndef GPSTREAM_KERNELS_H
#define GPSTREAM_KERNELS_H

#include "amplitude.h"
#include "brownian.h"
#include "constant.h"
#include "cosine.h"
#include "factor.h"
#include "gibbs.h"
#include "linear.h"
#include "matern.h"
#include "on_columns.h"
#include "periodic.h"
#include "product.h"
#include "rq.h"
#include "se.h"
#include "sum.h"
#include "warped.h"

namespace gpstream {

using KernelMaker = KernelPtr (*)(const KernelSpec&);

template <class K>
KernelPtr new_kernel(const KernelSpec& spec) {
  return std::make_shared<K>(spec);
}

// Not const: a program that embeds the core may have kernels of its own.
inline std::map<std::string, KernelMaker>& kernel_registry() {
  static std::map<std::string, KernelMaker> registry = {
      {"se", new_kernel<SquaredExponential>},
      {"matern12", new_kernel<Matern12>},
      {"matern32", new_kernel<Matern32>},
      {"matern52", new_kernel<Matern52>},
      {"rq", new_kernel<RationalQuadratic>},
      {"periodic", new_kernel<Periodic>},
      {"cosine", new_kernel<Cosine>},
      {"constant", new_kernel<Constant>},
      {"linear", new_kernel<Linear>},
      {"brownian", new_kernel<Brownian>},
      {"integrated_brownian", new_kernel<IntegratedBrownian>},
      {"factor", new_kernel<Factor>},
      {"gibbs", new_kernel<Gibbs>},
      {"amplitude", new_kernel<Amplitude>},
      {"warped", new_kernel<Warped>},
      {"sum", new_kernel<Sum>},
      {"product", new_kernel<Product>},
  };
  return registry;
}

inline KernelPtr make_kernel(const KernelSpec& spec) {
  const auto found = kernel_registry().find(spec.name);
  require(found != kernel_registry().end(), "parameter", "there is no kernel \"" + spec.name + "\".");
  require(std::isfinite(spec.variance) && spec.variance > 0, "parameter",
          "`variance` must be positive and finite.");
  if (!spec.columns.empty()) return std::make_shared<OnColumns>(spec);
  return found->second(spec);
}

// The same unit kernel with amplitude v; the parts of a sum, or the first factor of a product, are scaled
// along.
inline KernelSpec with_variance(KernelSpec spec, double v) {
  const double factor = v / spec.variance;
  for (KernelSpec& part : spec.parts) {
    part = with_variance(part, part.variance * factor);
    if (spec.name == "product") break;
  }
  spec.variance = v;
  return spec;
}

}  // namespace gpstream

#endif
