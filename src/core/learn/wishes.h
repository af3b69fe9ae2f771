// What the user gave a model, and what was left open for it to learn.
#ifndef GPSTREAM_LEARN_WISHES_H
#define GPSTREAM_LEARN_WISHES_H

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../evidence/fading.h"
#include "../evidence/trend.h"
#include "../kernels/kernel.h"
#include "../likelihoods/likelihood.h"
#include "../likelihoods/likelihoods.h"
#include "../likelihoods/responses.h"
#include "../linear/types.h"
#include "../model/state.h"
#include "../model/streaming_gp.h"
#include "../select/selector.h"
#include "given.h"
#include "moments.h"
#include "sample.h"

namespace gpstream {

struct Wishes {
  enum Learns { nothing, at_first, always };

  GivenKernel kernel;
  std::optional<double> noise, mean;
  std::vector<std::optional<double>> noises = {}, means = {};  // of further outputs; none: those of the first
  SelectorSpec select;
  bool any_kernel = false;  // may the evidence choose its family, too?
  bool any_rho = false;     // may learning choose it?
  // The slopes of a linear trend: none, with a prior variance that is learned, or with a wide one.
  enum Slopes { flat, learned, wide };
  Slopes slopes = flat;
  std::vector<Index> trend_columns;  // none: all
  std::optional<Trend> trend;        // all of it, where it is known
  Index lookback = 100, warmup = 200, memory = 1000;
  Learns learns = nothing;
  bool calibrate = true;  // are intervals corrected by what they missed?
  double half_life = std::numeric_limits<double>::infinity();
  Index half_life_column = Fading::by_rows;
  bool any_half_life = false;  // is it to be found?
  std::vector<Index> groups;   // of the columns: those of one group have one lengthscale
  LikelihoodPtr likelihood = make_likelihood("gaussian");
  std::vector<std::string> open_likelihood = {};  // those of its parameters that are to be learned

  // What was wished for of output k.
  std::optional<double> noise_of(Index k) const;
  std::optional<double> mean_of(Index k) const;

  // Is there something to learn that the evidence alone cannot tell?
  bool needs_rows() const { return learns != nothing && open_shape(kernel); }
  // Does the model go on learning its kernel?
  bool follows() const;
};

// How the model forgets. Half-lives to choose from, in rows, are each about a quarter of the one before: what
// lies between costs little.
void set_forgetting(const Wishes& wishes, Settings& out);

constexpr double few_rows = 10;  // below this number, the heuristics

Sample open_rows(const StreamingGP& model);

constexpr double noise_share = 0.01;  // of the noise that points may leave of a row

// With the limit that was wished for, what happens when it is reached, and the support a point needs.
SelectorSpec by_noise(double tol, const SelectorSpec& wished);

// A trend in the columns that are wished for, with the prior variances of its coefficients over that of the
// kernel: next to nothing is known of them where they are `wide`.
constexpr double wide_variance = 100;  // in units of the outputs' own
Trend trend_in(const Wishes& wishes, const Moments& columns, double constant, double slope);

// Columns that had no spread so far: what happens when one varies, a level of a factor comes that was not
// there say, no row has told. Of those that a kernel or the trend looks at; of a factor's columns, of which
// one is 1, those that are 0.
std::vector<Index> untold_columns(const Wishes& wishes, const KernelSpec& kernel, const Moments& columns);

// What such a column does, by as much as its size, is about as uncertain as y: as a coefficient of that prior
// variance (over the kernel's), until it has varied and more is learned.
Trend with_untold(Trend trend, const std::vector<Index>& untold, const Moments& columns, double spread);

// Outputs on the scale of f, as far as rows tell by themselves.
Vector latent_outputs(const Wishes& wishes, const ConstVectorView& y, const Told& told);

// Where f is expected before anything is learned, by such outputs. Of the functions of classes none is
// preferred to another.
double centre_of(const Likelihood& likelihood, const Vector& y);

// Where an output was observed.
Vector observed(const ConstVectorView& y);

// Does a parameter have the units of y?
inline bool likelihood_in_units(const Likelihood& likelihood) {
  return likelihood.location() && likelihood.kappa() == 0.0;
}

LikelihoodPtr with_parameter(const Likelihood& likelihood, const std::string& name, double value);

// Outputs in the unit of f whose differences have no squares would pass for equal.
void require_spread(const Likelihood& likelihood, const ConstVectorView& y);

// A model's settings with everything that is open taken from rows.
Settings settings_for(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& outputs,
                      const Told& told = Told());

}  // namespace gpstream

#endif
