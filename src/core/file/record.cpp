#include "record.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "../evidence/bank.h"
#include "../evidence/evidence.h"
#include "../evidence/fading.h"
#include "../linear/growing.h"
#include "../linear/linalg.h"
#include "evidence_record.h"

namespace gpstream {

void Record::put(const std::string& prefix, const Record& inner) {
  for (const auto& one : inner.fields()) put(prefix + one.first, one.second);
}

Record Record::within(const std::string& prefix) const {
  Record out;
  for (const auto& one : fields_)
    if (one.first.compare(0, prefix.size(), prefix) == 0)
      out.put(one.first.substr(prefix.size()), one.second);
  return out;
}

double Record::number(const char* name) const {
  const Plain* found = find(name);
  const bool alone = found != nullptr && std::holds_alternative<double>(*found);
  const double value = alone                           ? std::get<double>(*found)
                       : get<Vector>(name).size() == 1 ? get<Vector>(name)(0)
                                                       : std::nan("");
  require(!std::isnan(value), "corrupt", std::string("`") + name + "` in the state must be one number.");
  return value;
}

const Plain* Record::find(const char* name) const {
  for (const auto& one : fields_)
    if (one.first == name) return &one.second;
  return nullptr;
}

bool same_bits(const double* a, const double* b, Index size) {
  return size == 0 || std::memcmp(a, b, static_cast<std::size_t>(size) * sizeof(double)) == 0;
}

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

bool same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && same_bits(a.data(), b.data(), a.size());
}

bool same(const KernelSpec& a, const KernelSpec& b) {
  if (a.name != b.name || !same(a.variance, b.variance) || !same(a.lengthscale, b.lengthscale)) return false;
  if (a.extras != b.extras || a.columns != b.columns || a.parts.size() != b.parts.size() ||
      a.fixed.size() != b.fixed.size())
    return false;
  for (auto p = a.fixed.begin(), q = b.fixed.begin(); p != a.fixed.end(); ++p, ++q)
    if (p->first != q->first || !same(p->second, q->second)) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!same(a.parts[i], b.parts[i])) return false;
  return true;
}

bool same(const SelectorSpec& a, const SelectorSpec& b) {
  return a.name == b.name && a.numbers == b.numbers && a.words == b.words && same(a.points, b.points) &&
         a.optimize_points == b.optimize_points;
}

bool operator==(const Record& a, const Record& b) {
  if (a.fields().size() != b.fields().size()) return false;
  for (std::size_t i = 0; i < a.fields().size(); ++i) {
    const auto &x = a.fields()[i], &y = b.fields()[i];
    if (x.first != y.first || x.second.index() != y.second.index()) return false;
    const bool equal = std::visit(
        [&](const auto& v) { return same(v, std::get<std::decay_t<decltype(v)>>(y.second)); }, x.second);
    if (!equal) return false;
  }
  return true;
}

Record evidence_record(const Evidence& evidence) {
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

Evidence evidence_from(const Record& record) {
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

bool sound(const Evidence& one, Index M, Index q) {
  const auto count = [](double value) { return std::isfinite(value) && value >= 0; };
  return one.P.rows() == M && one.P.cols() == M && one.b.size() == M && one.tau.size() == M + 1 &&
         one.H.rows() == M && one.H.cols() == q && one.s.size() == q && one.Phi.rows() == q &&
         one.Phi.cols() == q && one.Phi.allFinite() && one.P.view().allFinite() && one.b.view().allFinite() &&
         one.H.view().allFinite() && one.s.allFinite() && one.tau.view().allFinite() && count(one.n) &&
         std::isfinite(one.con) && std::isfinite(one.yy) && std::isfinite(one.carried.tau) &&
         count(one.carried.lost) && count(one.carried.norm) && count(one.carried.foreign);
}

Record bank_record(const Bank& bank) {
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

Bank bank_from(const Record& record, const Fading& fading, Index M, Index q) {
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
