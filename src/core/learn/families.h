// Families of kernels that compete for the rows, and the middle of each: where the search for its parameters
// measures them from.
#ifndef GPSTREAM_LEARN_FAMILIES_H
#define GPSTREAM_LEARN_FAMILIES_H

#include "given.h"

namespace gpstream {

struct Family {
  std::string name;
  GivenKernel kernel;
  bool tied = false;  // the lengthscales of every part are those of the first, times an e^-gap of its own
};

// Smooth to rough, and one that is smooth with something rough and short upon it.
inline std::vector<Family> default_families(bool ard = true) {
  const auto leaf = [ard](const std::string& name) {
    GivenKernel out;
    out.name = name;
    out.ard = ard;
    return out;
  };
  std::vector<Family> out;
  for (const char* name : {"se", "matern52", "matern32", "matern12"}) out.push_back({name, leaf(name)});
  GivenKernel both;
  both.name = "sum";
  both.parts = {leaf("matern52"), leaf("matern12")};
  out.push_back({"matern52+matern12", both, true});
  return out;
}

// Of the inputs: where they are, how far they spread, and which belong together, being of one factor.
struct Columns {
  Vector centre, scale;
  std::vector<Index> groups;  // by number, those of a group share one lengthscale; none: each its own

  Index size() const { return scale.size(); }
  Index group(Index d) const { return groups.empty() ? d : groups[static_cast<std::size_t>(d)]; }
  double common_scale() const { return std::sqrt(scale.squaredNorm() / static_cast<double>(size())); }
  // Those that a kernel looks at.
  Columns of(const std::vector<Index>& some) const {
    if (some.empty()) return *this;
    Columns out{Vector(Index(some.size())), Vector(Index(some.size())), {}};
    for (std::size_t i = 0; i < some.size(); ++i) {
      require(some[i] < size(), "dimension", "the kernel does not fit the number of columns.");
      out.centre(Index(i)) = centre(some[i]);
      out.scale(Index(i)) = scale(some[i]);
      out.groups.push_back(group(some[i]));
    }
    return out;
  }
  Vector group_scales() const {
    std::map<Index, std::pair<double, double>> sums;
    for (Index d = 0; d < size(); ++d) {
      sums[group(d)].first += scale(d) * scale(d);
      sums[group(d)].second += 1.0;
    }
    Vector out(size());
    for (Index d = 0; d < size(); ++d) out(d) = std::sqrt(sums[group(d)].first / sums[group(d)].second);
    return out;
  }
};

// Kernels without the factor 1/2 before r^2 have lengthscales longer by sqrt(2) for the same function.
inline double convention(const std::string& kernel) {
  return kernel == "se" || kernel == "rq" || kernel == "gibbs" ? std::sqrt(2.0) : 1.0;
}

// The kernel of a family where all logarithms that are looked for are 0, outputs having this variance.
inline KernelSpec central_kernel(const Family& family, const Columns& columns, double variance) {
  KernelSpec out = resolve(family.kernel, columns.size(), variance, [&](const GivenKernel& leaf) -> Vector {
    const Columns own = columns.of(leaf.columns);
    if (on_circle(leaf)) return Vector::Ones(leaf.ard ? own.size() : 1);
    return convention(leaf.name) * (leaf.ard ? own.group_scales() : Vector::Constant(1, own.common_scale()));
  });
  if (!family.tied) return stretched(std::move(out), family.kernel, 1.0);
  for (std::size_t i = 0; i < out.parts.size(); ++i)
    if (!family.kernel.parts[i].variance) out.parts[i].variance = i == 0 ? variance : 0.1 * variance;
  return completed(std::move(out));
}

}  // namespace gpstream

#endif
