#include "fit.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "change.h"
#include "compete.h"
#include "density.h"
#include "relearn.h"
#include "scale.h"
#include "settings.h"

namespace gpstream {

namespace {

// The rise of F, relative, that ends a search: so small that where it ends does not depend on the rounding of
// sums, and so on how rows are cut. The last steps are few.
constexpr double fit_tolerance = 1e-13;

// What was left open is learned, also by a model that learns nothing by itself.
Wishes fit_wishes(Wishes wishes) {
  if (wishes.learns == Wishes::nothing) wishes.learns = Wishes::at_first;
  return wishes;
}

}  // namespace

StreamingGP fit_start(const Wishes& given, Memory memory, Moments columns, Checkpoint check) {
  const Wishes wishes = fit_wishes(given);
  const Sample rows = memory.rows();
  require(rows.count() >= few_rows, "input",
          "there must be at least " + std::to_string(static_cast<int>(few_rows)) +
              " rows in all, but there are " + std::to_string(rows.size()) + ".");
  require(varies(rows), "input", "the outputs are all the same, which says nothing of kernel and noise.");
  Settings settings;
  LastSearch last;
  if (open_shape(wishes.kernel)) {
    const LearnedKernel found = learned_kernel(wishes, columns, memory.part(few_learned),
                                               memory.part(many_learned), {}, false, check);
    settings = settings_from(found, wishes, columns, rows, check);
    last = {found.family, found.by_family, found.starts};
  } else {
    settings = settings_for(wishes, rows.X, rows.y);
  }
  StreamingGP out(settings, rows.X.cols());
  out.learner().memory = std::move(memory);
  out.learner().columns = std::move(columns);
  out.learner().last = std::move(last);
  return out;
}

namespace {

// What is open of the kernel that the start has come to: of one that the evidence chose, everything.
GivenKernel fit_given(const StreamingGP& start, const Wishes& wishes) {
  return wishes.any_kernel ? opened(start.kernel().spec()) : wishes.kernel;
}

}  // namespace

KernelSpec closer_kernel(const StreamingGP& start, const Wishes& wishes) {
  return stretched(start.kernel().spec(), fit_given(start, wishes), 0.5, 1.0);
}

StreamingGP fit_search(StreamingGP model, const Wishes& wishes, const Matrix& points, const AnyObjective& F,
                       int steps, Checkpoint check) {
  const Matrix rows = model.state().learner.memory.rows().X;
  const KernelSpec start = model.kernel().spec();
  Matrix all(points.rows() + rows.rows(), rows.cols());
  all << points, rows;
  const FoundKernel found =
      search_kernel(F, points, {start, model.s2(), model.state().mean},
                    open_to_learn(fit_given(model, wishes), !wishes.noise, start),
                    trust_region(search_range(start, all), start, std::numeric_limits<double>::infinity()),
                    steps, nullptr, check, fit_tolerance);
  model.rebase(make_kernel(found.kernel), Matrix(model.points()));  // of a rule that has its points at once
  model.set_scale(found.kernel.variance, found.noise, found.mean);
  if (!wishes.any_rho) return model;
  Settings settings;
  settings.kernel = model.state().kernel;
  settings.noise = found.noise;
  State state = std::move(model).take();
  state.selector = dense_enough(settings, rows, wishes.select, check);
  return StreamingGP(std::move(state));
}

namespace {

// Variance, noise and mean that the evidence likes better; not for what a search leaves that has converged.
void settle_scale(StreamingGP& model, const Wishes& wishes) {
  StreamingGP other = model;
  const double before = model.objective();
  const BestScale best = learn_scale(other, model, open_scale(wishes), true);
  if (best.objective > before + 1e-7 * std::abs(before)) model = std::move(other);
}

}  // namespace

StreamingGP fit_end(StreamingGP model, const Wishes& wishes, const Matrix& points,
                    const SharedObjective::Sums& sums) {
  model.rebase(model.state().kernel, points);
  State state = std::move(model).take();
  const double n = state.learner.memory.seen();
  state.settled = sums({state.kernel, state.basis, state.trend, state.offset});
  require(state.settled.size() == state.size(), "input", "the sums of the shards do not fit the points.");
  state.counters.seen = n;
  state.used = GrowingVector(Vector::Constant(state.size(), n));
  state.factor.forget();
  StreamingGP out(std::move(state));
  settle_scale(out, wishes);
  const double never = std::numeric_limits<double>::infinity();
  out.set_learning({true, false, n, 0.0, wishes.learns == Wishes::nothing ? never : n, 0.0});
  if (wishes.follows()) {
    Learner& learner = out.learner();
    learner.memory.set_limit(wishes.memory);
    learner.learned = n;
    learner.next = next_learning(n, n);
  } else {
    out.learner() = Learner();
  }
  out.note_batch();
  return out;
}

}  // namespace gpstream
