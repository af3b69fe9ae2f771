// What the likelihoods share: numbers of their specification, starts, and words for what they refuse.
#ifndef GPSTREAM_LIKELIHOOD_PARAMETERS_H
#define GPSTREAM_LIKELIHOOD_PARAMETERS_H

#include <cmath>
#include <string>

#include "../linear/types.h"
#include "likelihood.h"
#include "responses.h"

namespace gpstream {

double number_of(const LikelihoodSpec& spec, const std::string& name, double otherwise);
double positive_number(const LikelihoodSpec& spec, const std::string& name, double otherwise);

// The entry of a row, or what it is where the column is left out.
inline double entry_of(const Vector& column, Index i, double otherwise) {
  return column.size() > 0 ? column(i) : otherwise;
}

// From what a row says of f + offset.
Latent start_of(const Responses& rows, Vector mean, Vector variance);

inline bool is_whole(double y) { return std::isfinite(y) && y == std::floor(y); }
// Beyond these squares of numbers, or those of their reciprocals, would be none.
constexpr double least_size = 1e-140, most_size = 1e140;
std::string refuses_infinite(double y);
std::string refuses_class(double y);
std::string refuses_count(double y);
std::string refuses_time(double y);

// e^x as a weight of f about m: cut off where it would make p (m^2 + s2) overflow, in a sum of rows too.
double exp_weight(double x, double m, double s2);

// log(e^x - 1), x >= 0.
inline double log_expm1(double x) { return x > 40.0 ? x : std::log(std::expm1(x)); }

}  // namespace gpstream

#endif
