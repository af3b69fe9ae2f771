#include "foretell.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "../read/in_front.h"
#include "glance.h"
#include "spread.h"

namespace gpstream {

void Calibration::see(const Vector& errors) {
  require(errors.size() <= most_rows, "input", "a block must have at most 200 rows to be scored.");
  require(errors.allFinite(), "nonfinite", "standardised errors must be finite.");
  const std::array<double, levels> served = log_factors();
  for (std::size_t l = 0; l < levels; ++l) {
    const double half = z[l] * std::exp(served[l]);
    const double missed = static_cast<double>((errors.array().abs() > half).count());
    const double more = missed - miss[l] * static_cast<double>(errors.size());
    debt[l] = std::max(-log_least, debt[l] + step(l) * more);
  }
  for (Index i = 0; i < errors.size(); ++i) {
    const double place = std::fmod(rows, static_cast<double>(slot_rows * slots));
    double& slot = largest[static_cast<std::size_t>(place) / slot_rows];
    slot = std::max(std::fmod(rows, slot_rows) == 0 ? 0.0 : slot, std::abs(errors(i)));
    rows += 1.0;
  }
}

std::array<double, Calibration::levels> Calibration::log_factors() const {
  const double seen = *std::max_element(largest.begin(), largest.end());
  std::array<double, levels> out{};
  for (std::size_t l = 0; l < levels; ++l) {
    const double sure = std::max(0.0, std::abs(debt[l]) - chance(l));
    const double wanted = debt[l] < 0 ? -sure : sure;
    // No wider than the largest error of late, unless that falls far behind what is owed.
    const double enough = seen > z[l] ? std::log(seen / z[l]) : 0.0;
    out[l] = std::min(wanted, std::max(enough, wanted - log_behind));
    if (l > 0) out[l] = std::max(out[l], out[l - 1] - std::log(z[l] / z[l - 1]));
  }
  return out;
}

double Calibration::log_factor(double level) const {
  require(level > 0 && level < 1, "input", "a level must lie between 0 and 1.");
  const std::array<double, levels> served = log_factors();
  const double at = normal_quantile((1 + level) / 2);
  if (!(at > z.front())) return served.front();
  for (std::size_t l = 1; l < levels; ++l) {
    if (at > z[l]) continue;
    const double along = std::log(at / z[l - 1]) / std::log(z[l] / z[l - 1]);
    return served[l - 1] + along * (served[l] - served[l - 1]);
  }
  return served.back();
}

double Calibration::step(std::size_t l) const {
  const double common = std::max(0.001, 0.01 * std::pow(rows / 100, -0.6));
  return std::min(0.02, common / deviation(l));
}

std::array<double, Calibration::fields> Calibration::values() const {
  std::array<double, fields> out{rows};
  std::copy(largest.begin(), largest.end(), std::copy(debt.begin(), debt.end(), out.begin() + 1));
  return out;
}

Calibration Calibration::of(const std::array<double, fields>& from) {
  Calibration out;
  out.rows = from[0];
  std::copy_n(from.begin() + 1, levels, out.debt.begin());
  std::copy_n(from.begin() + 1 + levels, slots, out.largest.begin());
  return out;
}

bool Calibration::sound() const {
  const auto size = [](double one) { return std::isfinite(one) && one >= 0; };
  return size(rows) && rows == std::floor(rows) && std::all_of(largest.begin(), largest.end(), size) &&
         std::all_of(debt.begin(), debt.end(),
                     [](double one) { return std::isfinite(one) && one >= -log_least; });
}

Calibration Learner::calibration_of(Index k) const {
  if (k == 0) return calibration;
  const auto other = static_cast<std::size_t>(k) - 1;
  return other < calibrations.size() ? calibrations[other] : Calibration();
}

void merge(const Learner& other, Learner& into) {
  into.memory.merge(other.memory);
  into.columns.merge(other.columns);
  into.rivals.clear();
  into.changes += other.changes;
  into.moves += other.moves;
  if (other.calibration.rows > into.calibration.rows) into.calibration = other.calibration;
  into.calibrations.resize(std::max(into.calibrations.size(), other.calibrations.size()));
  for (std::size_t k = 0; k < other.calibrations.size(); ++k)
    if (other.calibrations[k].rows > into.calibrations[k].rows) into.calibrations[k] = other.calibrations[k];
}

double at_a_glance(const State& state, const Vector& then, Index count) {
  const Window& open = state.open;
  const Matrix A =
      in_front(state.trend.features(open.inputs().bottomRows(count)), open.features().rightCols(count));
  const Index known = then.size();
  const Vector noise = state.noise * open.own_sites().col(site::om).tail(count).cwiseInverse();
  const Vector e = open.outputs().tail(count).array() - (state.mean - state.offset) -
                   (A.topRows(known).transpose() * then).array();
  const Vector since = A.bottomRows(A.rows() - known).colwise().squaredNorm().transpose();
  const Vector variance = noise + state.kernel->variance() * (open.residuals().tail(count) + since);
  return (e.array().square() / variance.array()).min(400.0).mean();
}

Vector Foretold::z() const { return error.cwiseQuotient(sd); }

double Foretold::log_score(double factor) const {
  const Eigen::ArrayXd wide = factor * sd.array();
  return -(wide.log() + 0.5 * (error.array() / wide).square()).sum() -
         0.9189385332046727 * static_cast<double>(sd.size());
}

Newest::Newest(const State& state, Index count)
    : A(in_front(state.trend.features(state.open.inputs().bottomRows(count)),
                 state.open.features().rightCols(count))),
      y(state.open.outputs().tail(count)),
      om(state.open.own_sites().col(site::om).tail(count)),
      r(state.open.residuals().tail(count)),
      apart(state.open.apart().tail(count)) {
  if (!y.hasNaN()) return;
  std::vector<Index> seen;
  for (Index i = 0; i < count; ++i)
    if (!std::isnan(y(i))) seen.push_back(i);
  A = Matrix(rows_of(A.transpose(), seen)).transpose().eval();
  y = entries_of(y, seen);
  om = entries_of(om, seen);
  r = entries_of(r, seen);
  apart = entries_of(apart, seen);
}

Foretold foretell(const StreamingGP& model, Index count) {
  const State& state = model.state();
  const double v = model.v();
  Newest rows(state, count);
  Matrix& A = rows.A;
  const Vector noise = model.s2() * rows.om.cwiseInverse();
  Vector said = noise;
  if (state.open.count_apart() > 0) said.array() *= 1.0 + 1e8 * rows.apart.array();
  Vector e = rows.y.array() - (state.mean - state.offset);
  e -= model.xi() * (A.transpose() * model.weights().a);
  solve_lower(model.factor(), MatrixView(A));
  const Matrix S = v * (A.transpose() * A);
  Matrix rest = -S;
  rest.diagonal() += said;
  // positive definite but for rounding, which a row that alone holds a point can reach
  for (double more = 1e-12; !cholesky(rest); more *= 100) {
    rest = -S;
    rest.diagonal() += (1.0 + more) * said;
  }
  Matrix half = S;
  solve_lower(rest, MatrixView(half));
  solve_lower(rest, VectorView(e));
  solve_lower_transposed(rest, VectorView(e));
  const Vector without = S.diagonal() + half.colwise().squaredNorm().transpose();
  return {said.cwiseProduct(e), (v * rows.r + without + noise).cwiseSqrt()};
}

namespace {

// Of several outputs one may come late: until the model has learned its scale from some rows that have it,
// what it foretells of it is a guess, and nothing is to be concluded from that.
bool is_known(const StreamingGP& model, Index k) {
  if (model.outputs() == 1) return true;
  const Learner& learner = model.state().learner;
  if (learner.memory.limit() == 0) return model.latent(k).totals().n >= 50;
  const Sample rows = learner.memory.rows();
  const Vector y = rows.output(k);
  Index count = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (rows.numbers(i) <= learner.learned && !std::isnan(y(i))) ++count;
  return count >= 10;
}

}  // namespace

void calibrate(const std::vector<Foretold>& outputs, const std::vector<bool>& known, Learner& learner) {
  learner.calibrations.resize(outputs.size() - 1);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (known[k]) (k == 0 ? learner.calibration : learner.calibrations[k - 1]).see(outputs[k].z());
}

std::vector<bool> known_outputs(const StreamingGP& model) {
  std::vector<bool> out;
  for (Index k = 0; k < model.outputs(); ++k) out.push_back(is_known(model, k));
  return out;
}

Foretold in_one(const std::vector<Foretold>& each, const std::vector<bool>& known) {
  std::vector<const Foretold*> some;
  Index n = 0;
  for (std::size_t k = 0; k < each.size(); ++k)
    if (known.empty() || known[k]) some.push_back(&each[k]), n += each[k].sd.size();
  if (n == 0 && !known.empty()) return in_one(each);
  Foretold out{Vector(n), Vector(n)};
  n = 0;
  for (const Foretold* one : some) {
    out.error.segment(n, one->sd.size()) = one->error;
    out.sd.segment(n, one->sd.size()) = one->sd;
    n += one->sd.size();
  }
  return out;
}

}  // namespace gpstream
