// A state as a record, and back: nothing is lost, nothing goes unnoticed.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

struct Data {
  Matrix X;
  Vector y, weights;
};
Data data(unsigned seed, Index n) {
  Random r(seed);
  Data out{r.matrix(n, 2) * 2, Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    out.y(i) = 3 + std::sin(3 * out.X(i, 0)) + 0.1 * r.normal();
    out.weights(i) = r.uniform(0.5, 2);
  }
  return out;
}

KernelSpec kernel() { return composite("sum", simple("se", 0.8, 0.7), simple("rq", 1.1, 0.4)); }

StreamingGP streamed(Index lookback, Index rows = 60) {
  const Data d = data(1, rows);
  StreamingGP gp = model(kernel(), oips(0.7), 0.05, lookback, 2, 2.5);
  stream(gp, d.X, d.y, 8);
  return gp;
}

// Everything at once: settled and open rows, points moved, a row unlearned, rows that wait, scores, learning.
StreamingGP full() {
  const Data d = data(2, 30);
  StreamingGP gp = streamed(10);
  gp.rebase(make_kernel(kernel()), gp.points().topRows(gp.size() - 1));
  stream(gp, d.X.topRows(20), d.y.head(20), 5);
  gp = unlearned(gp, {d.X.middleRows(2, 1), d.y.segment(2, 1), Vector::Ones(1)}, Vector::Constant(1, 73));
  gp.note(Scores{5, 0.7, -3, 4, 0.1, -20}, std::vector<double>{0.1, 0.6});
  gp.set_learning({true, true, 40, 50, 30, 60});
  gp.factor();
  gp.update(d.X.middleRows(20, 1), d.y.segment(20, 1), nothing, false, d.weights.head(1));
  return gp;
}

Record with(const Record& from, const std::string& name, const Plain& value) {
  Record out;
  for (const auto& one : from.fields()) out.put(one.first, one.first == name ? value : one.second);
  return out;
}
Record without(const Record& from, const std::string& name) {
  Record out;
  for (const auto& one : from.fields())
    if (one.first != name) out.put(one.first, one.second);
  return out;
}

double next(double x) { return std::isnan(x) ? -1.0 : std::nextafter(x, 2 * std::abs(x) + 1); }

// A field with any one of its numbers changed, most of them by their last bit.
std::vector<Plain> spoilt(const std::string& name, const Plain& value) {
  std::vector<Plain> out;
  const bool triangle = name == "L" || name == "P" || name == "C";
  if (const double* number = std::get_if<double>(&value)) {
    const bool whole = name == "lookback" || name == "factored";
    out.push_back(whole ? (*number == 1 ? 0.0 : *number + 1) : next(*number));
  } else if (const Vector* numbers = std::get_if<Vector>(&value)) {
    for (Index i = 0; i < numbers->size(); ++i) {
      Vector other = *numbers;
      const bool endless = name == "fading" && i == 0;  // a half-life
      other(i) = name == "learning" && i < 2 ? 1 - other(i) : endless ? 1e9 : next(other(i));
      out.push_back(other);
    }
  } else if (const Matrix* entries = std::get_if<Matrix>(&value)) {
    for (Index j = 0; j < entries->cols(); ++j)
      for (Index i = triangle ? j : 0; i < entries->rows(); ++i) {
        Matrix other = *entries;
        other(i, j) = next(other(i, j));
        out.push_back(other);
      }
  } else if (const KernelSpec* spec = std::get_if<KernelSpec>(&value)) {
    KernelSpec a = *spec, b = *spec, c = *spec, d = *spec;
    a.variance = next(a.variance);
    b.parts[0].lengthscale(0) = next(b.parts[0].lengthscale(0));
    c.parts[1].extras["alpha"] = next(c.parts[1].extras["alpha"]);
    d.parts[0].name = "matern52";
    out = {a, b, c, d};
  } else if (const SelectorSpec* spec = std::get_if<SelectorSpec>(&value)) {
    SelectorSpec a = *spec, b = *spec;
    a.numbers["rho"] = next(a.numbers["rho"]);
    b.optimize_points = !b.optimize_points;
    out = {a, b};
  } else {
    out.push_back(std::get<std::string>(value) + "?");
  }
  return out;
}

// "same", "other", or the kind of the error
std::string outcome(const Record& record, const State& state) {
  try {
    return restored(record) == state ? "same" : "other";
  } catch (const Error& error) {
    return error.kind();
  }
}

void check_round_trip(const StreamingGP& gp) {
  const Record once = record(gp.state());
  const State again = restored(once);
  CHECK(again == gp.state() && record(again) == once);
}

}  // namespace

