// What the likelihoods share: numbers of their specification, starts, and words for what they refuse.
#ifndef GPSTREAM_LIKELIHOOD_PARAMETERS_H
#define GPSTREAM_LIKELIHOOD_PARAMETERS_H

#include <cmath>

#include "likelihood.h"

namespace gpstream {

inline double number_of(const LikelihoodSpec& spec, const std::string& name, double otherwise) {
  const auto found = spec.numbers.find(name);
  return found == spec.numbers.end() ? otherwise : found->second;
}
inline double positive_number(const LikelihoodSpec& spec, const std::string& name, double otherwise) {
  const double value = number_of(spec, name, otherwise);
  require(value > 0 && std::isfinite(value), "parameter", "`" + name + "` must be a positive number.");
  return value;
}

// The entry of a row, or what it is where the column is left out.
inline double entry_of(const Vector& column, Index i, double otherwise) {
  return column.size() > 0 ? column(i) : otherwise;
}

// From what a row says of f + offset.
inline Latent start_of(const Responses& rows, Vector mean, Vector variance) {
  if (rows.offset.size() > 0) mean -= rows.offset;
  return {std::move(mean), std::move(variance)};
}

inline bool is_whole(double y) { return std::isfinite(y) && y == std::floor(y); }
// Beyond these squares of numbers, or those of their reciprocals, would be none.
constexpr double least_size = 1e-140, most_size = 1e140;
inline std::string refuses_infinite(double y) {
  return std::abs(y) <= most_size ? "" : "must be finite, between -1e140 and 1e140";
}
inline std::string refuses_class(double y) { return y == 0 || y == 1 ? "" : "must be 0 or 1"; }
inline std::string refuses_count(double y) {
  if (!is_whole(y) || y < 0) return "must be a whole number, not negative";
  return y < 9007199254740992.0 ? "" : "must be below 2^53, above which whole numbers have no last digit";
}
inline std::string refuses_time(double y) {
  if (!(y > 0 && std::isfinite(y))) return "must be positive and finite";
  return y >= least_size && y <= most_size ? "" : "must be positive, between 1e-140 and 1e140";
}

// e^x as a weight of f about m: cut off where it would make p (m^2 + s2) overflow, in a sum of rows too.
inline double exp_weight(double x, double m, double s2) {
  return std::exp(x < 300.0 ? x : std::min(x, 600.0 - std::log1p(m * m + s2)));
}

// log(e^x - 1), x >= 0.
inline double log_expm1(double x) { return x > 40.0 ? x : std::log(std::expm1(x)); }

}  // namespace gpstream

#endif
