// What a search looks for where there are several outputs: one kernel up to its amplitude, and of each output
// an amplitude, a noise and a trend, in units of its own. The first output's are among the unknowns of the
// kernel.  [derivation 21]
#ifndef GPSTREAM_LEARN_OUTPUTS_H
#define GPSTREAM_LEARN_OUTPUTS_H

#include "../kernels/kernels.h"
#include "unknowns.h"

namespace gpstream {

// Outputs are measured from `centre`; a typical row has this variance and this weight.
struct OutputUnits {
  double centre, variance, weight;
};

class OutputUnknowns {
 public:
  OutputUnknowns(const Family& family, const Columns& columns, const std::vector<OutputUnits>& units,
                 const std::vector<std::optional<double>>& noise, bool trend)
      : first_(family, columns, units[0].variance, units[0].variance * units[0].weight, noise[0], trend),
        all_(first_.all()),
        trend_(trend),
        amplitude_(open_amplitude(family.kernel)) {
    for (std::size_t k = 1; k < units.size(); ++k) {
      Output one{units[k].variance * units[k].weight, units[k].variance, noise[k]};
      if (amplitude_) one.variance = add(log_variance());
      if (!noise[k]) one.log_noise = add(gpstream::log_noise());
      if (trend) one.log_trend = add(gpstream::log_trend());
      others_.push_back(one);
    }
  }

  Index size() const { return static_cast<Index>(all_.size()); }
  Index outputs() const { return static_cast<Index>(others_.size()) + 1; }
  const std::vector<Unknown>& all() const { return all_; }

  // Of each output.
  std::vector<Chosen> at(const Vector& theta) const {
    std::vector<Chosen> out{first_.at(theta.head(first_.size()))};
    const KernelSpec kernel = out.front().kernel;
    for (const Output& one : others_) {
      const double v = amplitude_ ? one.own * std::exp(theta(one.variance)) : kernel.variance;
      out.push_back({with_variance(kernel, v),
                     one.noise ? *one.noise : one.row * std::exp(theta(one.log_noise)),
                     trend_ ? one.own * std::exp(theta(one.log_trend)) : 0.0});
    }
    return out;
  }

  Vector slope(const std::vector<ExactSlope>& by) const {
    Vector out = Vector::Zero(size());
    out.head(first_.size()) = first_.slope(by.front());
    for (std::size_t k = 0; k < others_.size(); ++k) {
      const Output& one = others_[k];
      ExactSlope shape = by[k + 1];
      shape.log_noise = shape.log_trend = 0.0;
      if (amplitude_) shape.kernel = shape.shape;
      out.head(first_.size()) += first_.slope(shape);
      if (one.variance >= 0) out(one.variance) = by[k + 1].log_amplitude;
      if (one.log_noise >= 0) out(one.log_noise) = by[k + 1].log_noise;
      if (one.log_trend >= 0) out(one.log_trend) = by[k + 1].log_trend;
    }
    return out;
  }

  // The log density, but for a constant; its slope is added.
  double add_prior(const Vector& theta, Vector& slope) const { return add_log_density(all_, theta, slope); }

 private:
  struct Output {
    double row, own;  // the unit of its noise, its variance
    std::optional<double> noise;
    Index variance = -1, log_noise = -1, log_trend = -1;  // which of the unknowns
  };

  Index add(const Unknown& one) {
    all_.push_back(one);
    return size() - 1;
  }

  Unknowns first_;
  std::vector<Unknown> all_;
  bool trend_, amplitude_;
  std::vector<Output> others_;
};

}  // namespace gpstream

#endif
