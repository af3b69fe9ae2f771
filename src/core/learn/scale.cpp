#include "scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "../linear/require.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "../read/in_front.h"
#include "../read/objective.h"
#include "../read/posterior.h"
#include "../read/scale.h"
#include "../read/totals.h"
#include "../select/selector.h"
#include "../select/selectors.h"
#include "change.h"
#include "compete.h"
#include "golden.h"
#include "own_noise.h"
#include "sample.h"

namespace gpstream {

namespace {

// How far, by its logarithm, the noise of a few hundred rows may be from that of all: three standard errors.
// What is farther away is no error of chance, and the rows at hand are to be believed.
constexpr double noise_reach = 0.3;

// The bound as a function of the noise, all else as it is.
class NoiseObjective {
 public:
  explicit NoiseObjective(const StreamingGP& model)
      : model_(model),
        sums_(model.totals()),
        P_(total_P(model.state().settled, model.state().open, model.state().trend)) {}

  double operator()(double log_noise) const {
    const State& state = model_.state();
    Scale scale = state.scale();
    scale.dispersion = std::exp(log_noise);
    const Matrix C = factor_of(P_, scale.xi());
    const Vector b = in_front(state.trend, sums_.centred_s(scale), sums_.centred(scale));
    const PosteriorWeights weights(state.basis, C, b, scale.xi());
    return objective(C, b, weights.a, sums_, scale, state.likelihood->kappa());
  }

 private:
  const StreamingGP& model_;
  Totals sums_;
  Matrix P_;
};

// Where a parabola through three places around `at` is highest; beyond them where it is not between.
template <class F>
double parabola_top(const F& value, double at, double step) {
  const double left = value(at - step), middle = value(at), right = value(at + step);
  const double bend = left - 2.0 * middle + right;
  if (!(bend < 0)) return left > right ? at - 2.0 * step : at + 2.0 * step;
  return at + 0.5 * step * (left - right) / bend;
}

}  // namespace

void take_own_noise(StreamingGP& model, double learned, double few) {
  const double n = model.totals().n;
  if (n <= few || model.state().fading().fades() || model.state().counters.set_aside > 0.01 * n) return;
  const NoiseObjective value(model);
  const double from = std::log(learned);
  double best = parabola_top(value, from, noise_reach);
  if (!(std::abs(best - from) < noise_reach)) return;
  best = parabola_top(value, best, 0.1 * noise_reach);
  if (!(std::abs(best - from) < noise_reach)) return;
  model.set_scale(model.v(), std::exp(best), model.state().mean);
}

void take_own_noises(StreamingGP& model, const LearnedKernel& found, double few) {
  model.each_output([&](StreamingGP& one, Index k) {
    take_own_noise(one, k == 0 ? found.noise : found.others[static_cast<std::size_t>(k - 1)].noise, few);
  });
}

Vector noise_to_points(Settings settings, const Sample& rows, Checkpoint check) {
  SelectorSpec plain = settings.selector->spec();
  plain.words.erase("left");
  settings.selector = make_selector(plain);
  StreamingGP model(settings, rows.X.cols());
  model.update(rows.X, rows.y, check, false, rows.weights, Vector(), rows.told);
  Vector out(model.outputs());
  for (Index k = 0; k < out.size(); ++k) {
    const StreamingGP& one = model.latent(k);
    const ScaleValues now{one.v(), one.s2(), one.state().mean};
    out(k) = learned_scale(scale_sums(one), now, {false, true, false}, true).scale.noise;
  }
  return out;
}

namespace {

// F at its maximum over the noise and the mean, where these are open, for a given xi; of outputs measured in
// units of which the square is `unit`.
BestScale profile_scale(double xi, const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open,
                        double unit = 1.0) {
  const Eigen::ArrayXd shrink = xi / (1.0 + xi * sums.lambda.array());
  const double yy = sums.yy - (shrink * sums.g.array().square()).sum();
  const double y1 = sums.sg - (shrink * sums.g.array() * sums.q.array()).sum();
  const double one = sums.so - (shrink * sums.q.array().square()).sum();
  const double shift = open.mean ? y1 / one : now.mean - sums.offset;
  const double rss = yy - 2.0 * shift * y1 + shift * shift * one;
  double noise = now.noise;
  if (open.noise)
    noise = open.variance ? std::max(rss, 1e-14 * sums.yy) / (2.0 * sums.kappa * sums.n) : now.variance / xi;
  const double F = sums.con - 0.5 * (xi * sums.lambda.array()).log1p().sum() -
                   sums.kappa * sums.n * std::log(noise / unit) - 0.5 * rss / noise - 0.5 * xi * sums.tau;
  return {{open.variance ? xi * noise : now.variance, noise, open.mean ? sums.offset + shift : now.mean}, F};
}

}  // namespace

double scale_objective(const ScaleSums& sums, const ScaleValues& at) {
  return profile_scale(at.variance / at.noise, sums, at, {false, false, false}).objective;
}

BestScale best_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open) {
  require(sums.kappa > 0 || !open.noise, "input", "this likelihood has no noise to learn.");
  if (!open.variance && !open.noise) return profile_scale(now.variance / now.noise, sums, now, open);
  const auto value = [&](double log_xi) {
    return profile_scale(std::exp(log_xi), sums, now, open, now.noise).objective;
  };
  const double largest = sums.lambda.size() > 0 ? std::max(sums.lambda.maxCoeff(), 0.0) : 0.0;
  const double row = sums.so > 0 ? sums.so / sums.n : 1.0;
  const double most = std::min(1e10 / row, 0.01 / (std::numeric_limits<double>::epsilon() * largest));
  constexpr int count = 80;
  const double from = std::log(1e-8 / row), step = (std::log(most) - from) / (count - 1);
  int top = -1;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const double here = value(from + i * step);
    if (here > highest) {
      top = i;
      highest = here;
    }
  }
  if (top < 0) return {now, highest};  // sums beyond all range
  const double best = golden_section(value, from + std::max(top - 1, 0) * step,
                                     from + std::min(top + 1, count - 1) * step, 1e-10);
  BestScale out = profile_scale(std::exp(best), sums, now, open);
  out.no_signal = top == 0;
  out.no_noise = top == count - 1;
  return out;
}

