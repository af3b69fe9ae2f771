#include "unknowns.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace gpstream {

KernelSpec completed(KernelSpec spec) {
  const bool sum = spec.name == "sum";
  spec.variance = sum ? 0.0 : 1.0;
  for (const KernelSpec& part : spec.parts)
    spec.variance = sum ? spec.variance + part.variance : spec.variance * part.variance;
  return spec;
}

Index column_of(const KernelSpec& leaf, Index d) {
  return leaf.columns.empty() ? d : leaf.columns[static_cast<std::size_t>(d)];
}

Vector log_parameters(const KernelSpec& spec) {
  const std::vector<Parameter> all = make_kernel(spec)->parameters();
  Vector out(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    out(static_cast<Index>(i)) = all[i].log ? std::log(all[i].value) : all[i].value;
  return out;
}

KernelSpec with_log_parameters(const KernelSpec& spec, const Vector& values) {
  const KernelPtr kernel = make_kernel(spec);
  const std::vector<Parameter> all = kernel->parameters();
  const Vector before = log_parameters(spec);
  require(values.size() == before.size(), "dimension", "a kernel needs as many values as it has parameters.");
  Vector now = values;
  for (Index i = 0; i < now.size(); ++i) {
    const Parameter& one = all[static_cast<std::size_t>(i)];
    now(i) = values(i) == before(i) ? one.value : one.log ? std::exp(values(i)) : values(i);
  }
  return kernel->with_parameters(now);
}

KernelSpec moved_parameters(const KernelSpec& spec, const ConstVectorView& by) {
  const KernelPtr kernel = make_kernel(spec);
  const std::vector<Parameter> all = kernel->parameters();
  require(by.size() == static_cast<Index>(all.size()), "dimension",
          "a kernel needs as many values as it has parameters.");
  Vector now(by.size());
  for (Index i = 0; i < now.size(); ++i) {
    const Parameter& one = all[static_cast<std::size_t>(i)];
    now(i) = by(i) == 0 ? one.value : one.log ? one.value * std::exp(by(i)) : one.value + by(i);
  }
  return kernel->with_parameters(now);
}

KernelSpec scaled(KernelSpec spec, double factor) {
  if (!is_composite(spec)) {
    spec.variance *= factor;
    return spec;
  }
  for (KernelSpec& part : spec.parts) {
    part = scaled(std::move(part), factor);
    if (spec.name != "sum") break;
  }
  return completed(std::move(spec));
}

std::vector<Family> default_families(bool ard) {
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

double Columns::common_scale() const { return std::sqrt(scale.squaredNorm() / static_cast<double>(size())); }

Columns Columns::of(const std::vector<Index>& some) const {
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

Vector Columns::group_scales() const {
  std::map<Index, std::pair<double, double>> sums;
  for (Index d = 0; d < size(); ++d) {
    sums[group(d)].first += scale(d) * scale(d);
    sums[group(d)].second += 1.0;
  }
  Vector out(size());
  for (Index d = 0; d < size(); ++d) out(d) = std::sqrt(sums[group(d)].first / sums[group(d)].second);
  return out;
}

namespace {

// Kernels without the factor 1/2 before r^2 have lengthscales longer by sqrt(2) for the same function.
double convention(const std::string& kernel) {
  return kernel == "se" || kernel == "rq" || kernel == "gibbs" ? std::sqrt(2.0) : 1.0;
}

}  // namespace

KernelSpec central_kernel(const Family& family, const Columns& columns, double variance) {
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

double Unknown::log_density(double at, double& slope) const {
  const double away = (at - mean) / sd;
  slope = heavy ? -4.0 * away / (3.0 + away * away) / sd : -away / sd;
  return heavy ? -2.0 * std::log1p(away * away / 3.0) : -0.5 * away * away;
}

double add_log_density(const std::vector<Unknown>& all, const Vector& theta, Vector& slope) {
  double sum = 0.0, own = 0.0;
  for (Index i = 0; i < theta.size(); ++i) {
    sum += all[static_cast<std::size_t>(i)].log_density(theta(i), own);
    slope(i) += own;
  }
  return sum;
}

Unknown length_of_all(Index D) {
  const double middle = 0.5 * std::log(static_cast<double>(D));
  return {middle, 2.0, std::log(0.01), std::log(300.0), middle, false, true};
}

Unknown log_noise() { return {std::log(0.05), 3.0, std::log(1e-6), std::log(4.0), std::log(0.1)}; }

Unknown log_trend() { return {std::log(0.1), 2.0, std::log(1e-6), std::log(1e3), std::log(0.1)}; }

Unknown shape_of(const Parameter& p) {
  if (p.narrow) {
    return {0.0, 0.1, -0.3, 0.3, 0.0};
  }
  const auto from_here = [&](double to) { return p.log ? std::log(to / p.value) : to - p.value; };
  return {0.0, 1.5, from_here(p.lower), from_here(p.upper), 0.0};
}

Unknowns::Unknowns(const Family& family, const Columns& columns, double variance, double row,
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

Chosen Unknowns::at(const Vector& theta) const {
  const Vector away = J_ * theta;
  const Index count = away.size() - 2;
  return {moved_parameters(kernel_, away.head(count)), noise_ ? *noise_ : row_ * std::exp(away(count)),
          trend_ ? variance_ * std::exp(away(count + 1)) : 0.0};
}

Vector Unknowns::slope(const ExactSlope& by) const {
  Vector out(J_.rows());
  out << by.kernel, by.log_noise, by.log_trend;
  return J_.transpose() * out;
}

Index Unknowns::add(const Unknown& one) {
  all_.push_back(one);
  return size() - 1;
}

void Unknowns::look_for_parameters(const std::vector<bool>& open, bool tied, const Columns& columns) {
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

}  // namespace gpstream
