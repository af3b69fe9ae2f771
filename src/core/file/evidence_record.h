// Evidence as a part of a record: the model's own, and that of other half-lives.
#ifndef GPSTREAM_EVIDENCE_RECORD_H
#define GPSTREAM_EVIDENCE_RECORD_H

#include "../evidence/bank.h"
#include "record.h"

namespace gpstream {

inline Record evidence_record(const Evidence& evidence) {
  Record out;
  out.put("P", lower(evidence.P.view()));
  out.put("b", Vector(evidence.b.view()));
  out.put("H", Matrix(evidence.H.view()));
  out.put("Phi", evidence.Phi);
  out.put("s", evidence.s);
  out.put("n", evidence.n);
  out.put("con", evidence.con);
  out.put("yy", evidence.yy);
  out.put("tau", Vector(evidence.tau.view()));
  out.put("carried", evidence.carried.tau);
  out.put("lost", evidence.carried.lost);
  out.put("norm", evidence.carried.norm);
  out.put("foreign", evidence.carried.foreign);
  return out;
}

inline Evidence evidence_from(const Record& record) {
  Evidence out;
  out.P = GrowingMatrix(record.get<Matrix>("P"));
  out.b = GrowingVector(record.get<Vector>("b"));
  out.H = GrowingMatrix(record.get<Matrix>("H"));
  out.Phi = record.get<Matrix>("Phi");
  out.s = record.get<Vector>("s");
  out.n = record.number("n");
  out.con = record.number("con");
  out.yy = record.number("yy");
  out.tau = GrowingVector(record.get<Vector>("tau"));
  out.carried = {record.number("carried"), record.number("lost"), record.number("norm"),
                 record.number("foreign")};
  return out;
}

// About M points and q functions of the trend, and of numbers that sums over rows can be?
inline bool sound(const Evidence& one, Index M, Index q) {
  const auto count = [](double value) { return std::isfinite(value) && value >= 0; };
  return one.P.rows() == M && one.P.cols() == M && one.b.size() == M && one.tau.size() == M + 1 &&
         one.H.rows() == M && one.H.cols() == q && one.s.size() == q && one.Phi.rows() == q &&
         one.Phi.cols() == q && one.Phi.allFinite() && one.P.view().allFinite() && one.b.view().allFinite() &&
         one.H.view().allFinite() && one.s.allFinite() && one.tau.view().allFinite() && count(one.n) &&
         std::isfinite(one.con) && std::isfinite(one.yy) && std::isfinite(one.carried.tau) &&
         count(one.carried.lost) && count(one.carried.norm) && count(one.carried.foreign);
}

inline Record bank_record(const Bank& bank) {
  Record out;
  out.put("size", static_cast<double>(bank.strands.size()));
  out.put("score", bank.score);
  out.put("now", bank.now.now);
  out.put("rows", Matrix(bank.rows.view()));
  for (std::size_t i = 0; i < bank.strands.size(); ++i) {
    const std::string prefix = std::to_string(i + 1) + ".";
    out.put(prefix + "half_life", bank.strands[i].half_life);
    out.put(prefix + "score", bank.strands[i].score);
    out.put(prefix, evidence_record(bank.strands[i].settled));
  }
  return out;
}

inline Bank bank_from(const Record& record, const Fading& fading, Index M, Index q) {
  const auto whole = [](bool ok) {
    require(ok, "corrupt", "what is known under other half-lives is damaged.");
  };
  Bank out;
  out.score = record.number("score");
  out.now = fading;
  out.now.now = record.number("now");
  const double size = record.number("size");
  whole(size >= 1 && size <= 64 && std::isfinite(out.score) && out.now.now <= fading.now);
  for (int i = 1; i <= static_cast<int>(size); ++i) {
    const Record one = record.within(std::to_string(i) + ".");
    out.strands.push_back({one.number("half_life"), one.number("score"), evidence_from(one)});
    const Strand& strand = out.strands.back();
    whole(strand.half_life > 0 && std::isfinite(strand.score) && sound(strand.settled, M, q));
  }
  out.rows = GrowingMatrix(record.get<Matrix>("rows"));
  whole(out.rows.rows() == out.head() + M && out.rows.view().allFinite());
  return out;
}

}  // namespace gpstream

#endif
