// The objective under another kernel, other points, other scalars, and its gradient, collapsed over q.
// [derivation 6]
//
// A model and a batch at hand come apart into evidence of rows that have settled, (Z_old, P_old, b_old,
// H_old), which can only be projected, and rows that are here (open rows and batch), which are seen anew:
//   W = L^-1 k1(Z, X)    S = L^-1 k1(Z, Z_old) L_old^-T    P = W diag(om) W' + S P_old S'
//   b = W ga + S b_old   tau = carried + om'r + tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S))
// Backwards the rows and k1(Z, Z) are those of adjoint.h; the old evidence, as there, has
//   dF/dS = xi (Q S P_old + a (b_old - xi P_old S'a)' / phi)
//   dF/dk1(Z, Z_old) = L^-T dF/dS L_old^-1            dF/dk1(Z_old, Z_old) = -xi/2 L_old^-T P_old L_old^-1
// and the kernel pulls each back to its parameters and to Z. A small multiple of the cost of F itself. Where
// coefficients of the trend are integrated out, (S'H_old'; S P_old) stands for S P_old.
#ifndef GPSTREAM_GRADIENT_H
#define GPSTREAM_GRADIENT_H

#include "../model/update.h"
#include "adjoint.h"

namespace gpstream {

// Where the objective is asked for. Without a noise, it is the best one, the kernel's variances being in
// units of it.  [derivation 3]
struct Place {
  KernelPtr kernel;
  Matrix Z;
  std::optional<double> noise;
  double mean;
};

class Objective {
 public:
  Objective(const StreamingGP& model, const ConstMatrixView& X, const ConstVectorView& y,
            const Vector& weights = Vector())
      : kernel_(model.state().kernel),
        likelihood_(model.state().likelihood),
        trend_(model.state().trend),
        offset_(model.state().offset),
        old_(empty_basis(model.columns())),
        settled_(0, model.state().trend.size()) {
    const State& state = model.state();
    if (state.settled.n > 0) {
      old_ = state.basis;
      settled_ = state.settled;
    }
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
  }

  // The gradient with respect to Z is left out unless asked for.
  Slope operator()(const Place& at, bool points, Checkpoint check) const {
    const Kernel& kernel = *at.kernel;
    const Projection onto = projection(old_, *kernel_, kernel, at.Z);
    const Basis& basis = onto.basis;
    check();
    Seen seen;
    see(basis, kernel, X_, check, seen);
    Evidence sums = project(settled_, onto, old_, kernel);
    settle(seen.A, seen.r, S_, trend_.at(X_), sums);
    Adjoint back;
    check();
    Slope out = read_slope(sums, basis, kernel, trend_, at.mean - offset_, at.noise, likelihood_->kappa(),
                           points, back);
    RowSlopes rows(kernel, out.Z.rows(), at.Z.cols());
    for (Index start = 0; start < X_.rows(); start += absorb_block) {
      check();
      const Index count = std::min(absorb_block, X_.rows() - start);
      pull_rows(basis, kernel, trend_, back, X_.middleRows(start, count), S_.middleRows(start, count),
                seen.A.middleCols(start, count), rows);
    }
    if (old_.size() > 0) pull_settled(onto, kernel, back, rows);
    out.kernel += rows.kernel;
    out.Z = in_their_places(out.Z + rows.Z, onto.kept, at.Z.rows());
    return out;
  }

 private:
  void pull_settled(const Projection& onto, const Kernel& kernel, const Adjoint& back, RowSlopes& out) const {
    const Basis& basis = onto.basis;
    const Matrix P = symmetric(settled_.P.view()), HS = settled_.H.view() * trend_.spread();
    const Index q = trend_.active();
    Vector rest = settled_.b.view() - settled_.H.view() * back.trend;
    rest -= back.xi * (P * (onto.S.transpose() * back.a.tail(basis.size())));
    if (q > 0) rest -= back.xi * (HS * back.a.head(q));
    Matrix to_old = back.Q * in_front(HS.transpose(), onto.S * P);
    to_old.noalias() += back.alpha * rest.transpose() / back.phi;
    to_old = to_old.transpose().eval();
    solve_lower_transposed(old_.L.view(), MatrixView(to_old));
    kernel.pull_back(basis.Z.view(), old_.Z.view(), to_old.transpose(), out.kernel, out.Z);
    Matrix old_to_old = -0.5 * back.xi * P, stay(0, old_.Z.cols());
    both_sides(old_, old_to_old);
    kernel.pull_back(old_.Z.view(), old_.Z.view(), old_to_old, out.kernel, stay);
  }

  KernelPtr kernel_;
  LikelihoodPtr likelihood_;
  Trend trend_;
  double offset_;
  Basis old_;  // of the settled rows, and their evidence
  Evidence settled_;
  Matrix X_;  // the rows at hand
  Sites S_;
};

}  // namespace gpstream

#endif
