// Predictive distributions that are written for one row at a time. A row of which nothing is known, or asked,
// gives no number.
#ifndef GPSTREAM_ROWWISE_H
#define GPSTREAM_ROWWISE_H

#include "predictive.h"
#include "responses.h"

namespace gpstream {

class RowwisePredictive : public Predictive {
 public:
  explicit RowwisePredictive(Latent at) : at_(std::move(at)) {
    require(at_.mean.size() == at_.variance.size(), "dimension", "there must be one variance for each mean.");
  }

  Index rows() const override { return at_.mean.size(); }
  Vector mean() const override {
    return by_row([](Index) { return 0.0; }, [&](Index i, double) { return mean_of(i); });
  }
  Vector variance() const override {
    return by_row([](Index) { return 0.0; }, [&](Index i, double) { return variance_of(i); });
  }
  Vector quantile(double p) const override {
    return by_row([&](Index) { return p; }, [&](Index i, double at) { return checked_quantile(i, at); });
  }
  Vector log_density(const ConstVectorView& y) const override {
    return of_each(y, [&](Index i, double at) { return log_density_of(i, at); });
  }
  Vector probability(const ConstVectorView& y) const override {
    return of_each(y, [&](Index i, double at) { return probability_of(i, at); });
  }
  Vector draw(const ConstVectorView& u) const override {
    return of_each(u, [&](Index i, double at) { return checked_quantile(i, at); });
  }
  Vector crps(const ConstVectorView& y) const override {
    return of_each(y, [&](Index i, double at) { return crps_of(i, at); });
  }

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  double m(Index i) const { return at_.mean(i); }
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
