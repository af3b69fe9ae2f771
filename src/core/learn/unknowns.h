// What a search over a family of kernels looks for, and what is thought of it before the rows have spoken.
// Parameters of the kernel, noise s2 and trend b are linear in the unknowns theta, on the scale of slopes:
//   (parameters, log s2, log b) = centre + J theta        log l_d = log scale_d + a + delta_d, say
// so that one `a` moves all lengthscales, and each delta says only how its column differs from the others.
// The centre has the units of inputs and outputs; theta has none, and is the same whatever they are.
#ifndef GPSTREAM_LEARN_UNKNOWNS_H
#define GPSTREAM_LEARN_UNKNOWNS_H

#include "beliefs.h"
#include "exact.h"
#include "families.h"

namespace gpstream {

struct Chosen {
  KernelSpec kernel;
  double noise, trend;
};

class Unknowns {
 public:
  // `variance` of the outputs; `row`, that times the weight of a typical row, is the unit of the noise.
  Unknowns(const Family& family, const Columns& columns, double variance, double row,
           std::optional<double> noise, bool trend)
      : kernel_(central_kernel(family, columns, variance)), noise_(noise), trend_(trend) {
    const Index count = make_kernel(kernel_)->parameter_count();
    look_for_parameters(open_parameters(family.kernel, kernel_), family.tied, columns);
    row_ = row;
    variance_ = variance;
    if (!noise) entries_.push_back({count, add(log_noise()), 1.0});
    if (trend) entries_.push_back({count + 1, add(log_trend()), 1.0});
    J_ = Matrix::Zero(count + 2, size());
    for (const Entry& one : entries_) J_(one.row, one.column) = one.by;
  }

  Index size() const { return static_cast<Index>(all_.size()); }
  const std::vector<Unknown>& all() const { return all_; }

  // What does not depend on theta is to the last bit what was given.
  Chosen at(const Vector& theta) const {
    const Vector away = J_ * theta;
    const Index count = away.size() - 2;
    return {moved_parameters(kernel_, away.head(count)), noise_ ? *noise_ : row_ * std::exp(away(count)),
            trend_ ? variance_ * std::exp(away(count + 1)) : 0.0};
  }

  Vector slope(const ExactSlope& by) const {
    Vector out(J_.rows());
    out << by.kernel, by.log_noise, by.log_trend;
    return J_.transpose() * out;
  }

  // The log density, but for a constant; its slope is added.
  double add_prior(const Vector& theta, Vector& slope) const { return add_log_density(all_, theta, slope); }

 private:
  struct Entry {
    Index row, column;
    double by;
  };

  Index add(const Unknown& one) {
    all_.push_back(one);
    return size() - 1;
  }

  void look_for_parameters(const std::vector<bool>& open, bool tied, const Columns& columns) {
    Index length = -1;
    std::map<Index, Index> of_group;
    each_leaf(kernel_, [&](const KernelSpec& leaf, const std::vector<Parameter>& own, Index first) {
      Index lengths = 0;
      for (const Parameter& p : own) lengths += p.role == Parameter::lengthscale;
      if (lengths > 0 && open[static_cast<std::size_t>(first)]) {
        const bool follows = tied && length >= 0;
        const auto group = [&](Index d) { return lengths == 1 ? 0 : columns.group(column_of(leaf, d)); };
        if (!follows) {
          length = add(length_of_all(leaf.columns.empty() ? columns.size() : Index(leaf.columns.size())));
          of_group.clear();
          for (Index d = 0; d < lengths; ++d) of_group[group(d)] = -1;
          for (auto& one : of_group)
            if (of_group.size() > 1) one.second = add(length_of_one());
        }
        const Index gap = follows ? add(gap_to_first()) : -1;
        for (Index d = 0; d < lengths; ++d) {
          entries_.push_back({first + d, length, 1.0});
          if (of_group.size() > 1) entries_.push_back({first + d, of_group.at(group(d)), 1.0});
          if (follows) entries_.push_back({first + d, gap, -1.0});
        }
      }
      for (Index i = lengths; i < static_cast<Index>(own.size()); ++i) {
        const Parameter& p = own[static_cast<std::size_t>(i)];
        if (!open[static_cast<std::size_t>(first + i)]) continue;
        const Unknown one = p.role != Parameter::variance    ? shape_of(p)
                            : kernel_.name == "sum" && !tied ? log_variance_of_part()
                                                             : log_variance();
        entries_.push_back({first + i, add(one), unit_of(p)});
      }
    });
  }

  KernelSpec kernel_;
  std::optional<double> noise_;
  bool trend_;
  std::vector<Unknown> all_;
  std::vector<Entry> entries_;
  double row_, variance_;  // the units of noise and trend
  Matrix J_;
};

}  // namespace gpstream

#endif
