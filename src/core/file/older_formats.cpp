#include "older_formats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

#include "../likelihoods/gaussian.h"
#include "../linear/linalg.h"
#include "format.h"
#include "learner_record.h"
#include "state_record.h"

namespace gpstream {

namespace {

// Formats before 3 do not say how what they carry came about: from another kernel, for all they know. Nor do
// they say whether points were ever moved.
void carried_then(const Record& record, State& out) {
  const double tau = record.number("carried");
  const bool told = record.has("lost") || record.has("norm") || record.has("foreign") || record.has("moves");
  if (told) {
    out.settled.carried = {tau, record.number("lost"), record.number("norm"), record.number("foreign")};
    out.counters.moves = record.number("moves");
  } else {
    out.settled.carried = {tau, 0.0, 0.0, tau > 0 ? record.number("n") : 0.0};
    out.counters.moves = 1.0;
  }
}

// Formats before 4 were factored when they were saved, and knew no scores.
void read_out_then(const Record& record, State& out) {
  const bool scored =
      record.has("history_now") || record.has("pit") || record.has("factored") || record.has("pending");
  if (scored) {
    out.history = history_from(record);
    if (record.number("factored") != 0)
      out.factor = PosteriorFactor(record.get<Matrix>("C"), record.get<Matrix>("pending"));
    return;
  }
  const Matrix& kept = record.get<Matrix>("history");
  require(kept.cols() == 3 && kept.rows() <= static_cast<Index>(History::limit), "corrupt",
          "`history` in the state has another size.");
  for (Index i = 0; i < kept.rows(); ++i) {
    HistoryEntry entry;
    entry.batch = kept(i, 0), entry.nobs = kept(i, 1), entry.points = kept(i, 2);
    out.history.kept.push_back(entry);
  }
  out.history.stride = record.number("history_stride");
  out.history.now.batch = record.number("history_batches");
  out.history.now.nobs = record.number("n");
  out.history.now.points = static_cast<double>(out.size());
  out.factor = PosteriorFactor(record.get<Matrix>("C"), Matrix(out.size(), 0));
}

State state_from_older(const Record& record) {
  State out = begun(record);
  const Index M = out.size();
  const auto whole = [](bool ok) { require(ok, "corrupt", "the saved state does not fit together."); };
  const Vector& y = record.get<Vector>("window_y");
  const Sites sites = gaussian_sites(y, Vector::Ones(y.size()));
  out.open = window_from(record, sites, out.open.limit(), out.columns(), M);
  const Matrix &P = record.get<Matrix>("P"), W = out.open.features();
  const Vector &b = record.get<Vector>("b"), &h = record.get<Vector>("h");
  whole(P.rows() == M && P.cols() == M && b.size() == M && h.size() == M && P.allFinite() && W.allFinite());
  out.counters.seen = record.number("n");
  const double open = static_cast<double>(y.size()), n = out.counters.seen - open;
  whole(n >= 0);
  out.settled = Evidence(M);
  Evidence& settled = out.settled;
  if (n > 0) {
    // what is left without the open rows is positive semi-definite but for rounding
    Matrix rest = symmetric(P);
    rest.noalias() -= W * W.transpose();
    const Eigensystem parts = eigensystem(rest);
    settled.P = GrowingMatrix(parts.vectors * parts.values.asDiagonal() * parts.vectors.transpose());
    settled.b = GrowingVector(b - W * y);
    settled.H = GrowingMatrix(Matrix(h - W.rowwise().sum()));
    settled.Phi(0, 0) = n;
    settled.s(0) = record.number("sum_y") - y.sum();
    settled.n = n;
    settled.con = -0.5 * n * 1.8378770664093454;
    settled.yy = std::max(record.number("yy") - y.squaredNorm(), 0.0);
  }
  settled.tau = GrowingVector(record.get<Vector>("tau"));
  carried_then(record, out);
  fading_from(record, out);
  traces_from(record, out);
  read_out_then(record, out);
  out.learning.known = false;
  check_whole(out);
  return out;
}

}  // namespace

State restored(const Record& record) {
  if (!record.has("format")) return state_from_older(record);
  const double format = record.number("format");
  require(format >= 5 && format <= format_number && format == std::floor(format), "corrupt",
          "the format of the state is not known.");
  if (format > 5) return state_from(record);  // what format 6 did not have is left as at the start
  Record now = record;
  now.put("trend", trend_matrix(Trend()));
  now.put("set_aside", 0.0);
  return state_from(now);
}

namespace {

Vector standing_values(const Standing& one) {
  Vector out(5);
  out << one.score, one.width, one.origin, one.since, one.ahead;
  return out;
}

Standing standing_from(const Vector& v) {
  require(v.size() == 5 && v.allFinite(), "corrupt", "`standing` in the state is damaged.");
  return {v(0), v(1), v(2), v(3), v(4)};
}

}  // namespace

Record learner_record(const Learner& learner) {
  Record out;
  const Memory& memory = learner.memory;
  Vector counts(10);
  counts << static_cast<double>(memory.limit()), memory.seen(), memory.origin(), learner.learned,
      learner.next, learner.gap, learner.surprise, learner.earlier, learner.changes, learner.moves;
  out.put("counts", counts);
  out.put("memory", Matrix(memory.stored()));
  out.put("memory_parts", vector_of(memory.parts()));
  out.put("columns_n", learner.columns.n);
  out.put("columns_first", learner.columns.first);
  out.put("columns_about", learner.columns.about);
  out.put("columns_squares", learner.columns.squares);
  out.put("standing", standing_values(learner.standing));
  out.put("glance", learner.glance);
  out.put("family", learner.last.family);
  for (const auto& one : learner.last.evidence) out.put("evidence." + one.first, one.second);
  for (const auto& one : learner.last.starts) out.put("start." + one.first, one.second);
  out.put("calibration", vector_of(learner.calibration.values()));
  for (std::size_t k = 0; k < learner.calibrations.size(); ++k)
    out.put("calibration_of." + std::to_string(k + 2), vector_of(learner.calibrations[k].values()));
  out.put("rivals", static_cast<double>(learner.rivals.size()));
  for (std::size_t i = 0; i < learner.rivals.size(); ++i) {
    const std::string prefix = "rival" + std::to_string(i + 1) + ".";
    out.put(prefix + "standing", standing_values(learner.rivals[i].standing));
    out.put(prefix, record(*learner.rivals[i].state));
  }
  return out;
}

Learner learner_from(const Record& record, Index columns, Index others) {
  const auto whole = [](bool ok) { require(ok, "corrupt", "what the state has learned is damaged."); };
  Learner out;
  const Vector& counts = record.get<Vector>("counts");
  whole(counts.size() == 10 && counts.allFinite() && counts.minCoeff() >= 0 && counts(0) >= 0 &&
        counts(0) <= 1e6);
  const Index D = counts(0) > 0 ? columns : 0;
  const Matrix& rows = record.get<Matrix>("memory");
  const Index further = counts(0) > 0 ? others : 0;
  whole(rows.rows() == D + 3 + further && static_cast<double>(rows.cols()) <= 1.2 * counts(0));
  whole(further > 0 ? !rows.array().isInf().any() && rows.middleRows(2, D + 1).allFinite()
                    : rows.allFinite());
  const Vector parts = record.has("memory_parts") ? record.get<Vector>("memory_parts") : Vector::Zero(1);
  whole(parts.size() > 0 && parts.allFinite() && parts(0) == 0 &&
        std::is_sorted(parts.data(), parts.data() + parts.size()) &&
        (rows.cols() == 0 || rows.row(0).minCoeff() >= 0));
  out.memory = Memory(static_cast<Index>(counts(0)), counts(1), counts(2), rows,
                      {parts.data(), parts.data() + parts.size()}, further);
  out.learned = counts(3), out.next = counts(4), out.gap = counts(5);
  out.surprise = counts(6), out.earlier = counts(7), out.changes = counts(8), out.moves = counts(9);
  out.columns = Moments(D);
  out.columns.n = record.number("columns_n");
  // before format 11 the mean was all there was
  const bool shifted = record.has("columns_first");
  out.columns.first = record.get<Vector>(shifted ? "columns_first" : "columns_mean");
  if (shifted) out.columns.about = record.get<Vector>("columns_about");
  out.columns.squares = record.get<Vector>("columns_squares");
  whole(out.columns.first.size() == D && out.columns.about.size() == D && out.columns.squares.size() == D &&
        out.columns.mean().allFinite());
  out.standing = standing_from(record.get<Vector>("standing"));
  if (record.has("glance")) out.glance = record.get<Vector>("glance");
  out.last.family = record.get<std::string>("family");
  const Record evidence = record.within("evidence."), starts = record.within("start.");
  for (const auto& one : evidence.fields()) out.last.evidence[one.first] = evidence.number(one.first.c_str());
  for (const auto& one : starts.fields()) out.last.starts[one.first] = starts.get<Vector>(one.first.c_str());
  out.calibration = Calibration::of(numbers_of<Calibration::fields>(record, "calibration"));
  whole(out.calibration.sound());
  for (Index k = 0; k < others && record.has("calibration_of.2"); ++k) {
    const std::string name = "calibration_of." + std::to_string(k + 2);
    out.calibrations.push_back(Calibration::of(numbers_of<Calibration::fields>(record, name.c_str())));
    whole(out.calibrations.back().sound());
  }
  const double rivals = record.number("rivals");
  whole(rivals >= 0 && rivals <= 8);
  for (int i = 1; i <= static_cast<int>(rivals); ++i) {
    const Record one = record.within("rival" + std::to_string(i) + ".");
    out.rivals.push_back({Held<State>(state_from(one)), standing_from(one.get<Vector>("standing"))});
  }
  return out;
}

}  // namespace gpstream
