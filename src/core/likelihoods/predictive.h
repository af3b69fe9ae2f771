// What new observations may be: one distribution a row, from the latent function there and the likelihood.
#ifndef GPSTREAM_PREDICTIVE_H
#define GPSTREAM_PREDICTIVE_H

#include <cmath>
#include <limits>
#include <memory>

#include "../linear/types.h"
#include "normal.h"

namespace gpstream {

class Predictive {
 public:
  virtual ~Predictive() = default;
  virtual Index rows() const = 0;
  virtual Vector mean() const = 0;
  virtual Vector variance() const = 0;
  virtual Vector quantile(double p) const = 0;
  // The following take one number a row: observations or, to draw, uniform numbers between 0 and 1.
  virtual Vector log_density(const ConstVectorView& y) const = 0;
  virtual Vector probability(const ConstVectorView& y) const = 0;  // of an observation that is not larger
  virtual Vector draw(const ConstVectorView& u) const = 0;
  virtual Vector crps(const ConstVectorView& y) const = 0;  // continuous ranked probability score

 protected:
  void check_rows(const ConstVectorView& at) const;
};

using PredictivePtr = std::unique_ptr<Predictive>;

// f ~ N(m, s2), y = f + noise of variance phi:  y ~ N(m, s2 + phi).
class GaussianPredictive : public Predictive {
 public:
  GaussianPredictive(Vector mean, const ConstVectorView& variance, double dispersion);

  Index rows() const override { return mean_.size(); }
  Vector mean() const override { return mean_; }
  Vector variance() const override { return variance_; }
  Vector quantile(double p) const override { return mean_ + normal_quantile(p) * sd_; }

  Vector log_density(const ConstVectorView& y) const override;

  Vector probability(const ConstVectorView& y) const override;

  Vector draw(const ConstVectorView& u) const override;

  // The integral of (F(t) - 1[t >= y])^2 over t, sd (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)), written
  // with the tail P(|Z| > |z|), so that nothing cancels far out.  [Gneiting and Raftery 2007, eq. (21)]
  Vector crps(const ConstVectorView& y) const override;

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // Everything at one point; what is not a number stays that.
  static double no_spread(double error, double value) { return std::isnan(error) ? error : value; }

  template <class Function>
  Vector by_row(const ConstVectorView& y, Function f) const {
    check_rows(y);
    Vector out(rows());
    for (Index i = 0; i < rows(); ++i) out(i) = f(y(i) - mean_(i), sd_(i));
    return out;
  }

  Vector mean_, variance_, sd_;
};

}  // namespace gpstream

#endif
