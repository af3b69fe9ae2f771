#include "half_life.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "../evidence/forget.h"
#include "../evidence/settle.h"
#include "../model/half_lives.h"
#include "../read/in_front.h"

namespace gpstream {

Foretold foretell_before(const State& state, const Evidence& settled, double half_life, Index count) {
  const Window& open = state.open;
  const Index before = open.size() - count;
  const Vector times = open.times();
  const Fading now = state.fading().with(half_life);
  Fading then = now;
  if (now.column == Fading::by_rows)
    then.now = times(before) - 1.0;
  else
    then.now = before > 0 ? times.head(before).maxCoeff() : times.minCoeff();
  Evidence all = settled;
  if (now.fades()) forget(std::exp2(std::min((now.now - then.now) / half_life, 900.0)), all);
  settle(open.features().leftCols(before), open.residuals(before), open.sites(before, then),
         state.trend.at(open.inputs(before)), all);
  const Scale scale = state.scale();
  const double xi = scale.xi();
  const Matrix C = factor_of(in_front(state.trend, all.Phi, all.H.view(), all.P.view()), xi);
  Vector a = in_front(state.trend, all.s - all.Phi * scale.trend, all.b.view() - all.H.view() * scale.trend);
  solve_lower(C, VectorView(a));
  solve_lower_transposed(C, VectorView(a));
  Newest rows(state, count);
  Matrix& A = rows.A;
  Vector error = rows.y.array() - scale.trend(0);
  error -= xi * (A.transpose() * a);
  solve_lower(C, MatrixView(A));
  const Vector noise = scale.dispersion * rows.om.cwiseInverse();
  const Vector unit = rows.r + A.colwise().squaredNorm().transpose();
  return {error, (scale.v * unit + noise).cwiseSqrt()};
}

namespace {

// Every half-life is scored on the newest rows, and the best becomes the model's own. Returns how that which
// it had foretold them, each output.
std::vector<Foretold> choose_half_life(StreamingGP& model, Index count) {
  Bank& bank = model.bank();
  const State& state = model.state();
  model.settle_bank();
  const double own = state.fading().half_life;
  std::vector<Foretold> out;
  state.each_output([&](const State& one) { out.push_back(foretell_before(one, one.settled, own, count)); });
  if (bank.empty()) return out;
  const Foretold served = in_one(out);
  const double older = std::pow(0.95, static_cast<double>(count) / 20.0);
  const auto noted = [&](double score, const Foretold& rows) {
    return older * score + std::max(rows.log_score(1.0), -1e6);
  };
  const auto worth = [](double score, double half_life) { return score - std::isfinite(half_life); };
  bank.score = noted(bank.score, served);
  double highest = worth(bank.score, own), top = bank.score;
  std::size_t best = bank.strands.size();
  for (std::size_t i = 0; i < bank.strands.size(); ++i) {
    Strand& one = bank.strands[i];
    std::vector<Foretold> each;
    state.each_output([&](const State& output) {
      each.push_back(foretell_before(output, output.bank.strands[i].settled, one.half_life, count));
    });
    one.score = noted(one.score, in_one(each));
    top = std::max(top, one.score);
    if (!(worth(one.score, one.half_life) > highest)) continue;
    highest = worth(one.score, one.half_life);
    best = i;
  }
  bank.score -= top;
  for (Strand& one : bank.strands) one.score -= top;
  if (best < bank.strands.size()) model.take_strand(best);
  return out;
}

// The noise, where it is open, follows the errors of a model that forgets: rows that count less and less say
// too little of it. It never vanishes beside the kernel, as it does not where it is learned.
void follow_noise(StreamingGP& model, const Foretold& rows) {
  if (!model.state().fading().fades() || rows.sd.size() == 0) return;
  const double off = rows.z().array().square().mean() - 1.0;
  const double step = 0.005 * static_cast<double>(rows.sd.size()) * std::min(std::max(off, -1.0), 1.0);
  const double least = std::min(model.s2(), 1e-6 * model.v());
  model.set_scale(model.v(), std::max(model.s2() * std::exp(step), least), model.state().mean);
}

}  // namespace

std::vector<Foretold> foretell_and_choose(StreamingGP& model, bool open_noise) {
  const Index count = score_block(model.state());
  if (!model.state().fades()) {
    std::vector<Foretold> out;
    for (Index k = 0; k < model.outputs(); ++k) out.push_back(foretell(model.latent(k), count));
    return out;
  }
  const std::vector<Foretold> out = choose_half_life(model, count);
  if (open_noise)
    model.each_output(
        [&](StreamingGP& one, Index k) { follow_noise(one, out[static_cast<std::size_t>(k)]); });
  return out;
}

void keep_half_life(const State& from, State& to) {
  take_half_life(to, from.fading().half_life);
  to.bank.score = from.bank.score;
  for (Strand& one : to.bank.strands)
    for (const Strand& other : from.bank.strands)
      if (one.half_life == other.half_life) one.score = other.score;
}

}  // namespace gpstream
