// The spectrum of outputs at irregular times: how much of them a wave of each frequency explains, by least
// squares.
#ifndef GPSTREAM_LEARN_SPECTRUM_H
#define GPSTREAM_LEARN_SPECTRUM_H

#include <algorithm>
#include <cmath>

#include "heuristics.h"

namespace gpstream {

// y without a cubic in t, which would drown the waves.
inline Vector without_drift(const Vector& t, const Vector& y) {
  const double low = t.minCoeff(), span = std::max(t.maxCoeff() - low, 1e-300);
  Matrix T(t.size(), 4);
  const Eigen::ArrayXd u = 2.0 * (t.array() - low) / span - 1.0;
  T << Vector::Ones(t.size()), u, u.square(), u.cube();
  return y - T * T.colPivHouseholderQr().solve(y);
}

// What cos and sin of this frequency, and of its multiples up to `harmonics`, leave of y.
inline Vector without_wave(const Vector& t, const Vector& y, double frequency, int harmonics) {
  Matrix T(t.size(), 2 * harmonics);
  for (int h = 0; h < harmonics; ++h) {
    const Eigen::ArrayXd phase = 6.283185307179586 * frequency * (h + 1) * (t.array() - t(0));
    T.col(2 * h) = phase.cos();
    T.col(2 * h + 1) = phase.sin();
  }
  return y - T * T.colPivHouseholderQr().solve(y);
}

// The share of y that a wave of this frequency explains, its phase free.
inline double explained(const Vector& t, const Vector& y, double frequency) {
  const Eigen::ArrayXd phase = 6.283185307179586 * frequency * (t.array() - t(0));
  const Eigen::ArrayXd c = phase.cos(), s = phase.sin();
  const double cc = c.square().sum(), ss = s.square().sum(), cs = (c * s).sum();
  const double yc = (y.array() * c).sum(), ys = (y.array() * s).sum(), det = cc * ss - cs * cs;
  if (!(det > 1e-9 * cc * ss)) return 0.0;  // waves no row can tell apart
  return (yc * yc * ss - 2.0 * yc * ys * cs + ys * ys * cc) / det;
}

// The frequencies that explain most, each the highest of its neighbourhood, best first: of waves that come at
// least twice, and no faster than two typical gaps between rows.
inline std::vector<double> best_frequencies(const Vector& t, const Vector& y, std::size_t count) {
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

}  // namespace gpstream

#endif
