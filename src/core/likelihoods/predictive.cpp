#include "predictive.h"

#include <algorithm>
#include <utility>

#include "../linear/require.h"
#include "classes_predictive.h"
#include "count_predictive.h"
#include "crossing.h"
#include "expectation.h"
#include "likelihood.h"
#include "log_concave.h"
#include "normal_mixture.h"
#include "panels.h"
#include "parameters.h"
#include "positive_predictive.h"
#include "responses.h"
#include "rowwise.h"
#include "special.h"

namespace gpstream {

LogNormalProbability log_normal_slopes(double z) {
  if (z < -10) {
    double rest = -z;
    for (int i = 40; i >= 2; --i) rest = -z + i / rest;
    const double slope = -z + 1.0 / rest;
    return {normal_log_density(z) - std::log(slope), slope, slope / rest};
  }
  const double p = normal_probability(z), slope = normal_density(z) / p;
  return {z > 0 ? std::log1p(-normal_probability(-z)) : std::log(p), slope, slope * (z + slope)};
}

double log_normal_probability(double z) {
  if (z < -10) return log_normal_slopes(z).value;
  return z > 0 ? std::log1p(-normal_probability(-z)) : std::log(normal_probability(z));
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -std::numeric_limits<double>::infinity();
  if (p > 0.5) return -normal_quantile(1 - p);  // exact: p is at most twice as far from 0 as 1 is
  const double from_half = p - 0.5;
  if (from_half == 0) return 0;
  const bool middle = from_half > -0.25;
  const double t = std::sqrt(-2 * std::log(p));
  double z =
      (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int step = 0; step < 6; ++step) {
    const double excess = middle ? 0.5 * std::erf(z / sqrt_2) - from_half : normal_probability(z) - p;
    const double newton = excess / normal_density(z);
    const double change = newton / (1 + 0.5 * z * newton);
    z -= change;
    if (std::abs(change) <= 1e-9 * std::abs(z)) break;  // the next one would be below rounding
  }
  return z;
}

double sigmoid(double f) {
  const double e = std::exp(-std::abs(f));
  return f >= 0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
}

LogisticMoments logistic_moments(double m, double s2) {
  LogisticMoments out;
  at_nodes(m, s2, logistic_width, [&](double f, double weight) {
    const double e = std::exp(-std::abs(f)), one = 1.0 / (1.0 + e);
    out.softplus += weight * (std::max(f, 0.0) + std::log1p(e));
    out.sigmoid += weight * (f >= 0 ? one : e * one);
    out.slope += weight * e * one * one;
  });
  return out;
}

RowwisePredictive::RowwisePredictive(Latent at) : at_(std::move(at)) {
  require(at_.mean.size() == at_.variance.size(), "dimension", "there must be one variance for each mean.");
}

Vector RowwisePredictive::mean() const {
  return by_row([](Index) { return 0.0; }, [&](Index i, double) { return mean_of(i); });
}

Vector RowwisePredictive::variance() const {
  return by_row([](Index) { return 0.0; }, [&](Index i, double) { return variance_of(i); });
}

Vector RowwisePredictive::quantile(double p) const {
  return by_row([&](Index) { return p; }, [&](Index i, double at) { return checked_quantile(i, at); });
}

Vector RowwisePredictive::log_density(const ConstVectorView& y) const {
  return of_each(y, [&](Index i, double at) { return log_density_of(i, at); });
}

Vector RowwisePredictive::probability(const ConstVectorView& y) const {
  return of_each(y, [&](Index i, double at) { return probability_of(i, at); });
}

Vector RowwisePredictive::draw(const ConstVectorView& u) const {
  return of_each(u, [&](Index i, double at) { return checked_quantile(i, at); });
}

Vector RowwisePredictive::crps(const ConstVectorView& y) const {
  return of_each(y, [&](Index i, double at) { return crps_of(i, at); });
}

double RowwisePredictive::m(Index i) const { return at_.mean(i); }

void Predictive::check_rows(const ConstVectorView& at) const {
  require(at.size() == rows(), "dimension", "there must be one value for each row of the prediction.");
}

GaussianPredictive::GaussianPredictive(Vector mean, const ConstVectorView& variance, double dispersion)
    : mean_(std::move(mean)) {
  require(mean_.size() == variance.size(), "dimension", "there must be one variance for each mean.");
  variance_ = variance.array() + dispersion;
  sd_ = variance_.array().sqrt();
}

Vector GaussianPredictive::log_density(const ConstVectorView& y) const {
  return by_row(y, [](double error, double sd) {
    if (sd == 0) return no_spread(error, error == 0 ? infinity : -infinity);
    return normal_log_density(error / sd) - std::log(sd);
  });
}

Vector GaussianPredictive::probability(const ConstVectorView& y) const {
  return by_row(y, [](double error, double sd) {
    if (sd == 0) return no_spread(error, error < 0 ? 0.0 : 1.0);
    return normal_probability(error / sd);
  });
}

Vector GaussianPredictive::draw(const ConstVectorView& u) const {
  check_rows(u);
  Vector out(rows());
  for (Index i = 0; i < rows(); ++i) out(i) = mean_(i) + sd_(i) * normal_quantile(u(i));
  return out;
}

Vector GaussianPredictive::crps(const ConstVectorView& y) const {
  return by_row(y, [](double error, double sd) {
    const double a = std::abs(error);
    if (sd == 0) return a;
    const double z = a / sd;
    return a - 2 * a * normal_probability(-z) + sd * (2 * normal_density(z) - 1 / sqrt_pi);
  });
}

double NormalMixturePredictive::quantile_of(Index i, double p) const {
  if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
  const MixtureNodes all = nodes(i);
  const double sd = std::sqrt(s2(i) + typical_noise(i)), z = normal_score({p, 1.0 - p});
  return m(i) + crossing([&](double r) { return normal_score(tails(i, all, r)); }, z, z * sd, 0.5 * sd);
}

double NormalMixturePredictive::log_density_of(Index i, double y) const {
  const double r = y - m(i);
  const MixtureNodes all = nodes(i);
  const auto part = [&](const MixtureNode& node) {
    const double v = s2(i) + node.noise;
    return node.log_weight - 0.5 * (std::log(v) + r * (r / v));
  };
  double top = -infinity, sum = 0.0;
  for (const MixtureNode& node : all) top = std::max(top, part(node));
  if (!(top > -infinity)) return -infinity;
  for (const MixtureNode& node : all) sum += std::exp(part(node) - top);
  return top + std::log(sum) - log_sqrt_2_pi;
}

double NormalMixturePredictive::crps_of(Index i, double y) const {
  if (heavy(i) > 0) return std::isinf(heavy(i)) ? infinity : heavy_crps(i, y);
  double away = 0.0, apart = 0.0;
  MixtureNodes some;
  for (const MixtureNode& node : nodes(i))
    if (node.weight * std::sqrt(1.0 + node.noise / typical_noise(i)) > 1e-14) some.push_back(node);
  for (const MixtureNode& node : some) {
    const double sd = std::sqrt(s2(i) + node.noise), r = std::abs(y - m(i)), z = r / sd;
    away += node.weight * (r - 2.0 * r * normal_probability(-z) + 2.0 * sd * normal_density(z));
    for (const MixtureNode& other : some)
      apart += node.weight * other.weight * std::sqrt(2.0 * s2(i) + node.noise + other.noise);
  }
  return away - apart / sqrt_2_pi;
}

double NormalMixturePredictive::heavy_crps(Index i, double y) const {
  const MixtureNodes all = nodes(i);
  const double unit = 0.5 * std::log(s2(i) + typical_noise(i)), least = unit - 45.0, z = std::abs(y - m(i));
  const double width = heavy(i);
  const auto above = [&](double x) { return tails(i, all, std::exp(x)).above; };
  const auto beyond = [&](double from) {
    double sum = 0.0;
    for (double x = from; x < 709.0; x += 5.0) {
      const double more = squared_tail(x, std::min(x + 5.0, 709.0), width, above);
      sum += more;
      if (x > unit && more <= 1e-12 * sum) return sum;
    }
    return infinity;
  };
  const double at = std::max(std::log(z), least);
  const double right = beyond(least);
  if (std::isinf(right)) return right;
  return right + beyond(at) + squared_tail(least, at, width, [&](double x) { return 1.0 - above(x); });
}

Tails NormalMixturePredictive::tails(Index i, const MixtureNodes& all, double r) const {
  Tails out{0.0, 0.0};
  for (const MixtureNode& node : all)
    out.below += node.weight * normal_probability(-std::abs(r) / std::sqrt(s2(i) + node.noise));
  out.above = 1.0 - out.below;
  return r < 0 ? out : Tails{out.above, out.below};
}

double CountPredictive::quantile_of(Index i, double p) const {
  if (p == 1) return infinity;
  const double x = log_quantile(i, p);
  if (x > log_whole) return std::ceil(std::exp(x));
  return count_crossing([&](double k) { return tails(i, k).below; }, p, std::ceil(std::exp(x)));
}

double CountPredictive::probability_of(Index i, double y) const {
  if (y < 0 || y == infinity) return y < 0 ? 0.0 : 1.0;
  return (y < 1e300 ? tails(i, std::floor(y)) : large_tails(i, std::log(y))).below;
}

double CountPredictive::crps_of(Index i, double y) const {
  if (m(i) + 0.25 * s2(i) > 800.0) return infinity;
  const double none = 1e-9, low = quantile_of(i, none), at = std::max(std::floor(y), -1.0);
  const double high = log_quantile(i, 1.0 - none), top = high + 0.5 * s2(i) + 2.0 * std::sqrt(s2(i));
  const double last = std::ceil(std::exp(std::min(top, log_whole)));
  const double width =
      std::min(log_sd(i, std::max(high, 5.0)), std::max(0.7, std::min(0.5 * std::sqrt(s2(i)), 2.0)));
  // 1 behind the top, or before `low`
  const double end = top > log_whole ? std::exp(top) : last;
  double sum = std::max(at - 1.0 - end, 0.0) + std::max(low - at - 1.0, 0.0);
  if (at < 0) {
    sum -= y - at;
  } else {
    const Tails here = tails(i, at);
    sum += (y - at) * here.below * here.below + (at + 1.0 - y) * here.above * here.above;
  }
  const double from = std::max(low, at + 1.0), to = std::min(last, at - 1.0);
  sum += sum_of_terms(low, to, width, [&](double k) { return std::pow(tails(i, k).below, 2); });
  sum += sum_of_terms(from, last, width, [&](double k) { return std::pow(tails(i, k).above, 2); });
  if (top <= log_whole) return sum;
  const double log_low = std::max(log_whole, std::log(low)), log_from = std::max(log_whole, std::log(from));
  sum +=
      squared_tail(log_low, std::min(std::log(at), top), width, [&](double x) { return at_log(i, x).below; });
  return sum + squared_tail(log_from, top, width, [&](double x) { return at_log(i, x).above; });
}

double CountPredictive::log_quantile(Index i, double p) const {
  if (tails(i, 1.0).below >= p) return tails(i, 0.0).below >= p ? -infinity : 0.0;
  const double z = normal_score({p, 1.0 - p});
  const double start = std::max(m(i) + z * std::sqrt(s2(i) + noise(i)), 0.0);
  return crossing([&](double x) { return normal_score(at_log(i, x)); }, z, start, 0.5 * log_sd(i, start));
}

PositivePredictive::PositivePredictive(const Latent& at, double a, double b, double r)
    : RowwisePredictive(at), a_(a), log_b_(std::log(b)), r_(r), log_gamma_(log_gamma(a)) {
  const double up = log_gamma(a + 1.0 / r);
  log_mean_ = up - log_gamma_ - log_b_ / r;
  log_ratio_ = log_gamma(a + 2.0 / r) - 2.0 * up + log_gamma_;
}

double PositivePredictive::variance_of(Index i) const {
  return std::exp(2.0 * log_mean_of(i) + log_expm1(std::max(log_ratio_ + s2(i) / (r_ * r_), 0.0)));
}

double PositivePredictive::quantile_of(Index i, double p) const {
  if (p == 0 || p == 1) return p == 0 ? 0.0 : infinity;
  return std::exp(log_quantile(i, p));
}

double PositivePredictive::log_density_of(Index i, double y) const {
  if (!(y > 0)) return -infinity;
  const double log_y = std::log(y);
  return log_expectation_below(ExpShape{a_}, r_ * log_y + log_b_ - m(i), s2(i)) + log_most_likely(a_) +
         std::log(a_ * r_) - log_y;
}

double PositivePredictive::crps_of(Index i, double y) const {
  if (s2(i) > 25.0 * r_ * r_) return heavy_crps(i, y);
  const double shift = s2(i) / r_, more = a_ + 1.0 / r_;
  const double ahead = tails_at_normal(LogitShape{more, more + a_}, -shift, 2.0 * s2(i)).below;
  if (!(y > 0)) return 2.0 * mean_of(i) * ahead - y;
  const Tails at = tails(i, std::log(y));
  const double x = r_ * std::log(y) + log_b_ - m(i) - shift;
  const double biased = tails_at_normal(ExpShape{more}, x, s2(i)).below;
  return y * (at.below - at.above) + 2.0 * mean_of(i) * (ahead - biased);
}

double PositivePredictive::heavy_crps(Index i, double y) const {
  const double s2_of_log = s2(i) / (r_ * r_), s = std::sqrt(s2_of_log);
  if (m(i) / r_ + 0.25 * s2_of_log > 800.0) return infinity;
  const double none = 1e-9, low = log_quantile(i, none), width = std::min(0.5 * s, 2.0);
  const double top = log_quantile(i, 1.0 - none) + 0.5 * s2_of_log + 2.0 * s,
               at = y > 0 ? std::log(y) : -infinity;
  return (at < low ? std::exp(low) - y : std::max(y - std::exp(top), 0.0)) +
         squared_tail(low, std::min(at, top), width, [&](double x) { return tails(i, x).below; }) +
         squared_tail(std::max(at, low), top, width, [&](double x) { return tails(i, x).above; });
}

double PositivePredictive::log_quantile(Index i, double p) const {
  const double z = normal_score({p, 1.0 - p}), sd = std::sqrt(s2(i) + 1.0 / a_) / r_;
  const double start = (m(i) + std::log(a_) - log_b_) / r_ + z * sd;
  return crossing([&](double x) { return normal_score(tails(i, x)); }, z, start, 0.5 * sd);
}

Tails PositivePredictive::tails(Index i, double log_y) const {
  return tails_at_normal(ExpShape{a_}, r_ * log_y + log_b_ - m(i), s2(i));
}

double ClassesPredictive::mean_of(Index i) const {
  return moment(i, [](double y) { return y; });
}

double ClassesPredictive::variance_of(Index i) const {
  const double mean = mean_of(i);
  return moment(i, [&](double y) { return (y - mean) * (y - mean); });
}

double ClassesPredictive::quantile_of(Index i, double p) const {
  Index j = 0;
  while (below_(i, j) < p) ++j;
  return static_cast<double>(j + 1);
}

double ClassesPredictive::log_density_of(Index i, double y) const {
  const bool one = y >= 1 && y <= static_cast<double>(log_.cols()) && y == std::floor(y);
  return one ? log_(i, static_cast<Index>(y) - 1) : -infinity;
}

double ClassesPredictive::probability_of(Index i, double y) const {
  if (y < 1) return 0.0;
  return y >= static_cast<double>(below_.cols()) ? 1.0 : below_(i, static_cast<Index>(y) - 1);
}

}  // namespace gpstream
