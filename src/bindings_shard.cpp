// Shards and merges: convert, call, return.
#include "convert_state.h"
#include "core/learn/learn.h"
#include "core/model/merge.h"
#include "core/model/message.h"
#include "core/model/shard.h"
#include "handle.h"

using namespace gpstream;

// An empty twin that is to be merged.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_shard(SEXP handle) {
  return classed([&] { return new_handle(shard_of(behind<StreamingGP>(handle))); });
}

// One that keeps to points which are those of all shards.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_shard_on_points(SEXP handle) {
  return classed([&] { return new_handle(shard_on_points(behind<StreamingGP>(handle))); });
}

// What the model has learned, without its rows.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_emptied(SEXP handle) {
  return classed([&] { return new_handle(emptied(behind<StreamingGP>(handle))); });
}

// The same, with the rows that the model had seen before it learned.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_with_own_rows(SEXP handle, SEXP before) {
  return classed([&] {
    const StreamingGP& own = behind<StreamingGP>(before);
    return new_handle(with_own_rows(behind<StreamingGP>(handle), own, check_interrupt));
  });
}

// Does it choose points from rows as they come?
// [[Rcpp::export(rng = false)]]
bool core_gp_chooses(SEXP handle) {
  return classed([&] { return chooses(behind<StreamingGP>(handle).state()); });
}

// The points that these rows ask for join, in place. How many of the rows were turned away so far.
// [[Rcpp::export(rng = false)]]
double core_gp_choose(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x) {
  return classed([&] {
    StreamingGP& model = behind<StreamingGP>(handle);
    choose(model, x, check_interrupt);
    return model.state().counters.turned_away;
  });
}

// These points join, in place, whatever the selector says.
// [[Rcpp::export(rng = false)]]
void core_gp_join(SEXP handle, const Eigen::Map<Eigen::MatrixXd> x) {
  classed([&] { join_all(x, behind<StreamingGP>(handle)); });
}

// In what two models differ: "kernel" (up to its variance), "variance", "noise", "mean", "trend".
// [[Rcpp::export(rng = false)]]
std::vector<std::string> core_gp_differ(SEXP first, SEXP second) {
  return classed([&] {
    const State &a = behind<StreamingGP>(first).state(), &b = behind<StreamingGP>(second).state();
    require_same_rows(a, b);
    return differences(a, b);
  });
}

// The second is merged into the first, in place: nobody else must have the first, which is no model any more
// where this fails. With `relearn`, variance, noise and mean are those that the evidence of both likes best,
// where they are open. What was lost on the way, in nats.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_gp_merge(SEXP first, SEXP second, Rcpp::List spec, bool relearn) {
  return classed([&] {
    StreamingGP& model = behind<StreamingGP>(first);
    Merged found = merged(std::move(model), behind<StreamingGP>(second));
    model = std::move(found.model);
    if (relearn) learn_scale_anew(model, wishes_of(spec));
    double lost = 0.0;
    model.each_output([&](StreamingGP& one, Index) { lost += 0.5 * one.xi() * found.lost; });
    return Rcpp::NumericVector::create(_["added"] = found.added, _["refused"] = found.refused,
                                       _["foreign"] = found.foreign, _["lost"] = lost);
  });
}

// When all shards are in, in place: variance, noise and mean from what all rows said, where they are open.
// [[Rcpp::export(rng = false)]]
void core_gp_learn_scale(SEXP handle, Rcpp::List spec) {
  classed([&] { learn_scale_of_shards(behind<StreamingGP>(handle), wishes_of(spec)); });
}

// Numbers between 0 and 1 that look like chance, of blocks of rows of a shard.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_hashes(double part, const Eigen::Map<Eigen::VectorXd> blocks) {
  return classed([&]() -> Vector {
    const std::uint64_t seed = scattered(static_cast<std::uint64_t>(part));
    return blocks.unaryExpr([&](double block) {
      return static_cast<double>(scattered(seed ^ static_cast<std::uint64_t>(block)) >> 11) * 0x1p-53;
    });
  });
}

// What may leave a site: sums over rows, and no row.
// [[Rcpp::export(rng = false)]]
SEXP core_gp_message(SEXP handle) {
  return classed([&] { return new_handle(message_of(behind<StreamingGP>(handle))); });
}

// How many rows' worth of evidence there is at each point.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd core_gp_rows_at_points(SEXP handle) {
  return classed([&]() -> Vector { return rows_at_points(behind<StreamingGP>(handle).state()); });
}
