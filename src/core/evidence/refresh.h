// Refresh: the sites of rows that are at hand, and the posterior, are made to agree. Sites depend on what is
// known of f, and that on the sites: both are sought together.  [derivation 20]
//
// Everything else, the base, gives f at these rows the mean f0 and the covariance T0 + diag(left), T0 = v W'W
// with W = C^-1 w~ of the base, `left` what the points leave. With sites p = om / phi, g = ga / phi
//   q: mean f0 + T0 a, variances left + V_ii     V = (T0^-1 + diag(p))^-1     a = g - p f0 - p T0 a
//   L = sum e_i(mean, variance) - 1/2 (log|B| + a'T0 a - sum p_i V_ii)    B = I + diag(p)^1/2 T0 diag(p)^1/2
// T(S), the sites made for q, is where L would rise; a step that does not raise it is halved. Of order n^3
// for n rows, or n M^2 + M^3 where the M features are fewer.
#ifndef GPSTREAM_REFRESH_H
#define GPSTREAM_REFRESH_H

#include "../likelihoods/likelihood.h"
#include "../linear/linalg.h"

namespace gpstream {

// The rows as they are seen from the base.
struct Active {
  Responses rows;
  Vector counts;  // how much of its site each row says by now
  Matrix W;
  Vector f0, left;

  Index size() const { return f0.size(); }
};

struct Agreement {
  Sites sites;
  int steps = 0;
  bool reached = false;  // did they come to stand still?
};

// One site each for rows that are alone with the base, and count in full: scalars, all at once.
inline Sites sites_alone(const Likelihood& likelihood, const Active& active, double v, double phi, int most) {
  const Index n = active.size();
  const double kappa = likelihood.kappa();
  const Vector t = (v * active.W.colwise().squaredNorm().transpose()).cwiseMax(1e-300);
  struct Row {
    Sites sites, next;
    Vector value;
  };
  const auto look = [&](Sites S) {
    const Eigen::ArrayXd p = S.col(site::om).array() / phi, g = S.col(site::ga).array() / phi;
    const Eigen::ArrayXd d = 1.0 + p * t.array(), f0 = active.f0.array();
    const Latent at{(f0 + t.array() * g) / d, active.left.array() + t.array() / d};
    Sites next = likelihood.sites(active.rows, at, phi);
    Vector value = expected_sites(next, at, phi, kappa).array() -
                   0.5 * (1.0 / d + (at.mean.array() - f0).square() / t.array() - 1.0 + d.log());
    for (Index i = 0; i < n; ++i)
      if (!(std::isfinite(value(i)) && next.row(i).allFinite()))
        value(i) = -std::numeric_limits<double>::infinity();
    return Row{std::move(S), std::move(next), std::move(value)};
  };
  const auto take = [](const Row& from, Index i, Row& to) {
    to.sites.row(i) = from.sites.row(i);
    to.next.row(i) = from.next.row(i);
    to.value(i) = from.value(i);
  };
  Row best = look(likelihood.sites(active.rows, likelihood.start(active.rows, phi), phi));
  const Row here = look(likelihood.sites(active.rows, {active.f0, active.left + t}, phi));
  for (Index i = 0; i < n; ++i)
    if (here.value(i) >= best.value(i)) take(here, i, best);
  Vector step = Vector::Ones(n);
  for (int round = 0; round < most; ++round) {
    Sites tried = best.sites + step.asDiagonal() * (best.next - best.sites);
    for (Index i = 0; i < n; ++i)
      if (step(i) == 1.0) tried.row(i) = best.next.row(i);
    const Row then = look(std::move(tried));
    bool still = true;
    for (Index i = 0; i < n; ++i) {
      const double least = best.value(i) - 1e-12 * (1.0 + std::abs(best.value(i)));
      const bool rises = then.value(i) >= least;
      if (!rises || then.value(i) - best.value(i) > 1e-10 * (1.0 + std::abs(best.value(i)))) still = false;
      step(i) = rises ? 1.0 : 0.5 * step(i);
      if (rises) take(then, i, best);
    }
    if (still) break;
  }
  return best.sites;
}

// What the sites make of f at the rows, the sites that these would be, and L.
class Refreshing {
 public:
  Refreshing(const Likelihood& likelihood, const Active& active, double v, double phi)
      : likelihood_(likelihood), active_(active), v_(v), phi_(phi) {
    by_rows_ = active.size() <= active.W.rows();
    if (by_rows_) T0_ = v * (active.W.transpose() * active.W);
  }

