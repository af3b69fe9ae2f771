// The objective under another kernel, other points, other scalars, and its gradient, collapsed over q.
// [derivation 6]
//
// A model and a batch at hand come apart into evidence of rows that have settled, (Z_old, P_old, b_old,
// H_old), which can only be projected, and rows that are here (open rows and batch), which are seen anew:
//   W = L^-1 k1(Z, X)    S = L^-1 k1(Z, Z_old) L_old^-T    P = W diag(om) W' + S P_old S'
//   b = W ga + S b_old   tau = carried + om'r + tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))
// Backwards, with G = I + xi P, a = G^-1 b, Q = xi G^-1 P (= I - G^-1 without the cancellation), ga and b
// measured from the trend:
//   dF/dW = xi (Q W diag(om) + a (ga - xi om .* W'a)' / phi)
//   dF/dS = xi (Q S P_old + a (b_old - xi P_old S'a)' / phi)
//   dF/dk1(Z, X) = L^-T dF/dW  (in blocks of rows)    dF/dk1(x, x) = -xi om / 2
//   dF/dk1(Z, Z) = -1/2 L^-T xi (Q P + a a'/phi) L^-1
//   dF/dk1(Z, Z_old) = L^-T dF/dS L_old^-1            dF/dk1(Z_old, Z_old) = -xi/2 L_old^-T P_old L_old^-1
// and the kernel pulls each back to its parameters and to Z. A small multiple of the cost of F itself.
//
// Where coefficients of the trend are integrated out, P, G, Q, b and a have them in front (in_front.h), and
// dF/dW and dF/dS are the rows of the points: W~ stands for W, (S'H_old'; S P_old) for S P_old, Q loses its
// first rows, a in front of a transpose its first entries; dF/dk1(Z, Z) has the last block of Q P and of
// a a'. What is in front depends on the ratios only:
//   dF/dlog ratio_j = 1/2 (xi a_j^2 / phi - Q_jj)
#ifndef GPSTREAM_GRADIENT_H
#define GPSTREAM_GRADIENT_H

#include "../model/update.h"

namespace gpstream {

// Where the objective is asked for. Without a noise, it is the best one, the kernel's variances being in
// units of it.  [derivation 3]
struct Place {
  KernelPtr kernel;
  Matrix Z;
  std::optional<double> noise;
  double mean;
};

struct Slope {
  double objective, noise;  // F, and the noise it holds for
  Vector kernel;            // dF/d(parameters of the kernel), the noise fixed
  double log_noise;
  Vector log_ratio;  // of the coefficients that are integrated out
  Matrix Z;
};

class Objective {
 public:
  Objective(const StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y,
            const Vector& weights = Vector())
      : kernel_(model.state().kernel),
        likelihood_(model.state().likelihood),
        trend_(model.state().trend),
        offset_(model.state().offset) {
    const State& state = model.state();
    settled_ = state.settled.n > 0;
    old_ = settled_ ? state.basis : empty_basis(model.columns());
    P_ = symmetric(state.settled.P.view().topLeftCorner(old_.size(), old_.size()));
    const Index here = state.open.size(), B = X.rows();
    const Vector outputs = model.centred(X, y);
    require(B == 0 || state.likelihood->fixed(), "input",
            "rows whose sites depend on the model have to be learned before anything is learned from them.");
    Sites batch_sites = state.likelihood->sites({outputs, weights}, Latent(), 1.0);
    silence(apart_of(model, X), batch_sites);
    X_.resize(here + B, model.columns());
    S_.resize(here + B, site::columns);
    X_ << state.open.inputs(), X;
    S_ << state.open.sites(), batch_sites;
    T_ = trend_.at(X_);
    front_ = trend_.features(X_);
    // what does not depend on the points
    sums_ = totals(state.settled, state.open, trend_);
    const auto batch = S_.bottomRows(B);
    sums_.Phi += T_.bottomRows(B).transpose() * batch.col(site::om).asDiagonal() * T_.bottomRows(B);
    sums_.s += T_.bottomRows(B).transpose() * batch.col(site::ga);
    sums_.n += batch.col(site::n).sum();
    sums_.con += batch.col(site::c).sum();
    sums_.yy += batch.col(site::q).sum();
    b_ = state.settled.b.view().head(old_.size());
    H_ = state.settled.H.view().topRows(old_.size());
    HS_ = H_ * trend_.spread();
    carried_ = state.settled.residual();
  }

