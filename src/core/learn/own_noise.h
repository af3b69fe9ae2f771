// The noise from the model's own evidence.  [derivation 3] A kernel is learned from a few hundred rows, and
// so is the noise that comes with it, to within a tenth; the model holds all the rows it was fed with, and
// knows better. Only the noise: what points that left have settled was so for the amplitude of then.
#ifndef GPSTREAM_LEARN_OWN_NOISE_H
#define GPSTREAM_LEARN_OWN_NOISE_H

#include "change.h"
#include "compete.h"

namespace gpstream {

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

// An output takes the noise that its rows ask for, where these are more than `few`, hardly any of them counts
// less than it should, and it is about that which was learned from those few.
inline void take_own_noise(StreamingGP& model, double learned, double few) {
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

// All outputs of a model do.
inline void take_own_noises(StreamingGP& model, const LearnedKernel& found, double few) {
  model.each_output([&](StreamingGP& one, Index k) {
    take_own_noise(one, k == 0 ? found.noise : found.others[static_cast<std::size_t>(k - 1)].noise, few);
  });
}

// The noise of these rows, of each output, for a model that has too few points for the noise as it was
// learned: what these leave of a row is noise to it.
inline Vector noise_to_points(Settings settings, const Sample& rows, Checkpoint check) {
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

}  // namespace gpstream

#endif
