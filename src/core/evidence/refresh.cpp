#include "refresh.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "../linear/linalg.h"
#include "../linear/require.h"

namespace gpstream {

Vector by_row(const Vector& x, Index n) {
  Vector out = x.head(n);
  for (Index from = n; from < x.size(); from += n) out += x.segment(from, n);
  return out;
}

namespace {

// What a change of f is compared with at each row: where f has the unit of y, the variance of what the row
// says by itself, so that nothing depends on that unit.
Vector squared_units(const Likelihood& likelihood, const Responses& rows, double phi) {
  if (!likelihood.location()) return Vector::Ones(likelihood.latents() * rows.size());
  return likelihood.start(rows, phi).variance;
}

}  // namespace

Sites sites_alone(const Likelihood& likelihood, const Active& active, double phi, int most) {
  const Index n = active.size(), K = active.latents();
  const double kappa = likelihood.kappa();
  const Vector log_unit = 0.5 * squared_units(likelihood, active.rows, phi).head(n).array().log();
  Vector t(n * K);
  for (Index k = 0; k < K; ++k) {
    const FromBase& f = active.functions[static_cast<std::size_t>(k)];
    t.segment(k * n, n) = (f.v * f.W.colwise().squaredNorm().transpose()).cwiseMax(1e-300);
  }
  struct Row {
    Sites sites, next;
    Vector value;
  };
  const auto look = [&](Sites S) {
    const Eigen::ArrayXd p = S.col(site::om).array() / phi, g = S.col(site::ga).array() / phi;
    const Eigen::ArrayXd d = 1.0 + p * t.array(), f0 = active.f0.array();
    const Latent at{(f0 + t.array() * g) / d, active.left.array() + t.array() / d};
    Sites next = likelihood.sites(active.rows, at, phi);
    const Vector each = expected_sites(next, at, phi, kappa).array() -
                        0.5 * (1.0 / d + (at.mean.array() - f0).square() / t.array() - 1.0 + d.log());
    Vector value = by_row(each, n);
    for (Index i = 0; i < n * K; ++i)
      if (!next.row(i).allFinite()) value(i % n) = std::numeric_limits<double>::quiet_NaN();
    for (Index i = 0; i < n; ++i)
      if (!std::isfinite(value(i))) value(i) = -std::numeric_limits<double>::infinity();
    return Row{std::move(S), std::move(next), std::move(value)};
  };
  const auto take = [&](const Row& from, Index i, Row& to) {
    for (Index at = i; at < n * K; at += n) {
      to.sites.row(at) = from.sites.row(at);
      to.next.row(at) = from.next.row(at);
    }
    to.value(i) = from.value(i);
  };
  // From what the row says by itself, no less than a whole row does, and from the prior mean. Under a prior
  // that is wider than that, a site is as precise as e^variance is large: steps would not lead back.
  const Latent start = likelihood.start(active.rows, phi);
  Responses whole = active.rows;
  if (whole.weights.size() > 0) whole.weights = whole.weights.cwiseMax(1.0);
  Row best = look(likelihood.sites(whole, start, phi));
  const Row here =
      look(likelihood.sites(active.rows, {active.f0, (active.left + t).cwiseMin(start.variance)}, phi));
  for (Index i = 0; i < n; ++i)
    if (here.value(i) >= best.value(i)) take(here, i, best);
  Vector step = Vector::Ones(n);
  for (int round = 0; round < most; ++round) {
    Sites tried = best.next;
    for (Index i = 0; i < n * K; ++i) {
      const double part = step(i % n);
      if (part != 1.0) tried.row(i) = best.sites.row(i) + part * (best.next.row(i) - best.sites.row(i));
    }
    const Row then = look(std::move(tried));
    bool still = true;
    for (Index i = 0; i < n; ++i) {
      const double size = 1.0 + std::abs(best.value(i) + log_unit(i));
      const bool rises = then.value(i) >= best.value(i) - 1e-12 * size;
      if (!rises || then.value(i) - best.value(i) > 1e-10 * size) still = false;
      step(i) = rises ? 1.0 : 0.5 * step(i);
      if (rises) take(then, i, best);
    }
    if (still) break;
  }
  return best.sites;
}

namespace {

// What the sites make of a latent function at the rows.
class AtRows {
 public:
  explicit AtRows(const FromBase& f) : f_(f) {
    by_rows_ = f.W.cols() <= f.W.rows();
    if (by_rows_) T0_ = f.v * (f.W.transpose() * f.W);
  }