  // The gradient with respect to Z is left out unless asked for.
  Slope operator()(const Place& at, bool points, Checkpoint check) const {
    const Kernel& kernel = *at.kernel;
    const Projection onto = projection(old_, *kernel_, kernel, at.Z);
    const Basis& basis = onto.basis;
    const Index M = basis.size(), q = trend_.active();
    check();
    Seen seen;
    see(basis, kernel, X_, check, seen);
    const Moved gone = moved(P_, onto, old_, kernel);
    Scale scale{kernel.variance(), 1.0, known_trend(trend_, at.mean - offset_)};
    const Vector om = S_.col(site::om), ga = S_.col(site::ga) - om.cwiseProduct(T_ * scale.trend);
    const Vector gone_b = b_ - H_ * scale.trend;
    Totals sums = sums_;
    sums.tau = carried_ + om.dot(seen.r) + gone.price;
    const Vector b = in_front(trend_, sums.centred_s(scale), Vector(seen.A * ga + onto.S * gone_b));
    Matrix P = gone.P, weighed = seen.A;
    weigh(weighed, om);
    add_outer(P, weighed);
    if (q > 0) P = in_front(trend_, sums.Phi, seen.A * om.asDiagonal() * T_ + onto.S * H_, std::move(P));
    P = symmetric(P);
    const Matrix W = in_front(front_, std::move(seen.A));

    const double xi = at.noise ? kernel.variance() / *at.noise : kernel.variance();
    const Matrix C = factor_of(P, xi);
    const PosteriorWeights weights(basis, C, b, xi);
    const Vector &a = weights.a, a_points = a.tail(M);
    const double kappa = likelihood_->kappa(), yy = sums.about(scale), rss = yy - xi * b.dot(a);
    const double phi = at.noise ? *at.noise : std::max(rss, 1e-14 * yy) / (2.0 * kappa * sums.n);
    scale.dispersion = phi;
    scale.v = xi * phi;
    Slope out;
    out.noise = phi;
    out.objective = gpstream::objective(C, b, a, sums, scale, kappa);
    check();

    // the adjoints
    Matrix Q = xi * P;
    solve_lower(C, MatrixView(Q));
    solve_lower_transposed(C, MatrixView(Q));
    Matrix LQ = xi * Q.bottomRows(M);
    solve_lower_transposed(basis.L.view(), MatrixView(LQ));
    const Vector rest = (ga - xi * om.cwiseProduct(W.transpose() * a)) / phi;

    Matrix to_old = Q.bottomRows(M) * in_front(HS_.transpose(), onto.S * P_);
    Vector gone_rest = gone_b - xi * (P_ * (onto.S.transpose() * a_points));
    if (q > 0) gone_rest -= xi * (HS_ * a.head(q));
    to_old.noalias() += a_points * gone_rest.transpose() / phi;
    to_old *= xi;
    solve_lower_transposed(basis.L.view(), MatrixView(to_old));
    to_old = to_old.transpose().eval();
    solve_lower_transposed(old_.L.view(), MatrixView(to_old));

    Matrix to_Z(M, M);
    multiply(Q.bottomRows(M), P.rightCols(M), to_Z);
    to_Z.noalias() += a_points * a_points.transpose() / phi;
    to_Z *= -0.5 * xi;
    both_sides(basis, to_Z);
    check();

    out.kernel = Vector::Zero(kernel.parameter_count());
    Matrix moves = Matrix::Zero(points ? M : 0, at.Z.cols());
    const ConstMatrixView Z = basis.Z.view();
    kernel.pull_back(Z, Z, to_Z, out.kernel, moves);
    moves *= 2.0;  // Z stands on both sides of k1(Z, Z)
    constexpr Index block = 512;
    Matrix to_X;
    for (Index start = 0; start < X_.rows(); start += block) {
      check();
      const Index rows = std::min(block, X_.rows() - start);
      to_X.resize(M, rows);
      multiply(LQ, W.middleCols(start, rows), to_X);
      to_X = to_X * om.segment(start, rows).asDiagonal();
      to_X.noalias() += weights.alpha * rest.segment(start, rows).transpose();
      kernel.pull_back(Z, X_.middleRows(start, rows), to_X, out.kernel, moves);
    }
    Matrix stay(0, at.Z.cols());
    kernel.pull_diagonal(X_, -0.5 * xi * om, out.kernel, stay);
    if (settled_) {
      kernel.pull_back(Z, old_.Z.view(), to_old.transpose(), out.kernel, moves);
      Matrix old_to_old = -0.5 * xi * P_;
      both_sides(old_, old_to_old);
      kernel.pull_back(old_.Z.view(), old_.Z.view(), old_to_old, out.kernel, stay);
    }

    // through xi = v / phi, and phi itself:  dF/dxi = (|a|^2 / phi - tr(G^-1 P) - tau) / 2
    const double by_log_xi = 0.5 * (xi * a.squaredNorm() / phi - Q.trace() - xi * sums.tau);
    out.kernel += by_log_xi * kernel.amplitude_slope();
    out.log_noise = 0.5 * rss / phi - kappa * sums.n - by_log_xi;
    out.log_ratio = 0.5 * (xi * a.head(q).cwiseAbs2() / phi - Q.diagonal().head(q));
    out.Z = Matrix::Zero(points ? at.Z.rows() : 0, at.Z.cols());
    if (points)
      for (Index i = 0; i < M; ++i) out.Z.row(onto.kept[static_cast<std::size_t>(i)]) = moves.row(i);
    return out;
  }

 private:
  // A <- L^-T A L^-1 for symmetric A
  static void both_sides(const Basis& basis, Matrix& A) {
    solve_lower_transposed(basis.L.view(), MatrixView(A));
    A = A.transpose().eval();
    solve_lower_transposed(basis.L.view(), MatrixView(A));
  }

  KernelPtr kernel_;
  LikelihoodPtr likelihood_;
  Trend trend_;
  double offset_, carried_;
  bool settled_;
  Basis old_;  // of the settled rows, and their evidence
  Matrix P_, H_, HS_;
  Vector b_;
  Matrix X_, T_, front_;  // the rows at hand
  Sites S_;
  Totals sums_;
};

}  // namespace gpstream

#endif