const char* nothing_to_scale(const ScaleSums& sums, const ScaleValues& now, const ScaleOpen& open) {
  if (sums.n < 2) return "one observation says nothing of the variance and the noise.";
  if (sums.kappa == 0) return nullptr;  // the sums of such a likelihood are no squares
  const double shift = open.mean ? sums.sg / sums.so : now.mean - sums.offset;
  const double about_mean = sums.yy - 2.0 * shift * sums.sg + sums.so * shift * shift;
  if (about_mean > 1e-14 * sums.yy) return nullptr;
  return "the outputs so far all equal the mean, which says nothing of the variance and the noise.";
}

BestScale learned_scale(const ScaleSums& sums, const ScaleValues& now, ScaleOpen open, bool quiet) {
  const BestScale before{now, scale_objective(sums, now)};
  if (!open.any()) return before;
  if (const char* nothing = nothing_to_scale(sums, now, open)) {
    require(quiet, "input", nothing);
    return before;
  }
  BestScale best = best_scale(sums, now, open);
  const double average = sums.sg / sums.so, spread = sums.yy / sums.so - average * average;
  if (quiet && open.mean && sums.kappa > 0 &&
      std::abs(best.scale.mean - sums.offset - average) > std::sqrt(std::max(spread, 0.0))) {
    open.mean = false;
    best = best_scale(sums, {now.variance, now.noise, sums.offset + average}, open);
  }
  if (!(best.objective >= before.objective)) best.scale = now, best.objective = before.objective;
  return best;
}

}  // namespace gpstream
