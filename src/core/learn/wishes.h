// What the user gave a model, and what was left open for it to learn.
#ifndef GPSTREAM_LEARN_WISHES_H
#define GPSTREAM_LEARN_WISHES_H

#include "../model/update.h"
#include "given.h"

namespace gpstream {

struct Wishes {
  enum Learns { nothing, at_first, always };

  GivenKernel kernel;
  std::optional<double> noise, mean;
  SelectorSpec select;
  bool any_rho = false;  // may the warm-up choose it?
  Index lookback = 100, warmup = 200;
  Learns learns = nothing;

  // Is there something to learn that the evidence alone cannot tell?
  bool needs_rows() const { return learns != nothing && open_shape(kernel); }
};

constexpr double few_rows = 10;     // below this number, the heuristics
constexpr double online_rows = 50;  // the kernel is tried again when so many new rows have come; after a step
                                    // that was refused, twice as many

// Rows with outputs and weights. A batch, or the rows that a model still has.
struct Sample {
  Matrix X;
  Vector y, weights;

  Index size() const { return y.size(); }
  double count() const { return static_cast<double>(y.size()); }
};

inline Sample open_rows(const StreamingGP& model) {
  const Window& open = model.state().open;
  return {open.inputs(), open.outputs().array() + model.state().offset, open.sites().col(site::om)};
}

inline Sample both(const Sample& a, const Sample& b) {
  Sample out{Matrix(a.size() + b.size(), b.X.cols()), Vector(a.size() + b.size()),
             Vector(a.size() + b.size())};
  out.X << a.X, b.X;
  out.y << a.y, b.y;
  out.weights << a.weights, b.weights;
  return out;
}

inline Sample part_of(const Sample& all, Index most) {
  const std::vector<Index> some = spread_rows(all.size(), most);
  return {rows_of(all.X, some), entries_of(all.y, some), entries_of(all.weights, some)};
}

// A model's settings with everything that is open taken from rows.
inline Settings settings_for(const Wishes& wishes, const ConstMatrixView& X, const ConstVectorView& y) {
  const double v = output_variance(y);
  Settings out;
  out.kernel = make_kernel(resolve(wishes.kernel, X, v));
  out.selector = make_selector(wishes.select);
  out.noise = wishes.noise.value_or(0.1 * v);
  out.mean = wishes.mean.value_or(y.size() > 0 ? y.mean() : 0.0);
  out.lookback = wishes.lookback;
  return out;
}

}  // namespace gpstream

#endif
