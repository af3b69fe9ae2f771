#include "climb.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

#include "../linear/linalg.h"

namespace gpstream {

double cubic_top(double left, double right, double rise) {
  const double a = left + right - 2 * rise, b = 3 * rise - 2 * left - right;  // a t^3 + b t^2 + left t
  const double root = b * b - 3 * a * left;
  const double t = root > 0 ? left / (std::sqrt(root) - b) : 0.5;
  return std::isfinite(t) ? std::min(std::max(t, 0.1), 0.9) : 0.5;
}

Vector Box::clamped(const Vector& p) const { return p.cwiseMax(lower).cwiseMin(upper); }

bool Box::outwards(const Vector& at, const Vector& d, Index i) const {
  return (d(i) <= 0 && at(i) <= lower(i)) || (d(i) >= 0 && at(i) >= upper(i));
}

double Box::range(const Vector& at, Index i) const {
  const double width = upper(i) - lower(i);
  return std::isfinite(width) ? width : 10 * std::max(1.0, std::abs(at(i)));
}

double Box::promise(const Vector& at, const Vector& slope) const {
  double rise = 0;
  for (Index i = 0; i < at.size(); ++i) {
    const double room = slope(i) > 0 ? upper(i) - at(i) : at(i) - lower(i);
    rise += std::abs(slope(i)) * std::min(room, range(at, i));
  }
  return rise;
}

Vector way_up(const Spot& x, const Box& box, Curvature& curvature) {
  std::vector<Index> free;
  for (Index i = 0; i < x.at.size(); ++i)
    if (!box.outwards(x.at, x.slope, i)) free.push_back(i);
  const std::vector<Index> all = free;
  for (;;) {
    Vector d = curvature.step(x.slope, free);
    if (curvature.empty()) return d;
    const std::size_t before = free.size();
    free.erase(std::remove_if(free.begin(), free.end(), [&](Index i) { return box.outwards(x.at, d, i); }),
               free.end());
    if (free.size() < before && !free.empty()) continue;
    if (free.size() == before && d.allFinite() && d.dot(x.slope) > 0) return d;
    curvature.forget();  // rounding has spoilt it
    free = all;
  }
}

double first_length(const Spot& x, const Box& box, const Vector& d) {
  double sum = 0;
  for (Index i = 0; i < d.size(); ++i) sum += std::abs(d(i)) * box.range(x.at, i);
  const double out = 0.1 * sum / d.squaredNorm();
  return std::isfinite(out) ? out : 1.0;
}

void Curvature::see(const Vector& s, const Vector& y) {
  if (!(s.dot(y) > std::numeric_limits<double>::epsilon() * y.squaredNorm())) return;
  push(S_, s);
  push(Y_, y);
  theta_ = y.squaredNorm() / s.dot(y);
  const Matrix SY = S_.transpose() * Y_;
  const Index m = S_.cols();
  N_ = Matrix::Zero(2 * m, 2 * m);
  N_.topLeftCorner(m, m).diagonal() = -SY.diagonal();
  N_.bottomLeftCorner(m, m) = SY.triangularView<Eigen::StrictlyLower>();
  N_.topRightCorner(m, m) = N_.bottomLeftCorner(m, m).transpose();
  N_.bottomRightCorner(m, m) = theta_ * (S_.transpose() * S_);
}

Vector Curvature::step(const Vector& slope, const std::vector<Index>& free) const {
  Vector out = Vector::Zero(slope.size());
  if (empty()) {
    for (const Index i : free) out(i) = slope(i);
    return out;
  }
  const Index m = S_.cols(), F = static_cast<Index>(free.size());
  Matrix W(F, 2 * m);
  Vector r(F);
  for (Index k = 0; k < F; ++k) {
    const Index i = free[static_cast<std::size_t>(k)];
    W.row(k).head(m) = Y_.row(i);
    W.row(k).tail(m) = theta_ * S_.row(i);
    r(k) = slope(i);
  }
  const Vector z = (N_ - W.transpose() * W / theta_).partialPivLu().solve(W.transpose() * r);
  r = (r + W * z / theta_) / theta_;
  for (Index k = 0; k < F; ++k) out(free[static_cast<std::size_t>(k)]) = r(k);
  return out;
}

void Curvature::push(Matrix& past, const Vector& last) const {
  const Index kept = std::min<Index>(past.cols(), memory_ - 1);
  Matrix next(past.rows(), kept + 1);
  next << past.rightCols(kept), last;
  past = std::move(next);
}

Found climb(Evidences& evidence, const OutputUnknowns& unknowns, const Vector& theta, int steps,
            Checkpoint check) {
  const auto value = [&](const Vector& at, Vector& slope) {
    try {
      const std::vector<Chosen> here = unknowns.at(at);
      std::vector<ExactSlope> out;
      double sum = 0.0;
      for (std::size_t k = 0; k < here.size(); ++k) {
        out.push_back(evidence.each[k](*make_kernel(here[k].kernel), here[k].noise, here[k].trend,
                                       evidence.variance[k]));
        sum += out[k].value;
      }
      slope = unknowns.slope(out);
      return sum + unknowns.add_prior(at, slope);
    } catch (const std::exception&) {  // parameters beyond the number range, say
      return std::nan("");
    }
  };
  Vector lower(unknowns.size()), upper(unknowns.size());
  for (Index i = 0; i < unknowns.size(); ++i) {
    lower(i) = unknowns.all()[static_cast<std::size_t>(i)].lower;
    upper(i) = unknowns.all()[static_cast<std::size_t>(i)].upper;
  }
  SearchOptions options;
  options.steps = steps;
  return maximise(value, theta, lower, upper, options, check);
}

namespace {

// All lengthscales times a factor, the rest as it starts.
Vector start_at(const OutputUnknowns& unknowns, double factor) {
  Vector theta(unknowns.size());
  for (Index i = 0; i < theta.size(); ++i) {
    const Unknown& one = unknowns.all()[static_cast<std::size_t>(i)];
    theta(i) = one.start + (one.length ? std::log(factor) : 0.0);
  }
  return theta;
}

}  // namespace

std::vector<Vector> starts_of(const Family& family, Evidences& evidence, const OutputUnknowns& unknowns,
                              const std::map<std::string, Vector>& last, double spacing, Checkpoint check) {
  std::vector<Vector> out{start_at(unknowns, 0.5)};
  if (const Vector longer = start_at(unknowns, 2.0); longer != out.front()) {  // lengthscales are looked for
    out.push_back(longer);
    Found best{longer, -std::numeric_limits<double>::infinity(), 0, false};
    for (const double factor : {0.15, 0.05, 0.015}) {
      if (factor < spacing) break;
      Found one = climb(evidence, unknowns, start_at(unknowns, factor), 0, check);
      if (one.value > best.value) best = std::move(one);
    }
    if (best.evaluations > 0) out.push_back(best.at);
  }
  const auto found = last.find(family.name);
  if (found != last.end() && found->second.size() == unknowns.size()) out.push_back(found->second);
  return out;
}

}  // namespace gpstream
