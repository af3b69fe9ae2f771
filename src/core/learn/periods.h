// Where the search for open periods begins: the peaks of the spectrum. Each way to begin is a family that
// competes by its evidence.
#ifndef GPSTREAM_LEARN_PERIODS_H
#define GPSTREAM_LEARN_PERIODS_H

#include "families.h"
#include "sample.h"
#include "spectrum.h"

namespace gpstream {

// f(each part, in order, that is no composite)
template <class Function>
void each_given(GivenKernel& given, const Function& f) {
  for (GivenKernel& part : given.parts) each_given(part, f);
  if (!is_composite(given)) f(given);
}

// The kernel with its waves begun: one after the other at the highest peak of what the ones before it leave,
// and, where there is one alone, also at others: the next peaks, and twice the period, of which a wave that
// is no sine may show the half.
inline std::vector<GivenKernel> with_waves(const GivenKernel& given, const Sample& rows) {
  std::vector<const GivenKernel*> open;
  GivenKernel first = given;
  each_given(first, [&](GivenKernel& leaf) {
    if (open_wave(leaf)) open.push_back(&leaf);
  });
  if (open.empty() || rows.size() < 8) return {given};
  std::vector<GivenKernel> out;
  Vector left = without_drift(own_columns(*open.front(), rows.X).col(0), rows.y);
  each_given(first, [&](GivenKernel& leaf) {  // waves that are known
    if (leaf.name != "periodic" || open_wave(leaf) || leaf.extras.empty()) return;
    left = without_wave(own_columns(leaf, rows.X).col(0), left, 1.0 / *leaf.extras.front().second, 3);
  });
  each_given(first, [&](GivenKernel& leaf) {
    if (!open_wave(leaf)) return;
    const Vector t = own_columns(leaf, rows.X).col(0);
    const std::vector<double> best = best_frequencies(t, left, open.size() == 1 ? 3 : 1);
    if (best.empty()) return;
    start_wave(leaf, 1.0 / best.front());
    left = without_wave(t, left, best.front(), 3);
    if (open.size() > 1) return;
    std::vector<double> others = best;
    others.front() *= 0.5;
    for (const double frequency : others) {
      GivenKernel other = given;
      each_given(other, [&](GivenKernel& same) {
        if (open_wave(same)) start_wave(same, 1.0 / frequency);
      });
      out.push_back(std::move(other));
    }
  });
  out.insert(out.begin(), std::move(first));
  return out;
}

// The kernel with those of its parts that may be of any family all of this one.
inline GivenKernel of_family(GivenKernel given, const std::string& name) {
  each_given(given, [&](GivenKernel& leaf) {
    if (leaf.any) leaf.name = name;
  });
  return given;
}

inline bool any_family(GivenKernel given) {
  bool any = false;
  each_given(given, [&](const GivenKernel& leaf) { any = any || leaf.any; });
  return any;
}

// A given kernel as families that compete: other smoothness where that is open, other periods.
inline std::vector<Family> families_of(const GivenKernel& given, const Sample& rows, bool few) {
  const GivenKernel known = with_constants(given, rows.X);
  std::vector<GivenKernel> begun = with_waves(known, of_output(rows, 0));
  bool waves = false;
  each_given(begun.front(), [&](const GivenKernel& leaf) { waves = waves || open_wave(leaf); });
  for (Index k = 1; waves && k < rows.outputs(); ++k)  // another output may show them better
    begun.push_back(with_waves(known, of_output(rows, k)).front());
  std::vector<Family> out{{"given", begun.front()}};
  for (std::size_t i = 1; i < begun.size(); ++i)
    out.push_back({"given, period " + std::to_string(i + 1), begun[i]});
  if (!any_family(given)) return out;
  for (const char* name : {"matern52", "matern32", "matern12"}) {
    out.push_back({name, of_family(begun.front(), name)});
    if (few) break;  // so few rows cannot tell more of them apart
  }
  return out;
}

}  // namespace gpstream

#endif
