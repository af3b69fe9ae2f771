#include "refresh.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "../evidence/forget.h"
#include "../evidence/refresh.h"
#include "../linear/linalg.h"
#include "../read/in_front.h"
#include "../read/totals.h"
#include "streaming_gp.h"

namespace gpstream {

namespace {

// rows of a batch whose sites are sought together
constexpr int steps_alone = 20, steps_together = 500;

// at most, for sites to come to stand still

// A posterior: its factor C and C^-1 b, the trend in front.
struct Base {
  std::unique_ptr<const Matrix> own;  // where C is not the model's
  ConstMatrixView C;
  Vector u;
};

// What the settled rows say by then, and these of the open ones.
Base base_of(const State& state, const Span& with, const Fading& then) {
  const double left = state.fading().left(then);
  const bool all = with.count == state.open.size();
  std::optional<Evidence> faded;
  if (left != 1.0) forget(left, faded.emplace(state.settled));
  const Evidence& settled = faded ? *faded : state.settled;
  std::optional<Window> some;
  if (!all || left != 1.0) some.emplace(state.open.part(with)).set_fading(then);
  const Window& rows = some ? *some : state.open;
  std::unique_ptr<const Matrix> own;
  if (some) own = std::make_unique<const Matrix>(factor_of(total_P(settled, rows, state.trend), state.xi()));
  const ConstMatrixView C =
      own ? ConstMatrixView(*own) : state.factor.read(state.settled, state.open, state.trend, state.xi());
  Vector u = centred_b(settled, rows, state.trend, state.scale());
  solve_lower(C, VectorView(u));
  return {std::move(own), C, std::move(u)};
}

// f(state of a latent function, its number), for all of them.
template <class Function>
void each_function(const State& state, const Function& f) {
  f(state, 0);
  for (std::size_t k = 0; k < state.sisters.size(); ++k) f(state.sisters[k], static_cast<Index>(k) + 1);
}

// Rows as they are seen from what is known of each function by the settled rows and these open ones.
Active active_rows(const State& lead, const Span& with, const Fading& then, const ConstMatrixView& X,
                   const ConstMatrixView& A, const Vector& r, Responses rows, Vector counts) {
  const Index n = X.rows(), K = lead.likelihood->latents();
  Active out{std::move(rows), std::move(counts), {}, Vector(n * K), Vector(n * K)};
  each_function(lead, [&](const State& state, Index k) {
    const Base base = base_of(state, with, then);
    Matrix W = in_front(state.trend.features(X), A);
    solve_lower(base.C, MatrixView(W));
    out.f0.segment(k * n, n) = state.xi() * (W.transpose() * base.u);
    out.f0.segment(k * n, n).array() += state.mean - state.offset;
    out.left.segment(k * n, n) = state.kernel->variance() * r;
    out.functions.push_back({std::move(W), state.kernel->variance()});
  });
  return out;
}

// The sites of the open rows that do not rest, one function after the other, and those of a batch behind
// them.
Sites open_sites(const State& state, const Span& resting, const Sites& batch) {
  const Index K = state.likelihood->latents(), B = batch.rows() / K, have = state.open.size() - resting.count;
  Sites out(K * (have + B), site::columns);
  each_function(state, [&](const State& one, Index k) {
    const Sites own = one.open.own_sites();
    out.middleRows(k * (have + B), have + B) << own.topRows(resting.from),
        own.bottomRows(have - resting.from), batch.middleRows(k * B, B);
  });
  return out;
}

// The same with those that rest between them.
Sites with_resting(const State& state, const Span& resting, const Sites& others) {
  const Index K = state.likelihood->latents(), n = others.rows() / K, all = n + resting.count;
  Sites out(K * all, site::columns);
  each_function(state, [&](const State& one, Index k) {
    const auto found = others.middleRows(k * n, n);
    out.middleRows(k * all, all) << found.topRows(resting.from),
        one.open.own_sites().middleRows(resting.from, resting.count), found.bottomRows(n - resting.from);
  });
  return out;
}

}  // namespace

Sites part_of_sites(const Sites& sites, Index K, Index from, Index count) {
  const Index n = sites.rows() / K;
  Sites out(K * count, site::columns);
  for (Index k = 0; k < K; ++k) out.middleRows(k * count, count) = sites.middleRows(k * n + from, count);
  return out;
}

void set_open_sites(const Sites& sites, State& state) {
  const Index n = state.open.size();
  state.open.set_sites(sites.topRows(n));
  for (std::size_t k = 0; k < state.sisters.size(); ++k)
    state.sisters[k].open.set_sites(sites.middleRows((static_cast<Index>(k) + 1) * n, n));
}

namespace {

// The last of them alone.
Active last_of(const Active& all, const Responses& rows, const Vector& counts) {
  const Index n = all.size(), B = rows.size();
  Active out{rows, counts, {}, Vector(B * all.latents()), Vector(B * all.latents())};
  for (Index k = 0; k < all.latents(); ++k) {
    const FromBase& f = all.functions[static_cast<std::size_t>(k)];
    out.functions.push_back({f.W.rightCols(B), f.v});
    out.f0.segment(k * B, B) = all.f0.segment((k + 1) * n - B, B);
    out.left.segment(k * B, B) = all.left.segment((k + 1) * n - B, B);
  }
  return out;
}

Vector counts_of(const Fading& then, const Vector& times, const Vector& lie_apart) {
  Vector out = then.fades() ? then.shares(times) : Vector::Ones(times.size());
  if (lie_apart.size() > 0) out.array() *= 1.0 - lie_apart.array();
  return out;
}

}  // namespace

// The sites of the batch, whose rows are in seen_; where it is due those of the open rows are made anew with
// them, and come first. One latent function after the other.
Sites StreamingGP::agree(const ConstMatrixView& X, const Responses& batch, const Vector& times,
                         const Vector& lie_apart, bool due, Checkpoint check) const {
  const Likelihood& likelihood = *state_.likelihood;
  const Span everything{0, state_.open.size()};
  const Fading then = state_.fading().after(times);
  const Vector counts = counts_of(then, times, lie_apart);
  check();
  // Alone with all that is known; where rows are to agree anew, with what is known besides these, unless
  // where one begins could matter.
  const bool again = due && everything.count > 0;
  const Span resting = again ? state_.resting(batch.size()) : everything;
  Active active;
  if (again) {
    const Window open = state_.open.without(resting);
    const Index n = open.size() + batch.size();
    Matrix inputs(n, columns()), features(size(), n);
    Vector left(n), count(n);
    inputs << open.inputs(), X;
    features << open.features(), seen_.A;
    left << open.residuals(), seen_.r;
    count << counts_of(then, open.times(), open.apart()), counts;
    active =
        active_rows(state_, resting, then, inputs, features, left, joined(open.responses(), batch), count);
    check();
  }
  const Active alone = again && !likelihood.bounds()
                           ? last_of(active, batch, counts)
                           : active_rows(state_, everything, then, X, seen_.A, seen_.r, batch, counts);
  Sites S = sites_alone(likelihood, alone, s2(), steps_alone);
  check();
  if (again) S = open_sites(state_, resting, S);
  S = refreshed(likelihood, again ? active : alone, s2(), std::move(S), state_.tolerance, steps_together)
          .sites;
  return again ? with_resting(state_, resting, S) : S;
}

void StreamingGP::refresh(Checkpoint check, double tolerance) {
  const Window& open = state_.open;
  if (state_.likelihood->fixed() || open.size() == 0) return;
  const Fading& now = open.fading();
  const Span none{0, 0};
  const Active active = active_rows(state_, none, now, open.inputs(), open.features(), open.residuals(),
                                    open.responses(), counts_of(now, open.times(), open.apart()));
  check();
  const Agreement found =
      refreshed(*state_.likelihood, active, s2(), open_sites(state_, none, Sites(0, site::columns)),
                std::min(tolerance, state_.tolerance), steps_together);
  set_open_sites(found.sites, state_);
  state_.fresh = 0.0;
  for (State& one : state_.sisters) one.factor.forget();
  forget_posterior();
}

}  // namespace gpstream