TEST("a state comes back from its record as it was, whatever the model has been through") {
  const Data d = data(3, 700);
  for (const Index lookback : {Index(0), Index(10), unlimited}) {
    StreamingGP gp = model(kernel(), oips(0.7), 0.05, lookback, 2, 2.5);
    check_round_trip(gp);
    gp.update(d.X.topRows(1), d.y.head(1), nothing);
    check_round_trip(gp);
    stream(gp, d.X.topRows(60), d.y.head(60), 7);
    check_round_trip(gp);
    gp.objective();
    CHECK(gp.state().factor.made());
    check_round_trip(gp);
    gp.update(gp.points().topRows(1), Vector::Ones(1), nothing, false, Vector::Constant(1, 2.5));
    CHECK(gp.state().factor.waiting() == 1);
    check_round_trip(gp);
    gp.update(d.X.middleRows(60, 600), d.y.segment(60, 600), nothing, false, d.weights.head(600));
    check_round_trip(gp);
    gp.set_scale(2, 0.1, 3);
    check_round_trip(gp);
    gp.rebase(make_kernel(simple("matern32", 0.9, 1.2)), d.X.topRows(9));
    check_round_trip(gp);
    gp.set_learning({false, true, 3, 50, std::numeric_limits<double>::infinity(), 9});
    for (Index i = 0; i < 1100; ++i) {
      gp.update(d.X.middleRows(i % 40, 1), d.y.segment(i % 40, 1), nothing);
      if (i % 100 == 0) gp.note(Scores{1, 0.1, -1, 1, 0.01, -5}, std::vector<double>{0.3});
    }
    check_round_trip(gp);  // with a history that has been thinned
  }
  check_round_trip(full());
  StreamingGP limited = model(kernel(), oips(0.9, 5), 0.05, 10, 2);
  limited.update(d.X, d.y, nothing);
  CHECK(limited.state().counters.turned_away > 0);
  check_round_trip(limited);
}

TEST("== of states notices the last bit of every number in them") {
  const StreamingGP gp = full();
  const Record whole = record(gp.state());
  CHECK(gp.state().factor.waiting() == 1 && gp.state().settled.carried.norm > 0);
  int others = 0;
  for (const auto& one : whole.fields()) {
    const std::vector<Plain> wrong = spoilt(one.first, one.second);
    if (wrong.empty()) CHECK(!"nothing to spoil");
    for (const Plain& value : wrong) {
      const Record changed = with(whole, one.first, value);
      if (changed == whole) CHECK(!"records differ");
      if (one.first == "format") continue;
      const std::string what = outcome(changed, gp.state());
      others += what == "other";
      check::report(what != "same", one.first.c_str(), __FILE__, __LINE__, what);
    }
  }
  CHECK(others > 300);
}

TEST("a record that lacks something, or has it in another type or size, or not finite, is refused") {
  const StreamingGP gp = full();
  const Record whole = record(gp.state());
  for (const auto& one : whole.fields()) {
    const char* name = one.first.c_str();
    const auto refused = [&](const Record& record) {
      const std::string what = outcome(record, gp.state());
      check::report(what == "corrupt" || what == "parameter" || what == "dimension", name, __FILE__, __LINE__,
                    what);
    };
    refused(without(whole, name));
    const bool text = std::holds_alternative<std::string>(one.second);
    if (one.first != "format") refused(with(whole, name, text ? Plain(1.0) : Plain(std::string("1"))));
    if (const Vector* numbers = std::get_if<Vector>(&one.second)) {
      refused(with(whole, name, Vector(numbers->head(numbers->size() - 1))));
      Vector bad = *numbers;
      bad(one.first == "history_now" ? 0 : bad.size() - 1) = std::nan("");
      refused(with(whole, name, bad));
    }
    if (const Matrix* entries = std::get_if<Matrix>(&one.second)) {
      if (one.first != "history" && one.first != "waiting")
        refused(with(whole, name, Matrix(entries->leftCols(entries->cols() - 1))));
      if (one.first != "history") refused(with(whole, name, Matrix(entries->topRows(entries->rows() - 1))));
      Matrix bad = *entries;
      bad(bad.rows() - 1, 0) = std::nan("");
      refused(with(whole, name, bad));
      if (one.first == "C") refused(with(whole, name, Matrix(-*entries)));
    }
  }
}

