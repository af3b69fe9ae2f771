// The registry of kernels: one line each.
#ifndef GPSTREAM_KERNELS_H
#define GPSTREAM_KERNELS_H

#include <map>
#include <string>

#include "kernel.h"

namespace gpstream {

using KernelMaker = KernelPtr (*)(const KernelSpec&);

// Not const: a program that embeds the core may have kernels of its own.
std::map<std::string, KernelMaker>& kernel_registry();

KernelPtr make_kernel(const KernelSpec& spec);

// The same unit kernel with amplitude v; the parts of a sum, or the first factor of a product, are scaled
// along.
KernelSpec with_variance(KernelSpec spec, double v);

}  // namespace gpstream

#endif
