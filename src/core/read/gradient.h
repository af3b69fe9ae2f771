// The objective under another kernel, other points, other scalars, and its gradient, collapsed over q.
// [derivation 6]
//
// A model and a batch at hand come apart into evidence of rows that are gone, (Z_old, R R', b, h), which can
// only be projected, and rows that are here (look-back window and batch), which are seen anew:
//   W = L^-1 k1(Z, X)    S = L^-1 k1(Z, Z_old) L_old^-T    P = W W' + S R R'S'    b = W y + S b_old
//   tau = carried + (rows - |W|^2) + tr(R'(L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S) R)
// Backwards, with G = I + xi P, a = G^-1 b, Q = xi G^-1 P (= I - G^-1 without the cancellation):
//   dF/dW = xi (Q W + a (y - xi W'a)' / s2)               dF/dS = xi (Q S R R' + a (b_old - xi R R'S'a)' /
//   s2) dF/dk1(Z,X) = L^-T dF/dW  (in blocks of rows)         dF/dk1(Z,Z_old) = L^-T dF/dS L_old^-1
//   dF/dk1(Z,Z) = -1/2 L^-T xi (Q P + a a'/s2) L^-1       dF/dk1(Z_old,Z_old) = -xi/2 L_old^-T R R' L_old^-1
// and the kernel pulls each back to its parameters and to Z. A small multiple of the cost of F itself.
#ifndef GPSTREAM_GRADIENT_H
#define GPSTREAM_GRADIENT_H

#include "../model/update.h"

namespace gpstream {

// Where the objective is asked for. Without a noise, it is the best one, the kernel's variances being in
// units of it. [derivation 3]
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
  Matrix Z;
};

class Objective {
 public:
  Objective(const StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y)
      : old_(model.basis()),
        kernel_(model.settings().kernel),
        gone_(departed(model.evidence(), model.window())),
        offset_(model.offset()) {
    if (gone_.R.cols() == 0) {
      old_ = empty_basis(model.columns());
      gone_ = {Matrix(0, 0), Vector(0), Vector(0)};
    }
    const Evidence& past = model.evidence();
    const Index here = model.window().size(), B = X.rows();
    X_.resize(here + B, model.columns());
    y_.resize(here + B);
    X_ << model.window().inputs(), X;
    y_ << model.window().outputs(), model.centred(X, y);
    n_ = past.n + static_cast<double>(B);
    sum_y_ = past.sum_y + y_.tail(B).sum();
    yy_ = past.yy + y_.tail(B).squaredNorm();
    carried_ = past.carried.tau + past.tau.view().sum();
  }

  // The gradient with respect to Z is left out unless asked for.
  Slope operator()(const Place& at, bool points, Checkpoint check) const {
    const Kernel& kernel = *at.kernel;
    const Projection onto = project(old_, *kernel_, kernel, at.Z);
    const Basis& basis = onto.basis;
    const Index M = basis.size();
    check();
    Matrix W;
    const double left = basis.features(kernel, X_, W).sum();
    const Matrix SR = onto.S * gone_.R;
    Evidence evidence;
    evidence.P = GrowingMatrix(Matrix::Zero(M, M));
    add_outer(evidence.P.view(), W);
    add_outer(evidence.P.view(), SR);
    const double shift = at.mean - offset_, yy = yy_ - 2.0 * shift * sum_y_ + n_ * shift * shift;
    const Vector y = y_.array() - shift, gone_b = gone_.b - shift * gone_.h;
    const Vector b = W * y + onto.S * gone_b;
    const double tau = carried_ + left + price(old_, *kernel_, kernel, gone_.R, SR);

    const double xi = at.noise ? kernel.variance() / *at.noise : kernel.variance();
    const PosteriorFactor factor(evidence, xi);
    const PosteriorWeights weights(basis, factor, b, xi);
    const Vector& a = weights.a;
    const double rss = yy - xi * b.dot(a), s2 = at.noise ? *at.noise : std::max(rss, 1e-14 * yy) / n_;
    Slope out;
    out.noise = s2;
    out.objective = gpstream::objective(factor, weights, b, n_, yy, tau, xi * s2, s2);
    check();

    // the adjoints
    const Matrix P = symmetric(evidence.P.view());
    Matrix Q = xi * P;
    solve_lower(factor.view(), MatrixView(Q));
    solve_lower_transposed(factor.view(), MatrixView(Q));
    Matrix LQ = xi * Q;
    solve_lower_transposed(basis.L.view(), MatrixView(LQ));
    const Vector rest = (y - xi * (W.transpose() * a)) / s2;

    Matrix to_old = Q * SR * gone_.R.transpose();
    to_old.noalias() += a * (gone_b - xi * (gone_.R * (SR.transpose() * a))).transpose() / s2;
    to_old *= xi;
    solve_lower_transposed(basis.L.view(), MatrixView(to_old));
    to_old = to_old.transpose().eval();
    solve_lower_transposed(old_.L.view(), MatrixView(to_old));

    Matrix to_Z(M, M);
    multiply(Q, P, to_Z);
    to_Z.noalias() += a * a.transpose() / s2;
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
      to_X.noalias() += weights.alpha * rest.segment(start, rows).transpose();
      kernel.pull_back(Z, X_.middleRows(start, rows), to_X, out.kernel, moves);
    }
    kernel.pull_back(Z, old_.Z.view(), to_old.transpose(), out.kernel, moves);
    Matrix old_to_old = -0.5 * xi * (gone_.R * gone_.R.transpose());
    both_sides(old_, old_to_old);
    Matrix stay(0, at.Z.cols());
    kernel.pull_back(old_.Z.view(), old_.Z.view(), old_to_old, out.kernel, stay);

    // through xi = v / s2, and s2 itself:  dF/dxi = (|a|^2 / s2 - tr(G^-1 P) - tau) / 2
    const double by_log_xi = 0.5 * (xi * a.squaredNorm() / s2 - Q.trace() - xi * tau);
    out.kernel += by_log_xi * kernel.amplitude_slope();
    out.log_noise = 0.5 * (rss / s2 - n_) - by_log_xi;
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

  Basis old_;
  KernelPtr kernel_;
  Departed gone_;
  double offset_, n_, sum_y_, yy_, carried_;
  Matrix X_;
  Vector y_;
};

}  // namespace gpstream

#endif