namespace {

// The state as formats 1 to 4 had it: the open rows are in the sums, too, and have no weights.
Record older(const State& state, int format) {
  const Totals sums = totals(state.settled, state.open, state.trend);
  const Record now = record(state);
  Record out;
  for (const char* name :
       {"kernel", "select", "noise", "mean", "offset", "lookback", "Z", "L", "tau", "carried", "window_x",
        "window_y", "window_r", "window_w", "refused", "turned_away", "history_stride"})
    for (const auto& one : now.fields())
      if (one.first == name) out.put(one.first, one.second);
  out.put("P", lower(total_P(state.settled, state.open)));
  out.put("b", sums.b);
  out.put("h", Vector(sums.H.col(0)));
  out.put("n", state.counters.seen);
  out.put("sum_y", sums.s(0));
  out.put("yy", sums.yy);
  const bool made = state.factor.made();
  if (format >= 3) {
    out.put("lost", state.settled.carried.lost);
    out.put("norm", state.settled.carried.norm);
    out.put("foreign", state.settled.carried.foreign);
    out.put("moves", state.counters.moves);
  }
  const Matrix history = history_matrix(state.history, false).leftCols(10);  // nothing was unlearned
  if (format >= 4) {
    out.put("history", history);
    out.put("history_now", Vector(vector_of(state.history.now.values()).head(10)));
    out.put("pit", vector_of(state.history.pit));
    out.put("factored", made ? 1.0 : 0.0);
    out.put("C", made ? lower(state.factor.C()) : Matrix(0, 0));
    out.put("pending", made ? Matrix(state.factor.waiting_rows()) : Matrix(0, 0));
  } else {
    out.put("history", Matrix(history.leftCols(3)));
    out.put("history_batches", state.history.now.batch);
    out.put("C", factor_of(total_P(state.settled, state.open), state.xi()));
  }
  return out;
}

void same_model(const StreamingGP& a, const StreamingGP& b, const Matrix& at) {
  const Prediction p = predict(a, at, true, nothing), q = predict(b, at, true, nothing);
  CHECK(a.size() == b.size() && Matrix(a.points()) == Matrix(b.points()));
  CHECK_CLOSE(p.mean, q.mean, 1e-10);
  CHECK_CLOSE(p.variance, q.variance, 1e-10);
  CHECK(std::abs(a.objective() - b.objective()) <= 1e-10 * std::abs(b.objective()));
  CHECK(a.state().counters.seen == b.state().counters.seen && a.totals().n == b.totals().n);
  CHECK(std::abs(a.tau() - b.tau()) <= 1e-10 * b.tau());
  CHECK(a.state().history.now.batch == b.state().history.now.batch);
}

}  // namespace

TEST("a state of an older format predicts as it did, and goes on as if it had never been saved") {
  const Data more = data(4, 60);
  Random r(5);
  const Matrix at = r.matrix(20, 2) * 2;
  for (const int format : {1, 3, 4})
    for (const Index lookback : {Index(0), Index(15), unlimited})
      for (const int read : {-1, 0, 1})  // never factored; factored; factored, and a row since
        for (const bool moved : {false, true}) {
          StreamingGP gp = streamed(lookback);
          if (moved) gp.rebase(make_kernel(kernel()), gp.points().topRows(gp.size() - 2));
          if (read >= 0) gp.factor();
          if (read > 0) gp.update(gp.points().topRows(1), Vector::Ones(1), nothing);
          StreamingGP back(restored(older(gp.state(), format)));
          CHECK(!back.state().learning.known && back.state().open.size() == gp.state().open.size());
          CHECK(std::abs(back.state().settled.n - gp.state().settled.n) == 0);
          same_model(back, gp, at);
          stream(back, more.X, more.y, 4);
          stream(gp, more.X, more.y, 4);
          same_model(back, gp, at);
          back.set_scale(2, 0.1, 1.0);
          gp.set_scale(2, 0.1, 1.0);
          same_model(back, gp, at);
          check_round_trip(back);
        }
}

TEST("an older state that does not fit together is refused") {
  const StreamingGP gp = streamed(15);
  gp.factor();
  const Record whole = older(gp.state(), 4);
  CHECK(outcome(whole, gp.state()) == "other");
  for (const char* name : {"P", "b", "h", "n", "sum_y", "yy", "tau", "C", "window_x", "window_w", "window_r",
                           "pit", "pending", "factored", "offset"})
    CHECK(outcome(without(whole, name), gp.state()) == "corrupt");
  CHECK(outcome(with(whole, "n", 10.0), gp.state()) == "corrupt");  // fewer rows than are open
  CHECK(outcome(with(whole, "h", Vector(Vector::Ones(2))), gp.state()) == "corrupt");
  CHECK(outcome(with(whole, "P", Matrix(Matrix::Constant(gp.size(), gp.size(), std::nan("")))), gp.state()) ==
        "corrupt");
}
