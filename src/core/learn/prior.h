// Where the search for a kernel may go, and what is thought of it before the rows have spoken. All in the
// order of log_parameters.
#ifndef GPSTREAM_LEARN_PRIOR_H
#define GPSTREAM_LEARN_PRIOR_H

#include "box.h"
#include "given.h"

namespace gpstream {

// What is looked for: some of the kernel's parameters, and the noise or not. When noise and amplitude both
// are, the variances are measured in units of the noise (`relative`), which then has a closed form.
struct OpenToLearn {
  std::vector<bool> kernel;
  bool noise, relative;
  bool own_noise() const {
    return noise && !relative;
  }  // a parameter of the search, after those of the kernel
};

inline OpenToLearn open_to_learn(const GivenKernel& given, bool noise, const KernelSpec& spec) {
  return {open_parameters(given, spec), noise, noise && open_amplitude(given)};
}

// A lengthscale between the spacing of the rows of X and many times their range.
inline Box search_range(const KernelSpec& spec, const ConstMatrixView& X) {
  require(X.rows() > 0 && X.cols() > 0, "input", "without rows there is no range to search in.");
  require(make_kernel(spec)->fits(X.cols()), "dimension", "the kernel does not fit the number of columns.");
  const RowVector span = X.colwise().maxCoeff() - X.colwise().minCoeff();
  const double gap = 0.25 / std::pow(static_cast<double>(X.rows()), 1.0 / static_cast<double>(X.cols()));
  std::vector<double> lower, upper;
  each_leaf(spec, [&](const KernelSpec& leaf, const std::vector<Parameter>& own, Index) {
    const bool one_for_all = leaf.lengthscale.size() == 1;
    double all = 0.0;  // the span of the columns that it looks at
    for (Index d = 0; d < span.size(); ++d)
      if (leaf.columns.empty() || std::count(leaf.columns.begin(), leaf.columns.end(), d) > 0)
        all += span(d) * span(d);
    Index column = 0;
    for (const Parameter& p : own) {
      double wide =
          one_for_all || p.role != Parameter::lengthscale ? std::sqrt(all) : span(column_of(leaf, column++));
      if (!(wide > 0 && std::isfinite(wide))) wide = 1.0;
      const double near = 0.3 * std::abs(p.value);  // of one with many peaks
      const double low = p.role == Parameter::lengthscale ? wide * gap
                         : p.role == Parameter::variance  ? 1e-8 * p.value
                         : p.narrow                       ? p.value - near
                                                          : p.lower;
      const double high = p.role == Parameter::lengthscale ? wide * 20
                          : p.role == Parameter::variance  ? 1e8 * p.value
                          : p.narrow                       ? p.value + near
                                                           : p.upper;
      lower.push_back(p.log ? std::log(low) : low);
      upper.push_back(p.log ? std::log(high) : high);
    }
  });
  return {Eigen::Map<const Vector>(lower.data(), static_cast<Index>(lower.size())),
          Eigen::Map<const Vector>(upper.data(), static_cast<Index>(upper.size()))};
}

// Only so far from here, which is always within.
inline Box trust_region(const Box& range, const KernelSpec& spec, double far) {
  const Vector here = log_parameters(spec);
  return {range.lower.cwiseMin(here).cwiseMax((here.array() - far).matrix()),
          range.upper.cwiseMax(here).cwiseMin((here.array() + far).matrix())};
}

// The heuristics are far less sure of the scale than of the lengthscale.
constexpr double shape_sd = 1.5, scale_sd = 2.5;

inline Vector prior_sd(const KernelSpec& spec) {
  const std::vector<Parameter> all = make_kernel(spec)->parameters();
  Vector out(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    out(static_cast<Index>(i)) = all[i].role == Parameter::variance ? scale_sd : shape_sd;
  return out;
}

// The open ones of all values, and the noise where it is a parameter of its own.
inline Vector open_of(const Vector& all, const OpenToLearn& open, double own_noise) {
  std::vector<double> out;
  for (std::size_t i = 0; i < open.kernel.size(); ++i)
    if (open.kernel[i]) out.push_back(all(static_cast<Index>(i)));
  if (open.own_noise()) out.push_back(own_noise);
  return Eigen::Map<const Vector>(out.data(), static_cast<Index>(out.size()));
}

// A weak normal prior on the log parameters that are open, for when rows are few: around the heuristics.
struct SearchPrior {
  Vector mean, sd;

  // The log density, but for a constant; its slope is added.
  double add(const Vector& p, Vector& slope) const {
    const Eigen::ArrayXd away = (p - mean).array() / sd.array();
    slope.array() -= away / sd.array();
    return -0.5 * away.square().sum();
  }
};

inline SearchPrior search_prior(const KernelSpec& heuristic, double noise, const OpenToLearn& open) {
  const KernelSpec relative = open.relative ? scaled(heuristic, 1.0 / noise) : heuristic;
  return {open_of(log_parameters(relative), open, std::log(noise)),
          open_of(prior_sd(heuristic), open, scale_sd)};
}

}  // namespace gpstream

#endif
