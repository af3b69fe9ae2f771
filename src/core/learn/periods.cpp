#include "periods.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "heuristics.h"
#include "spectrum.h"

namespace gpstream {

Vector without_drift(const Vector& t, const Vector& y) {
  const double low = t.minCoeff(), span = std::max(t.maxCoeff() - low, 1e-300);
  Matrix T(t.size(), 4);
  const Eigen::ArrayXd u = 2.0 * (t.array() - low) / span - 1.0;
  T << Vector::Ones(t.size()), u, u.square(), u.cube();
  return y - T * T.colPivHouseholderQr().solve(y);
}

Vector without_wave(const Vector& t, const Vector& y, double frequency, int harmonics) {
  Matrix T(t.size(), 2 * harmonics);
  for (int h = 0; h < harmonics; ++h) {
    const Eigen::ArrayXd phase = 6.283185307179586 * frequency * (h + 1) * (t.array() - t(0));
    T.col(2 * h) = phase.cos();
    T.col(2 * h + 1) = phase.sin();
  }
  return y - T * T.colPivHouseholderQr().solve(y);
}

double explained(const Vector& t, const Vector& y, double frequency) {
  const Eigen::ArrayXd phase = 6.283185307179586 * frequency * (t.array() - t(0));
  const Eigen::ArrayXd c = phase.cos(), s = phase.sin();
  const double cc = c.square().sum(), ss = s.square().sum(), cs = (c * s).sum();
  const double yc = (y.array() * c).sum(), ys = (y.array() * s).sum(), det = cc * ss - cs * cs;
  if (!(det > 1e-9 * cc * ss)) return 0.0;  // waves no row can tell apart
  return (yc * yc * ss - 2.0 * yc * ys * cs + ys * ys * cc) / det;
}

std::vector<double> best_frequencies(const Vector& t, const Vector& y, std::size_t count) {
  std::vector<double> times(t.data(), t.data() + t.size());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() < 8) return {};
  const double span = times.back() - times.front();
  std::vector<double> gaps;
  for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
  const double first = 1.8 / span, last = 0.5 / median(gaps);
  const double step = std::max(0.2 / span, (last - first) / 8000.0);
  if (!(last > first) || !std::isfinite(step)) return {};
  const Index n = static_cast<Index>((last - first) / step) + 1;
  Vector power(n);
  for (Index i = 0; i < n; ++i) power(i) = explained(t, y, first + step * static_cast<double>(i));
  std::vector<std::pair<double, double>> peaks;
  for (Index i = 0; i < n; ++i) {
    const bool rises = i == 0 || power(i) > power(i - 1), falls = i + 1 == n || power(i) >= power(i + 1);
    if (rises && falls) peaks.emplace_back(power(i), first + step * static_cast<double>(i));
  }
  std::sort(peaks.rbegin(), peaks.rend());
  std::vector<double> out;
  for (const auto& peak : peaks) {
    double at = peak.second, width = step;  // between the frequencies that were tried
    for (int i = 0; i < 12; ++i, width *= 0.5)
      for (const double other : {at - 0.5 * width, at + 0.5 * width})
        if (explained(t, y, other) > explained(t, y, at)) at = other;
    out.push_back(at);
    if (out.size() == count) break;
  }
  return out;
}

namespace {

// f(each part, in order, that is no composite)
template <class Function>
void each_given(GivenKernel& given, const Function& f) {
  for (GivenKernel& part : given.parts) each_given(part, f);
  if (!is_composite(given)) f(given);
}

// The kernel with its waves begun: one after the other at the highest peak of what the ones before it leave,
// and, where there is one alone, also at others: the next peaks, and twice the period, of which a wave that
// is no sine may show the half.
std::vector<GivenKernel> with_waves(const GivenKernel& given, const Sample& rows) {
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
GivenKernel of_family(GivenKernel given, const std::string& name) {
  each_given(given, [&](GivenKernel& leaf) {
    if (leaf.any) leaf.name = name;
  });
  return given;
}

bool any_family(GivenKernel given) {
  bool any = false;
  each_given(given, [&](const GivenKernel& leaf) { any = any || leaf.any; });
  return any;
}

}  // namespace

std::vector<Family> families_of(const GivenKernel& given, const Sample& rows, bool few) {
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
