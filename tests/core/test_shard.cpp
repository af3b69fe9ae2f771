// Points that cover the rows of all shards.  [derivation 18]
#include "../../src/core/select/correlation.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

constexpr double rho = 0.8;

Matrix extra(const StreamingGP& model, Index have) { return model.points().bottomRows(model.size() - have); }

// What shards of these rows come to, as R/cluster-consume.R has it; without the coverage pass, or with it.
StreamingGP with_common_points(StreamingGP home, const std::vector<Matrix>& shards, bool cover) {
  StreamingGP all = shard_on_points(home);
  const Index have = all.size();
  for (const Matrix& X : shards) {
    StreamingGP own = shard_on_points(home);
    choose(own, X, nothing);
    choose(all, extra(own, have), nothing);
  }
  join_all(extra(all, have), home);
  if (!cover) return home;
  const StreamingGP before = home;
  for (const Matrix& X : shards) {
    StreamingGP own = shard_on_points(before);
    choose(own, X, nothing);
    join_all(extra(own, before.size()), home);
  }
  return home;
}

double least_covered(const StreamingGP& model, const std::vector<Matrix>& shards) {
  double least = 1.0;
  for (const Matrix& X : shards)
    least = std::min(least, highest_correlation(model.kernel(), model.points(), X).minCoeff());
  return least;
}

SelectorSpec replacing(double max_points = 1e6) {
  return {"oips", {{"rho", rho}, {"max_points", max_points}}, Matrix(), {{"when_full", "replace"}}};
}

}  // namespace

TEST("[derivation 18] every row of a thousand random splits is covered at rho") {
  Random r(5);
  int below = 0;
  double worst = 1.0;
  for (int i = 0; i < 1000; ++i) {
    const Index D = 1 + i % 3;
    std::vector<Matrix> shards;
    for (int s = 0; s < 1 + i % 7; ++s) shards.push_back(r.matrix(15, D) * 3);
    const StreamingGP empty = model(simple(i % 2 ? "se" : "matern32", 0.7, 1.3), replacing(), 0.1, 10, D);
    const StreamingGP covered = with_common_points(empty, shards, true);
    CHECK(least_covered(covered, shards) >= rho);
    CHECK(covered.state().settled.n == 0);
    const double without = least_covered(with_common_points(empty, shards, false), shards);
    CHECK(without >= 2 * rho * rho - 1);
    below += without < rho;
    worst = std::min(worst, without);
  }
  CHECK(below > 100);  // the pass is needed
  CHECK(worst < 0.7);
}

TEST("[shard] points of a full selector stay, and nothing leaves for others") {
  Random r(6);
  const StreamingGP empty = model(simple("se", 0.3, 1.0), replacing(20), 0.1, 10, 2);
  StreamingGP own = shard_on_points(empty);
  const Matrix X = r.matrix(300, 2) * 3;
  choose(own, X, nothing);
  CHECK(own.size() == 20);
  CHECK(own.state().counters.turned_away > 0);
  const Matrix Z = own.points();
  Vector y(300);
  for (Index i = 0; i < 300; ++i) y(i) = std::sin(X(i, 0));
  own.update(X, y, nothing);
  CHECK(Matrix(own.points()) == Z);
}

TEST("[shard] a model without its rows learns them as a shard does, and goes on") {
  Random r(7);
  const Matrix X = r.matrix(80, 1) * 5;
  const Vector y = (X.col(0).array() * 2).sin();
  StreamingGP gp = model(simple("se", 0.8, 1.0), replacing(), 0.05, 10, 1);
  gp.update(X, y, nothing);
  StreamingGP anew = emptied(gp);
  CHECK(anew.state().counters.seen == 0 && !anew.state().shard);
  CHECK(Matrix(anew.points()) == Matrix(gp.points()));
  StreamingGP part = shard_of(gp);
  part.update(X, y, nothing);
  const StreamingGP both = merged(std::move(anew), part).model;
  CHECK(both.state().counters.seen == 80 && !both.state().shard);
  CHECK(std::abs(both.objective() - part.objective()) <= 1e-10 * std::abs(part.objective()));
}

TEST("[message] no row is in it, and it says what the model says") {
  Random r(8);
  const Matrix X = r.matrix(60, 1) * 5;
  const Vector y = (X.col(0).array() * 2).sin();
  StreamingGP gp = model(simple("se", 0.8, 1.0), replacing(), 0.05, 25, 1);
  gp.update(X, y, nothing);
  const StreamingGP message = message_of(gp);
  CHECK(message.state().open.size() == 0);
  CHECK(message.state().counters.seen == 60);
  CHECK(std::abs(message.objective() - gp.objective()) <= 1e-10 * std::abs(gp.objective()));
  const Vector worth = rows_at_points(gp.state());
  CHECK_CLOSE(worth, rows_at_points(message.state()), 1e-10);
  // by the weights of each row themselves
  const Matrix K = gp.kernel().value(gp.points(), gp.points()), k = gp.kernel().value(gp.points(), X);
  CHECK_CLOSE(worth, Vector(K.llt().solve(k).rowwise().squaredNorm()), 1e-6);
}