  Vector moved, variance;  // its mean from f0, and what is left of its variance besides `left`
  double apart = 0.0;      // the divergence of q from the base

  // False where there is no such posterior.
  bool look(const Vector& p, const Vector& h) { return by_rows_ ? by_rows(p, h) : by_features(p, h); }

 private:
  bool by_rows(const Vector& p, const Vector& h) {
    const Vector root = p.cwiseSqrt();
    Matrix scaled = root.asDiagonal() * T0_, B = scaled * root.asDiagonal();
    B.diagonal().array() += 1.0;
    if (!factor(std::sqrt(f_.v) * f_.W * root.asDiagonal(), B)) return false;
    solve_lower(B, MatrixView(scaled));
    Vector a = root.cwiseProduct(T0_ * h);
    solve_lower(B, VectorView(a));
    solve_lower_transposed(B, VectorView(a));
    a = h - root.cwiseProduct(a);
    moved = T0_ * a;
    const Vector V = T0_.diagonal() - scaled.colwise().squaredNorm().transpose();
    return take(V, log_determinant(B) + a.dot(moved) - p.dot(V));
  }
  bool by_features(const Vector& p, const Vector& h) {
    Matrix weighed = f_.W * (f_.v * p).cwiseSqrt().asDiagonal();
    Matrix G = Matrix::Identity(f_.W.rows(), f_.W.rows());
    add_outer(G, weighed);
    if (!factor(weighed.transpose(), G)) return false;
    Vector beta = std::sqrt(f_.v) * (f_.W * h);
    solve_lower(G, VectorView(beta));
    solve_lower_transposed(G, VectorView(beta));
    moved = std::sqrt(f_.v) * (f_.W.transpose() * beta);
    weighed = f_.W;
    solve_lower(G, MatrixView(weighed));
    const Vector V = f_.v * weighed.colwise().squaredNorm().transpose();
    return take(V, log_determinant(G) + beta.squaredNorm() - p.dot(V));
  }
  // Of G = I + R'R; from R where that is so large that rounding has G not be positive definite.
  template <class Root>
  static bool factor(const Root& R, Matrix& G) {
    if (cholesky(G)) return true;
    Matrix stack(R.rows() + R.cols(), R.cols());
    stack << Matrix::Identity(R.cols(), R.cols()), R;
    if (!stack.allFinite()) return false;
    G = lower_factor(stack);
    return true;
  }
  bool take(const Vector& V, double twice) {
    variance = V.cwiseMax(0.0);
    apart = 0.5 * twice;
    return moved.allFinite() && V.allFinite();
  }

  const FromBase& f_;
  bool by_rows_;
  Matrix T0_;
};

// The sites that these would be where sites have made all functions what they are, and L.
class Refreshing {
 public:
  Refreshing(const Likelihood& likelihood, const Active& active, double phi)
      : likelihood_(likelihood), active_(active), phi_(phi) {
    for (const FromBase& one : active.functions) functions_.emplace_back(one);
  }

  double value = 0.0;
  Latent at;
  Sites next;
  Vector e;  // what is expected of each site there

