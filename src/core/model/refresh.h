// Rows whose sites depend on the posterior: a batch is absorbed with sites that agree with what is known
// after it; once in a look-back of rows those of all open rows are made anew with it, and only then rows
// settle, each having been looked at again with at least as many later rows as the look-back has.
// [derivation 20]
#ifndef GPSTREAM_MODEL_REFRESH_H
#define GPSTREAM_MODEL_REFRESH_H

#include "../evidence/forget.h"
#include "../evidence/refresh.h"
#include "streaming_gp.h"

namespace gpstream {

constexpr Index refresh_block = 4096;                  // rows of a batch whose sites are sought together
constexpr int steps_alone = 20, steps_together = 100;  // at most, for sites to come to stand still

// A posterior: its factor C and C^-1 b, the trend in front.
struct Base {
  std::unique_ptr<const Matrix> own;  // where C is not the model's
  ConstMatrixView C;
  Vector u;
};

// What the settled rows say by then and, where they are `with` them, the open ones.
inline Base base_of(const StreamingGP& model, bool with_open, const Fading& then) {
  const State& state = model.state();
  const double left = state.fading().left(then);
  std::optional<Evidence> faded;
  if (left != 1.0) forget(left, faded.emplace(state.settled));
  const Evidence& settled = faded ? *faded : state.settled;
  std::optional<Window> none;
  if (!with_open || left != 1.0)
    none.emplace(with_open ? state.open : Window(0, state.columns(), state.size(), state.open.tells()))
        .set_fading(then);
  const Window& rows = none ? *none : state.open;
  std::unique_ptr<const Matrix> own;
  if (none) own = std::make_unique<const Matrix>(factor_of(total_P(settled, rows, state.trend), state.xi()));
  const ConstMatrixView C = own ? ConstMatrixView(*own) : model.factor();
  Vector u = centred_b(settled, rows, state.trend, state.scale());
  solve_lower(C, VectorView(u));
  return {std::move(own), C, std::move(u)};
}

// Rows as they are seen from a base.
inline Active active_rows(const State& state, const Base& base, const ConstMatrixView& X,
                          const ConstMatrixView& A, const Vector& r, Responses rows, Vector counts) {
  Matrix W = in_front(state.trend.features(X), A);
  solve_lower(base.C, MatrixView(W));
  Vector f0 = state.xi() * (W.transpose() * base.u);
  f0.array() += state.mean - state.offset;
  return {std::move(rows), std::move(counts), std::move(W), std::move(f0), state.kernel->variance() * r};
}

inline Vector counts_of(const Fading& then, const Vector& times, const Vector& lie_apart) {
  Vector out = then.fades() ? then.shares(times) : Vector::Ones(times.size());
  if (lie_apart.size() > 0) out.array() *= 1.0 - lie_apart.array();
  return out;
}

// The sites of the batch, whose rows are in seen_; where it is due those of the open rows are made anew with
// them, and come first.
inline Sites StreamingGP::agree(const ConstMatrixView& X, const Responses& batch, const Vector& times,
                                const Vector& lie_apart, bool due, Checkpoint check) const {
  const Window& open = state_.open;
  const Likelihood& likelihood = *state_.likelihood;
  const Fading then = open.fading().after(times);
  const Vector counts = counts_of(then, times, lie_apart);
  check();
  // Alone with all that is known; where all rows are to agree anew, with what has settled alone, unless where
  // one begins could matter.
  const bool all = due && open.size() > 0;
  const Base base = base_of(*this, !all || likelihood.bounds(), then);
  Active active = active_rows(state_, base, X, seen_.A, seen_.r, batch, counts);
  Sites S = sites_alone(likelihood, active, v(), s2(), steps_alone);
  if (all) {
    const Index have = open.size(), n = have + batch.size();
    Matrix inputs(n, columns()), features(size(), n);
    Vector left(n), count(n);
    Sites sites(n, site::columns);
    inputs << open.inputs(), X;
    features << open.features(), seen_.A;
    left << open.residuals(), seen_.r;
    count << counts_of(then, open.times(), open.apart()), counts;
    sites << open.own_sites(), S;
    check();
    const std::optional<Base> settled =
        likelihood.bounds() ? std::optional<Base>(base_of(*this, false, then)) : std::nullopt;
    active = active_rows(state_, settled ? *settled : base, inputs, features, left,
                         joined(open.responses(), batch), count);
    S = std::move(sites);
  }
  check();
  return refreshed(likelihood, active, v(), s2(), std::move(S), state_.tolerance, steps_together).sites;
}

inline void StreamingGP::refresh(Checkpoint check, double tolerance) {
  const Window& open = state_.open;
  if (state_.likelihood->fixed() || open.size() == 0) return;
  const Fading& now = open.fading();
  const Active active =
      active_rows(state_, base_of(*this, false, now), open.inputs(), open.features(), open.residuals(),
                  open.responses(), counts_of(now, open.times(), open.apart()));
  check();
  const Sites anew = refreshed(*state_.likelihood, active, v(), s2(), open.own_sites(),
                               std::min(tolerance, state_.tolerance), steps_together)
                         .sites;
  state_.open.set_sites(anew);
  state_.fresh = 0.0;
  forget_posterior();
}

}  // namespace gpstream

#endif
