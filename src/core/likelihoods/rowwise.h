// Predictive distributions that are written for one row at a time. A row of which nothing is known, or asked,
// gives no number.
#ifndef GPSTREAM_ROWWISE_H
#define GPSTREAM_ROWWISE_H

#include <cmath>
#include <limits>

#include "../linear/types.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

class RowwisePredictive : public Predictive {
 public:
  explicit RowwisePredictive(Latent at);

  Index rows() const override { return at_.mean.size(); }
  Vector mean() const override;
  Vector variance() const override;
  Vector quantile(double p) const override;
  Vector log_density(const ConstVectorView& y) const override;
  Vector probability(const ConstVectorView& y) const override;
  Vector draw(const ConstVectorView& u) const override;
  Vector crps(const ConstVectorView& y) const override;

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  double m(Index i) const;
  double s2(Index i) const { return at_.variance(i); }

  virtual double mean_of(Index i) const = 0;
  virtual double variance_of(Index i) const = 0;
  virtual double quantile_of(Index i, double p) const = 0;  // p between 0 and 1, which belong to it
  virtual double log_density_of(Index i, double y) const = 0;
  virtual double probability_of(Index i, double y) const = 0;
  virtual double crps_of(Index i, double y) const = 0;

 private:
  double checked_quantile(Index i, double p) const {
    return p >= 0 && p <= 1 ? quantile_of(i, p) : not_a_number;
  }
  template <class Function>
  Vector of_each(const ConstVectorView& at, const Function& f) const {
    check_rows(at);
    return by_row([&](Index i) { return at(i); }, f);
  }
  template <class Argument, class Function>
  Vector by_row(const Argument& argument, const Function& f) const {
    Vector out(rows());
    for (Index i = 0; i < rows(); ++i) {
      const double at = argument(i);
      out(i) = std::isnan(m(i)) || std::isnan(s2(i)) || std::isnan(at) ? not_a_number : f(i, at);
    }
    return out;
  }

  Latent at_;
};

}  // namespace gpstream

#endif