  double value = 0.0;
  Latent at;
  Sites next;
  Vector e;  // what is expected of each site there

  // False where there is no such posterior, or no such sites.
  bool look(const Sites& S) {
    const Vector p = active_.counts.cwiseProduct(S.col(site::om)) / phi_;
    const Vector h = active_.counts.cwiseProduct(S.col(site::ga)) / phi_ - p.cwiseProduct(active_.f0);
    if (!p.allFinite() || !h.allFinite() || (p.array() < 0).any()) return false;
    double apart;
    if (!(by_rows_ ? by_rows(p, h, apart) : by_features(p, h, apart))) return false;
    next = likelihood_.sites(active_.rows, at, phi_);
    e = expected_sites(next, at, phi_, likelihood_.kappa());
    value = active_.counts.dot(e) - apart;
    return std::isfinite(value) && next.allFinite();
  }

 private:
  // apart: the divergence of q from the base.
  bool by_rows(const Vector& p, const Vector& h, double& apart) {
    const Vector root = p.cwiseSqrt();
    Matrix scaled = root.asDiagonal() * T0_, B = scaled * root.asDiagonal();
    B.diagonal().array() += 1.0;
    if (!cholesky(B)) return false;
    solve_lower(B, MatrixView(scaled));
    Vector a = root.cwiseProduct(T0_ * h);
    solve_lower(B, VectorView(a));
    solve_lower_transposed(B, VectorView(a));
    a = h - root.cwiseProduct(a);
    const Vector moved = T0_ * a, V = T0_.diagonal() - scaled.colwise().squaredNorm().transpose();
    return take(moved, V, log_determinant(B) + a.dot(moved) - p.dot(V), apart);
  }
  bool by_features(const Vector& p, const Vector& h, double& apart) {
    Matrix weighed = active_.W * (v_ * p).cwiseSqrt().asDiagonal();
    Matrix G = Matrix::Identity(active_.W.rows(), active_.W.rows());
    add_outer(G, weighed);
    if (!cholesky(G)) return false;
    Vector beta = std::sqrt(v_) * (active_.W * h);
    solve_lower(G, VectorView(beta));
    solve_lower_transposed(G, VectorView(beta));
    const Vector moved = std::sqrt(v_) * (active_.W.transpose() * beta);
    weighed = active_.W;
    solve_lower(G, MatrixView(weighed));
    const Vector V = v_ * weighed.colwise().squaredNorm().transpose();
    return take(moved, V, log_determinant(G) + beta.squaredNorm() - p.dot(V), apart);
  }
  bool take(const Vector& moved, const Vector& V, double twice, double& apart) {
    at = {active_.f0 + moved, active_.left + V.cwiseMax(0.0)};
    apart = 0.5 * twice;
    return at.mean.allFinite() && at.variance.allFinite();
  }

  const Likelihood& likelihood_;
  const Active& active_;
  double v_, phi_;
  bool by_rows_;
  Matrix T0_;
};

// Where the sites change by less than `tolerance` of themselves, or after so many steps.
inline Agreement refreshed(const Likelihood& likelihood, const Active& active, double v, double phi, Sites S,
                           double tolerance, int most) {
  Refreshing q(likelihood, active, v, phi), tried = q;
  Agreement out;
  if (!q.look(S)) {
    S = sites_alone(likelihood, active, v, phi, 20);
    const bool started = q.look(S);
    require(started, "numeric", "the sites of a batch are beyond all range.");
  }
  double last = std::numeric_limits<double>::infinity();
  for (; out.steps < most && !out.reached; ++out.steps) {
    const auto now = S.leftCols<2>().array(), then = q.next.leftCols<2>().array();
    const double change = ((then - now).abs() / (1.0 + now.abs())).maxCoeff();
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
    S.col(site::c).setZero();
    S.col(site::q).setZero();
    S.col(site::c) = q.e - expected_sites(S, q.at, phi, likelihood.kappa());
  }
  out.sites = std::move(S);
  return out;
}

}  // namespace gpstream

#endif
