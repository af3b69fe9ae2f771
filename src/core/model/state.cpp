#include "state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "../evidence/forget.h"
#include "../kernels/kernels.h"
#include "half_lives.h"

namespace gpstream {

void Traces::reserve() {
  if (joined.size() == joined.capacity()) joined.reserve(std::max<std::size_t>(16, 2 * joined.size()));
}

Index Traces::left(double at) const {
  return std::count_if(joined.begin(), joined.end(), [&](double since) { return since < at; });
}

bool Traces::is_lost(double at) const {
  return std::any_of(lost.begin(), lost.end(), [&](const Stretch& one) { return one.has(at); });
}

void Traces::lose(double after, double until) {
  if (!(until > after)) return;
  Stretch all{after, until};
  const auto met = [&](const Stretch& one) {
    if (one.after > all.until || one.until < all.after) return false;
    all = {std::min(all.after, one.after), std::max(all.until, one.until)};
    return true;
  };
  std::size_t before = 0;
  do {
    before = lost.size();
    lost.erase(std::remove_if(lost.begin(), lost.end(), met), lost.end());
  } while (lost.size() < before);
  lost.push_back(all);
  if (lost.size() > most_stretches) unite_oldest();
}

void Traces::expect_lost(Index more) {
  lost.reserve(std::min(lost.size() + static_cast<std::size_t>(more), most_stretches + 1));
}

void Traces::lose_all(double seen, Index M) {
  lost.clear();
  lose(0.0, seen);
  joined.assign(static_cast<std::size_t>(M), seen);
}

void Traces::remove(Index j, double seen) {
  lose(joined[static_cast<std::size_t>(j)], seen);
  joined.erase(joined.begin() + j);
}

void Traces::unite_oldest() {
  std::sort(lost.begin(), lost.end(), [](const Stretch& a, const Stretch& b) { return a.after < b.after; });
  lost[1].after = lost[0].after;
  lost.erase(lost.begin());
}

Matrix Traces::lost_matrix() const {
  Matrix out(static_cast<Index>(lost.size()), 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << lost[static_cast<std::size_t>(i)].after, lost[static_cast<std::size_t>(i)].until;
  return out;
}

std::array<double, HistoryEntry::fields> HistoryEntry::values() const {
  return {batch, nobs,    points, scored, squared,   log_score, covered,
          timed, seconds, bound,  alarms, unlearned, correct,   brier};
}

HistoryEntry HistoryEntry::of(const std::array<double, fields>& v) {
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13]};
}

bool HistoryEntry::sound() const {
  for (double count :
       {batch, nobs, points, scored, squared, covered, timed, seconds, alarms, unlearned, correct, brier})
    if (!(std::isfinite(count) && count >= 0)) return false;
  return std::isfinite(log_score) && covered <= scored && correct <= scored && timed <= batch &&
         !std::isinf(bound);
}

void History::reserve() {
  if (kept.size() == kept.capacity())
    kept.reserve(std::min(limit, std::max<std::size_t>(16, 2 * kept.size())));
}

void History::add(double nobs, double points) {
  if (is_kept()) now.bound = std::numeric_limits<double>::quiet_NaN();
  now.batch += 1.0;
  now.nobs = nobs;
  now.points = points;
  if (due() && kept.size() == limit) thin();
  if (due()) kept.push_back(now);
}

void History::note_alarms(double alarms) {
  require(std::isfinite(alarms) && alarms >= 0, "input", "a number of alarms must not be negative.");
  now.alarms = alarms;
  if (is_kept()) kept.back().alarms = alarms;
}

void History::unlearn(double rows) {
  const bool last_is_kept = is_kept();
  now.nobs -= rows;
  now.unlearned += rows;
  if (last_is_kept) kept.back() = now;
}

bool History::sound() const {
  bool ok = now.sound() && kept.size() <= limit && stride >= 1 && std::isfinite(stride);
  double last = 0.0;
  for (const HistoryEntry& one : kept) {
    ok = ok && one.sound() && one.batch > last && one.batch <= now.batch;
    last = one.batch;
  }
  return ok &&
         std::all_of(pit.begin(), pit.end(), [](double count) { return std::isfinite(count) && count >= 0; });
}

void History::thin() {
  for (std::size_t i = 0; 2 * i < kept.size(); ++i) {
    HistoryEntry stays = kept[2 * i];
    if (i > 0 && std::isnan(stays.bound)) stays.bound = kept[2 * i - 1].bound;
    kept[i] = stays;
  }
  kept.resize((kept.size() + 1) / 2);
  stride *= 2.0;
}

