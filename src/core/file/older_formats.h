// States of formats 1 to 6. The last is read as the present one, which has more. In formats 1 to 5 the trend
// was the constant, and known. In formats 1 to 4 the rows of the
// look-back were in the evidence from the start, and all had weight 1.
#ifndef GPSTREAM_OLDER_FORMATS_H
#define GPSTREAM_OLDER_FORMATS_H

#include "state_record.h"

namespace gpstream {

// Formats before 3 do not say how what they carry came about: from another kernel, for all they know. Nor do
// they say whether points were ever moved.
inline void carried_then(const Record& record, State& out) {
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
inline void read_out_then(const Record& record, State& out) {
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

inline State state_from_older(const Record& record) {
  State out = begun(record);
  const Index M = out.size();
  const auto whole = [](bool ok) { require(ok, "corrupt", "the saved state does not fit together."); };
  const Vector& y = record.get<Vector>("window_y");
  const Sites sites = Gaussian::sites(y, Vector::Ones(y.size()));
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

// Of any format.
inline State restored(const Record& record) {
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

}  // namespace gpstream

#endif