  // False where there is no such posterior, or no such sites.
  bool look(const Sites& S) {
    const Index n = active_.size();
    at = {active_.f0, active_.left};
    double apart = 0.0;
    for (Index k = 0; k < active_.latents(); ++k) {
      const auto own = S.middleRows(k * n, n);
      const Vector p = active_.counts.cwiseProduct(own.col(site::om)) / phi_;
      const Vector h = active_.counts.cwiseProduct(own.col(site::ga)) / phi_ -
                       p.cwiseProduct(active_.f0.segment(k * n, n));
      if (!p.allFinite() || !h.allFinite() || (p.array() < 0).any()) return false;
      AtRows& f = functions_[static_cast<std::size_t>(k)];
      if (!f.look(p, h)) return false;
      at.mean.segment(k * n, n) += f.moved;
      at.variance.segment(k * n, n) += f.variance;
      apart += f.apart;
    }
    next = likelihood_.sites(active_.rows, at, phi_);
    e = expected_sites(next, at, phi_, likelihood_.kappa());
    leave_as_is(S);
    value = active_.counts.dot(by_row(e, n)) - apart;
    return std::isfinite(value) && next.allFinite();
  }

 private:
  // A row that does not count, as no point is near, keeps the site that it has alone: what is known of f
  // there is the prior, under which e^f may be beyond all range. It counts by this site when a point comes.
  void leave_as_is(const Sites& S) {
    for (Index i = 0; i < S.rows(); ++i) {
      if (active_.counts(i % active_.size()) != 0) continue;
      next.row(i) = S.row(i);
      e(i) = 0.0;
    }
  }

  const Likelihood& likelihood_;
  const Active& active_;
  double phi_;
  std::vector<AtRows> functions_;
};

}  // namespace

Agreement refreshed(const Likelihood& likelihood, const Active& active, double phi, Sites S, double tolerance,
                    int most) {
  Refreshing q(likelihood, active, phi), tried = q;
  Agreement out;
  if (!q.look(S)) {
    S = sites_alone(likelihood, active, phi, 20);
    const bool started = q.look(S);
    require(started, "numeric", "the sites of a batch are beyond all range.");
  }
  // precision, and slope at the present mean: without a unit and an origin
  const Vector unit = squared_units(likelihood, active.rows, phi);
  const Eigen::ArrayXd by_om = unit.array() / phi, by_ga = unit.array().sqrt() / phi;
  const auto plain = [&](const Sites& sites, const Vector& mean) {
    Eigen::ArrayXXd out(sites.rows(), 2);
    out.col(0) = by_om * sites.col(site::om).array();
    out.col(1) = by_ga * (sites.col(site::ga) - sites.col(site::om).cwiseProduct(mean)).array();
    return out;
  };
  double last = std::numeric_limits<double>::infinity();
  for (; out.steps < most && !out.reached; ++out.steps) {
    const Eigen::ArrayXXd now = plain(S, q.at.mean);
    const double change = ((plain(q.next, q.at.mean) - now).abs() / (1.0 + now.abs())).maxCoeff();
    out.reached = change < tolerance;
    if (out.reached) break;
    double step = change < last ? 1.0 : 0.5;
    last = change;
    Sites mixed;
    for (;; step *= 0.5) {
      mixed = step == 1.0 ? q.next : Sites(S + step * (q.next - S));
      if (tried.look(mixed) && tried.value >= q.value - 1e-12 * (1.0 + std::abs(q.value))) break;
      if (step < 1e-6) break;
    }
    if (step < 1e-6) break;
    S = std::move(mixed);
    std::swap(q.value, tried.value);
    std::swap(q.at, tried.at);
    std::swap(q.next, tried.next);
    std::swap(q.e, tried.e);
  }
  if (!likelihood.bounds()) {  // so that the objective is L
    Sites own = S;
    own.col(site::c).setZero();
    own.col(site::q).setZero();
    own.col(site::c) = q.e - expected_sites(own, q.at, phi, likelihood.kappa());
    for (Index i = 0; i < S.rows(); ++i)
      if (active.counts(i % active.size()) != 0) S.row(i) = own.row(i);
  }
  out.sites = std::move(S);
  return out;
}

}  // namespace gpstream