State::State(const Settings& settings, Index D)
    : kernel(settings.kernel),
      selector(settings.selector),
      likelihood(settings.likelihood),
      noise(settings.noise),
      mean(settings.mean),
      offset(settings.mean),
      trend(settings.trend),
      basis(empty_basis(D)),
      settled(0, settings.trend.size()),
      open(settings.lookback, D, 0, !settings.likelihood->fixed()),
      bank(Bank::of(settings.half_lives, 0, settings.trend.size())),
      every(settings.every),
      tolerance(settings.tolerance) {
  if (!likelihood->location()) offset = 0.0;
  require(likelihood->fixed() || bank.empty(), "parameter",
          "half-lives can be compared for Gaussian noise only; give one.");
  require(kernel->fits(D), "dimension", "the kernel does not fit the number of columns.");
  const Index support = selector->support();
  require(support == 1 || support <= settings.lookback, "parameter",
          "`support` (" + std::to_string(support) + ") cannot be more than the rows of the look-back.");
  require(trend.fits(D), "parameter",
          "the trend needs columns that there are, with finite centres and positive scales, and one ratio, "
          "not negative, for each of them and the constant.");
  require(settings.fading.half_life > 0 && settings.fading.column < D, "parameter",
          "a half-life must be positive, in rows or in units of a column that there is.");
  open.set_fading(settings.fading);
  require(static_cast<Index>(settings.others.size()) + 1 == likelihood->latents(), "parameter",
          "each latent function needs a variance and a mean.");
  require(outputs() == 1 || selector->spec().name != "greedy", "parameter",
          "the bound that this selector looks at is that of one output.");
  Settings own = settings;
  own.likelihood = make_likelihood("gaussian");  // its sites are made by this one
  own.others.clear();
  for (const LatentScale& one : settings.others) {
    own.kernel = make_kernel(with_variance(kernel->spec(), one.variance));
    own.mean = one.mean;
    own.noise = one.noise.value_or(settings.noise);
    if (one.trend) own.trend.ratio = *one.trend;
    sisters.emplace_back(own, D);
    if (outputs() == 1) sisters.back().offset = 0.0;  // of a latent function that nobody observes
  }
}

const State& State::sharpest() const {
  const State* best = this;
  each_output([&](const State& one) {
    if (one.xi() > best->xi()) best = &one;
  });
  return *best;
}

double State::most_left() const {
  const State& one = sharpest();
  return selector->settles_with(one.kernel->variance(), one.noise_variance());
}

bool State::gather(double most) {
  if (open.count_apart() == 0) return false;
  const Index before = open.count_apart();
  Vector still = apart(*kernel, open.inputs(), open.residuals(), most);
  still = still.size() > 0 ? Vector(still.cwiseProduct(open.apart())) : Vector::Zero(open.size());
  open.set_apart(still);
  return open.count_apart() < before;
}

void State::note_set_aside(const std::vector<Index>& rows, Index held, double seen) {
  for (const Index i : rows) {
    const double at = seen + static_cast<double>(i + 1 + open.limit() - held);
    traces.lose(at - 1.0, at);
  }
  counters.set_aside += static_cast<double>(rows.size());
}

double State::refresh_every() const {
  if (every > 0) return static_cast<double>(every);
  if (open.limit() == unlimited) return std::max(1.0, std::floor(0.1 * static_cast<double>(open.size())));
  return std::max(1.0, static_cast<double>(open.limit()));
}

Index State::stay_open() const {
  const bool twice = !likelihood->fixed() && every == 0 && open.limit() < unlimited / 2;
  return twice ? 2 * open.limit() : open.limit();
}

Span State::resting(Index more) const {
  const Index n = open.size(), leaving = std::max<Index>(n + more - stay_open(), 0);
  const Index known = n - std::min(n, static_cast<Index>(fresh));
  const bool none = every > 0 || leaving == 0 || leaving >= known || 2 * size() <= n + more;
  return none ? Span{0, 0} : Span{leaving, known - leaving};
}

Vector State::times(const ConstMatrixView& X) const {
  if (fading().column != Fading::by_rows) return X.col(fading().column);
  return Vector::LinSpaced(X.rows(), counters.seen + 1.0, counters.seen + static_cast<double>(X.rows()));
}

void take_strand(State& state, std::size_t i) {
  Strand& other = state.bank.strands[i];
  const Fading own = state.fading();
  state.open.set_fading(own.with(other.half_life));
  other.half_life = own.half_life;
  std::swap(state.settled, other.settled);
  std::swap(state.bank.score, other.score);
  state.factor.forget();
  state.learner.glance.resize(0);
}

bool take_half_life(State& state, double half_life) {
  if (state.fading().half_life == half_life) return true;
  for (State& one : state.sisters) take_half_life(one, half_life);
  state.bank.settle(state.fading());
  for (std::size_t i = 0; i < state.bank.strands.size(); ++i)
    if (state.bank.strands[i].half_life == half_life) return take_strand(state, i), true;
  return false;
}

bool same_half_lives(const State& a, State& b) {
  if (a.fading().column != b.fading().column || a.bank.strands.size() != b.bank.strands.size()) return false;
  if (!take_half_life(b, a.fading().half_life)) return false;
  for (std::size_t i = 0; i < a.bank.strands.size(); ++i) {
    const auto same = [&](const Strand& one) { return one.half_life == a.bank.strands[i].half_life; };
    const auto found = std::find_if(b.bank.strands.begin(), b.bank.strands.end(), same);
    if (found == b.bank.strands.end()) return false;
    std::swap(*found, b.bank.strands[i]);
  }
  return true;
}

void bring_to_one_time(State& a, State& b) {
  a.bank.settle(a.fading());
  b.bank.settle(b.fading());
  Fading second = b.fading();
  if (second.column == Fading::by_rows) {
    second.now += a.counters.seen;
    b.bank.now.now += a.counters.seen;
    b.open.set_times(b.open.times().array() + a.counters.seen);
  }
  Fading then = a.fading();
  then.now = std::max(then.now, second.now);
  if (then.fades()) {
    forget(a.fading().left(then), a.settled);
    forget(second.left(then), b.settled);
  }
  a.bank.settle(then);
  b.bank.settle(then);
  a.open.set_fading(then);
  b.open.set_fading(then);
}

}  // namespace gpstream
