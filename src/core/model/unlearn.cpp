#include "unlearn.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../evidence/unlearn.h"
#include "../learn/spread.h"

namespace gpstream {

namespace {

// "row 3", counted from 1.
std::string row_name(Index i) { return "row " + std::to_string(i + 1); }

// Which open rows have this output, NaN where it was not observed, and this weight? A merge may have rounded
// the output.
void require_output(const Window& open, double y, double offset, double weight, std::vector<char>& same) {
  const Vector outputs = open.outputs(),
               om = open.tells() ? open.responses().weights : Vector(open.own_sites().col(site::om));
  const double rounding = 1e-15 * (std::abs(y) + std::abs(offset)) * 8.0;
  for (Index i = 0; i < open.size(); ++i) {
    const bool missing = std::isnan(y) && std::isnan(outputs(i));
    const bool alike =
        missing || (std::abs(outputs(i) - y) <= rounding && (std::isnan(weight) || om(i) == weight));
    if (!alike) same[static_cast<std::size_t>(i)] = 0;
  }
}

// The oldest open row with these inputs and outputs, measured from the offsets.
Index open_row(const State& state, const ConstVectorView& x, double y, const RowVector& others,
               double weight) {
  const Matrix X = state.open.inputs();
  std::vector<char> same(static_cast<std::size_t>(state.open.size()), 1);
  for (Index i = 0; i < X.rows(); ++i)
    if (!(X.row(i).transpose().array() == x.array()).all()) same[static_cast<std::size_t>(i)] = 0;
  require_output(state.open, y, state.offset, weight, same);
  for (Index k = 0; k < others.size(); ++k) {
    const State& one = state.sisters[static_cast<std::size_t>(k)];
    require_output(one.open, others(k), one.offset, weight, same);
  }
  const auto found = std::find(same.begin(), same.end(), 1);
  return found == same.end() ? -1 : found - same.begin();
}

// With how many points a row was seen that left when `at` rows had come.
Index points_then(const State& state, double at, Index i) {
  const double seen = state.counters.seen, limit = static_cast<double>(state.open.limit());
  const Traces& traces = state.traces;
  require(at == std::floor(at) && at <= seen, "input",
          "`at` of " + row_name(i) + " must be a whole number of rows that have come, at most " +
              std::to_string(static_cast<long long>(seen)) +
              "; a row that is still in the look-back needs none.");
  require(at > limit, "input",
          "`at` of " + row_name(i) + " cannot be: when so few rows had come, none had left the look-back.");
  require(!traces.is_taken(at), "unlearn", row_name(i) + " was unlearned before.");
  require(!traces.is_lost(at), "unlearn",
          row_name(i) +
              " cannot be taken out: since it left the look-back, rows were forgotten, points it was seen "
              "with were "
              "moved or removed, the kernel was changed, models with other points were merged, or the model "
              "was made anew or by an earlier version.");
  return traces.left(at);
}

}  // namespace

StreamingGP unlearned(const StreamingGP& model, const Sample& rows, const Vector& at) {
  const Vector y = model.centred(rows.X, rows.y);
  const Matrix others = model.centred(rows.y, rows.told).others;
  require(at.size() == rows.size() && rows.weights.size() == rows.size(), "dimension",
          "each row to unlearn needs an `at` and a weight.");
  State state = model.state();
  const bool counted = state.fading().column != Fading::by_rows || !state.fades() ||
                       (state.counters.unlearned == 0 && state.counters.set_aside == 0);
  std::vector<Index> left, settled;
  for (Index i = 0; i < rows.size(); ++i) {
    if (!std::isnan(at(i))) {
      require(counted, "unlearn",
              row_name(i) +
                  " cannot be taken out: what a row counts by now depends on its number, which is not "
                  "known any more once rows were unlearned or set aside.");
      left.push_back(points_then(state, at(i), i));
      settled.push_back(i);
      state.traces.taken.push_back(at(i));
      continue;
    }
    const Index found = open_row(state, rows.X.row(i).transpose(), y(i),
                                 others.size() > 0 ? RowVector(others.row(i)) : RowVector(), rows.weights(i));
    require(found >= 0, "unlearn",
            row_name(i) +
                " is not in the look-back. If it has left, say when, by `at`: the number of rows that "
                "had come by then.");
    state.open.remove(found);
    for (State& one : state.sisters) one.open.remove(found);
  }
  if (!settled.empty()) {
    require(state.likelihood->fixed(), "unlearn",
            "a row that has left the look-back cannot be taken out: what it said depends on what was known "
            "then.");
    const Matrix X = rows_of(rows.X, settled);
    Vector weights = entries_of(rows.weights, settled);
    weights = weights.array().isNaN().select(1.0, weights);
    Responses taken{entries_of(y, settled), weights};
    if (others.size() > 0) taken.others = rows_of(others, settled);
    const Sites all = state.likelihood->sites(taken, Latent(), 1.0);
    const Vector times =
        state.fading().column == Fading::by_rows
            ? Vector(entries_of(at, settled).array() - static_cast<double>(state.open.limit()))
            : Vector(X.col(state.fading().column));
    const auto taken_out = [&](State& from, const Sites& own) {
      from.bank.settle(from.fading());
      const auto taken_from = [&](Evidence& evidence, double half_life) {
        const Sites sites = from.fading().with(half_life).shares(times).asDiagonal() * own;
        return unlearn(from.basis, *from.kernel, X, sites, from.trend.at(X), left, evidence);
      };
      bool possible = taken_from(from.settled, from.fading().half_life);
      for (Strand& one : from.bank.strands) possible = possible && taken_from(one.settled, one.half_life);
      return possible;
    };
    const Index n = X.rows();
    bool possible = taken_out(state, all.topRows(n));
    for (Index k = 1; k < state.outputs(); ++k)
      possible =
          possible && taken_out(state.sisters[static_cast<std::size_t>(k - 1)], all.middleRows(k * n, n));
    require(
        possible, "unlearn",
        "the model cannot have learned these rows as they are given: what would be left is not possible.");
  }
  Learner& learner = state.learner;
  learner.rivals.clear();
  if (learner.memory.limit() > 0)
    for (Index i = 0; i < rows.size(); ++i) {
      learner.memory.remove(rows.X.row(i).transpose(), rows.y(i),
                            rows.outputs() > 1 ? RowVector(rows.told.others.row(i)) : RowVector());
      learner.columns.remove(rows.X.row(i).transpose());
    }
  state.counters.unlearned += rows.count();
  state.history.unlearn(rows.count());
  state.factor.forget();
  for (State& one : state.sisters) one.factor.forget();
  return StreamingGP(std::move(state));
}

}  // namespace gpstream
