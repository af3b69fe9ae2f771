#include "likelihood.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "../linear/require.h"
#include "parameters.h"

namespace gpstream {

Matrix Responses::table() const {
  Matrix out(size(), 3);
  out << Vector::Ones(size()), Vector::Ones(size()), Vector::Zero(size());
  if (weights.size() > 0) out.col(0) = weights;
  if (more.size() > 0) out.col(1) = more;
  if (offset.size() > 0) out.col(2) = offset;
  return out;
}

Told Told::part(Index from, Index count) const {
  return {more.size() > 0 ? Vector(more.segment(from, count)) : Vector(),
          offset.size() > 0 ? Vector(offset.segment(from, count)) : Vector(),
          others.size() > 0 ? Matrix(others.middleRows(from, count)) : Matrix(),
          weights_of_others.size() > 0 ? Matrix(weights_of_others.middleRows(from, count)) : Matrix()};
}

Vector joined(const Vector& a, Index a_rows, const Vector& b, Index b_rows, double otherwise) {
  if (a.size() == 0 && b.size() == 0) return Vector();
  Vector out = Vector::Constant(a_rows + b_rows, otherwise);
  if (a.size() > 0) out.head(a_rows) = a;
  if (b.size() > 0) out.tail(b_rows) = b;
  return out;
}

Responses joined(const Responses& a, const Responses& b) {
  const Index n = a.size(), m = b.size();
  return {joined(a.y, n, b.y, m, 0.0), joined(a.weights, n, b.weights, m, 1.0),
          joined(a.more, n, b.more, m, 1.0), joined(a.offset, n, b.offset, m, 0.0)};
}

double number_of(const LikelihoodSpec& spec, const std::string& name, double otherwise) {
  const auto found = spec.numbers.find(name);
  return found == spec.numbers.end() ? otherwise : found->second;
}

double positive_number(const LikelihoodSpec& spec, const std::string& name, double otherwise) {
  const double value = number_of(spec, name, otherwise);
  require(value > 0 && std::isfinite(value), "parameter", "`" + name + "` must be a positive number.");
  return value;
}

Latent start_of(const Responses& rows, Vector mean, Vector variance) {
  if (rows.offset.size() > 0) mean -= rows.offset;
  return {std::move(mean), std::move(variance)};
}

std::string refuses_infinite(double y) {
  return std::abs(y) <= most_size ? "" : "must be finite, between -1e140 and 1e140";
}

std::string refuses_class(double y) { return y == 0 || y == 1 ? "" : "must be 0 or 1"; }

std::string refuses_count(double y) {
  if (!is_whole(y) || y < 0) return "must be a whole number, not negative";
  return y < 9007199254740992.0 ? "" : "must be below 2^53, above which whole numbers have no last digit";
}

std::string refuses_time(double y) {
  if (!(y > 0 && std::isfinite(y))) return "must be positive and finite";
  return y >= least_size && y <= most_size ? "" : "must be positive, between 1e-140 and 1e140";
}

double exp_weight(double x, double m, double s2) {
  return std::exp(x < 300.0 ? x : std::min(x, 600.0 - std::log1p(m * m + s2)));
}

Sites Likelihood::sites(const Responses& rows, const Latent& at, double phi) const {
  if (rows.offset.size() == 0) return weighed(rows, unit_sites(rows, at, phi));
  Vector offset = Vector::Zero(latents() * rows.size());  // of the first function, where there are several
  offset.head(rows.size()) = rows.offset;
  Sites out = unit_sites(rows, {at.mean + offset, at.variance}, phi);
  const Vector om = out.col(site::om), ga = out.col(site::ga);  // of f + offset: in f they are
  out.col(site::ga) = ga - om.cwiseProduct(offset);
  out.col(site::q).array() += offset.array() * (om.array() * offset.array() - 2.0 * ga.array());
  return weighed(rows, std::move(out));
}

void Likelihood::put(Sites& out, Index i, double e, double g, double p, double m, double s2) {
  out(i, site::om) = p;
  out(i, site::ga) = g;
  out(i, site::c) = e - g * m + 0.5 * p * (m * m + s2);
  out(i, site::q) = 0.0;
  out(i, site::n) = 1.0;
}

Sites Likelihood::weighed(const Responses& rows, Sites out) {
  if (rows.weights.size() > 0)
    for (Index from = 0; from < out.rows(); from += rows.size())
      out.middleRows(from, rows.size()).array().colwise() *= rows.weights.array();
  return out;
}

Vector expected_sites(const Sites& S, const Latent& at, double phi, double kappa) {
  const auto om = S.col(site::om).array(), ga = S.col(site::ga).array();
  const auto m = at.mean.array();
  return S.col(site::c).array() - kappa * std::log(phi) * S.col(site::n).array() -
         (S.col(site::q).array() - 2.0 * ga * m + om * (m.square() + at.variance.array())) / (2.0 * phi);
}

Vector Likelihood::telling(const Responses& rows, const Latent& at, double phi) const {
  return expected_sites(sites(rows, at, phi), at, phi, kappa());
}

}  // namespace gpstream
