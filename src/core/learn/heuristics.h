// What was not given is taken from the first batch: the lengthscale is the median distance between its rows
// [GFO21 App. E], the variance that of y.
#ifndef GPSTREAM_LEARN_HEURISTICS_H
#define GPSTREAM_LEARN_HEURISTICS_H

#include "../linear/require.h"
#include "spread.h"

namespace gpstream {

// Of an even number, the mean of the two in the middle; NaN of none.
inline double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return 0.5 * *std::max_element(values.begin(), middle) + 0.5 * *middle;  // the sum could overflow
}

// Numbers that differ by less than this have squares that are lost to underflow.
constexpr double least_range = 1e-140;
inline void require_spread(const ConstVectorView& values, const std::string& what) {
  const double range = values.size() > 0 ? values.maxCoeff() - values.minCoeff() : 0.0;
  require(!(range > 0 && range < least_range), "input",
          what + " has values that differ by less than 1e-140, so that their squares underflow; rescale it.");
}
inline void require_spread_of_columns(const ConstMatrixView& X) {
  for (Index d = 0; d < X.cols(); ++d)
    require_spread(X.col(d), "column " + std::to_string(d + 1) + " of `x`");
}

// Pairwise distances of at most `most` rows.
inline std::vector<double> batch_distances(const ConstMatrixView& X, Index most = 1000) {
  const Matrix some = rows_of(X, spread_rows(X.rows(), most));
  const Index n = some.rows();
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(n * std::max<Index>(n - 1, 0) / 2));
  Vector squares;
  for (Index i = 0; i + 1 < n; ++i) {
    squares = Vector::Zero(n - 1 - i);
    for (Index d = 0; d < some.cols(); ++d)
      squares.array() += (some.col(d).tail(n - 1 - i).array() - some(i, d)).square();
    for (Index j = 0; j < squares.size(); ++j) out.push_back(std::sqrt(squares(j)));
  }
  return out;
}

// The median distance between rows; where most of them coincide, between those that do not; 1 where all do.
inline double typical_distance(const ConstMatrixView& X) {
  if (X.rows() < 2) return 1.0;
  require_spread_of_columns(X);
  std::vector<double> distances = batch_distances(X);
  if (std::any_of(distances.begin(), distances.end(), [](double d) { return std::isnan(d); })) return 1.0;
  double typical = median(distances);
  if (typical == 0) {
    distances.erase(std::remove(distances.begin(), distances.end(), 0.0), distances.end());
    typical = median(std::move(distances));
  }
  return std::isnan(typical) ? 1.0 : typical;
}

// One for each column: a distance of one in every scaled column adds up to one in all.
inline Vector typical_distances(const ConstMatrixView& X) {
  Vector out(X.cols());
  for (Index d = 0; d < X.cols(); ++d)
    out(d) = std::sqrt(static_cast<double>(X.cols())) * typical_distance(X.col(d));
  return out;
}

// K knots: of the distinct values of a column the least, the largest, and those at even shares between them;
// evenly spread where there are too few.
inline Vector spread_knots(const ConstVectorView& column, Index K) {
  std::vector<double> all(column.data(), column.data() + column.size());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Vector out(K);
  const double last = static_cast<double>(all.size()) - 1.0, segments = static_cast<double>(K - 1);
  if (last >= segments) {
    for (Index k = 0; k < K; ++k)
      out(k) = all[static_cast<std::size_t>(std::lround(last * static_cast<double>(k) / segments))];
    return out;
  }
  const double low = all.empty() ? 0.0 : all.front(), high = all.empty() ? 0.0 : all.back();
  return Vector::LinSpaced(K, low, high > low ? high : low + 1.0);
}

inline double output_variance(const ConstVectorView& y) {
  if (y.size() < 2) return 1.0;
  require_spread(y, "`y`");
  const double v = (y.array() - y.mean()).square().sum() / static_cast<double>(y.size() - 1);
  return v > 0 && std::isfinite(v) ? v : 1.0;
}

inline double middle_of(const ConstVectorView& y, double share = 0.5) {
  std::vector<double> all(y.data(), y.data() + y.size());
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

// That of a normal distribution with as wide a middle half; where that is all alike, the variance. Where all
// are, their size, as nothing else has their unit.
inline double robust_variance(const ConstVectorView& y) {
  if (y.size() > 0 && y.minCoeff() == y.maxCoeff()) return y(0) * y(0) > 0 ? y(0) * y(0) : 1.0;
  if (y.size() < 4) return output_variance(y);
  const double sd = (middle_of(y, 0.75) - middle_of(y, 0.25)) / 1.349;
  return sd > 0 && std::isfinite(sd * sd) ? sd * sd : output_variance(y);
}

}  // namespace gpstream

#endif
