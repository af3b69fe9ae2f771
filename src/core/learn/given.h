// A kernel as it was given: with parts left open, to be taken from the data and learned.
#ifndef GPSTREAM_LEARN_GIVEN_H
#define GPSTREAM_LEARN_GIVEN_H

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../kernels/kernel.h"
#include "../linear/require.h"
#include "../linear/types.h"
#include "parameters.h"

namespace gpstream {

struct GivenKernel {
  std::string name;
  std::optional<Vector> lengthscale;  // empty: it has none
  bool ard = false;                   // a lengthscale for each column is to be found
  bool any = false;                   // the evidence may choose its family
  std::optional<double> variance;
  std::vector<std::pair<std::string, std::optional<double>>> extras;
  std::map<std::string, double> starts;  // where the search for open extras begins, where that is known
  std::map<std::string, std::optional<Vector>> fixed;
  std::vector<Index> columns;
  std::vector<GivenKernel> parts;
};

inline bool is_composite(const GivenKernel& given) { return !given.parts.empty(); }

// Is nothing left open?
bool is_resolved(const GivenKernel& given);

// Is something open that the evidence alone cannot tell? The parts' shares of a sum are.
bool open_shape(const GivenKernel& given);

// Can the amplitude as a whole be chosen?
bool open_amplitude(const GivenKernel& given);

// Which parameters of the kernel in use were not given. The variances of later factors of a product would say
// the same as that of the first.
std::vector<bool> open_parameters(const GivenKernel& given, const KernelSpec& spec);

// The kernel in use, with all that is open filled in: lengthscales by `lengthscale(leaf)`. `variance` is the
// amplitude that it should have as a whole where it is not given. Constants have been filled in before.
template <class Lengthscale>
KernelSpec resolve(const GivenKernel& given, Index D, double variance, const Lengthscale& lengthscale) {
  KernelSpec out;
  out.name = given.name;
  out.columns = given.columns;
  for (const auto& extra : given.extras) {
    const auto start = given.starts.find(extra.first);
    out.extras[extra.first] = extra.second.value_or(start == given.starts.end() ? 1.0 : start->second);
  }
  for (const auto& one : given.fixed) {
    require(one.second.has_value(), "parameter", "`" + one.first + "` of the kernel is not known.");
    out.fixed[one.first] = *one.second;
  }
  for (const Index d : out.columns)
    require(d < D, "dimension",
            "`kernel` asks for column " + std::to_string(d + 1) + ", but `x` has " + std::to_string(D) +
                " column" + (D == 1 ? "." : "s."));
  if (is_composite(given)) {
    double share = given.name == "sum" ? variance / static_cast<double>(given.parts.size()) : variance;
    for (const GivenKernel& part : given.parts) {
      out.parts.push_back(resolve(part, D, share, lengthscale));
      if (given.name == "product") share = 1.0;
    }
    return completed(std::move(out));
  }
  out.lengthscale = given.lengthscale ? *given.lengthscale : lengthscale(given);
  out.variance = given.variance.value_or(variance);
  require(
      out.lengthscale.allFinite(), "input",
      "the columns of `x` are too large for a lengthscale to be found; rescale them or give `lengthscale`.");
  const Index count = out.lengthscale.size(), own = out.columns.empty() ? D : Index(out.columns.size());
  require(count <= 1 || count == own, "dimension",
          "`kernel` has " + std::to_string(count) + " lengthscales, but " +
              (out.columns.empty() ? "`x` has " : "is of ") + std::to_string(own) + " column" +
              (own == 1 ? "." : "s."));
  return out;
}

// Lengthscales of a kernel that are not in units of the inputs, but on a circle.
bool on_circle(const GivenKernel& leaf);

// The columns of X that a kernel looks at.
Matrix own_columns(const GivenKernel& given, const ConstMatrixView& X);

// Is the length of its waves to be found? That has many peaks: where to begin must be said.
bool open_wave(const GivenKernel& given);
void start_wave(GivenKernel& given, double period);

// What is open of a kernel and no parameter, from the first rows there are: lines begin in the middle of them
// and are measured by their spread, walks begin a little before and are measured by their range, and knots
// are spread evenly over the rows.
GivenKernel with_constants(GivenKernel given, const ConstMatrixView& X);

// The same, taken from rows.
KernelSpec resolve(const GivenKernel& given, const ConstMatrixView& X, double variance);

// Lengthscales that were not given, times a factor; in a composite each part a `step` of the one before it on
// the same columns, because equal parts would stay equal.
KernelSpec stretched(KernelSpec spec, const GivenKernel& given, double factor, double step = 1.0 / 3.0);

// A kernel with nothing given, like this one: all its parameters can be learned.
GivenKernel opened(const KernelSpec& spec);

}  // namespace gpstream

#endif
