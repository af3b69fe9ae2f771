// A function of one column that is straight between knots and constant beyond them, 0 at the first: what
// lengthscales, amplitudes and warps that vary are made of. Its values at the other knots are parameters.
#ifndef GPSTREAM_KERNELS_KNOTS_H
#define GPSTREAM_KERNELS_KNOTS_H

#include <algorithm>

#include "leaf.h"

namespace gpstream {

// Values at the knots after the first, as shape parameters "name2", "name3", ...
inline std::vector<Extra> knot_values(const KernelSpec& spec, const std::string& name) {
  const Index K = constant_of(spec, "knots").size();
  std::vector<Extra> out;
  for (Index k = 2; k <= K; ++k) out.push_back({name + std::to_string(k), -4.0, 4.0, false});
  return out;
}

class Knots {
 public:
  Knots(const KernelSpec& spec, const std::string& name) : at_(constant_of(spec, "knots")) {
    const Index K = at_.size();
    bool rising = K >= 2;
    for (Index k = 1; k < K; ++k) rising = rising && at_(k) > at_(k - 1);
    require(rising, "parameter", "`knots` must be at least two numbers, each larger than the one before it.");
    values_ = Vector::Zero(K);
    for (Index k = 1; k < K; ++k) {
      const auto found = spec.extras.find(name + std::to_string(k + 1));
      require(found != spec.extras.end() && std::isfinite(found->second), "parameter",
              "kernel \"" + spec.name + "\" needs a finite value at each of its knots but the first.");
      values_(k) = found->second;
    }
    const auto along = spec.fixed.find("along");
    if (along != spec.fixed.end()) {
      require(along->second.size() == 1 && along->second(0) >= 1 && along->second(0) <= 1e6, "parameter",
              "`along` must be the number of a column.");
      column_ = static_cast<Index>(along->second(0)) - 1;
    }
  }

  Index size() const { return at_.size(); }
  Index column() const { return column_; }

  // Where x lies: behind knot k, by a fraction f of the way to the next; outside, at an end.
  struct Place {
    Index k;
    double f;
    bool inside;
  };
  Place place(double x) const {
    const double* const first = at_.data();
    const Index K = size();
    const Index above = std::upper_bound(first, first + K, x) - first;
    const Index k = std::min(std::max<Index>(above - 1, 0), K - 2);
    const double f = (x - at_(k)) / width(k);
    return {k, std::min(std::max(f, 0.0), 1.0), x >= at_(0) && x < at_(K - 1)};
  }
  double width(Index k) const { return at_(k + 1) - at_(k); }
  double rise(Index k) const { return values_(k + 1) - values_(k); }
  double value(Index k) const { return values_(k); }
  double knot(Index k) const { return at_(k); }

  double at(const Place& p) const { return values_(p.k) + p.f * rise(p.k); }
  double slope(const Place& p) const { return p.inside ? rise(p.k) / width(p.k) : 0.0; }
  // Adds g d(value at x) / d(values at the knots after the first).
  void pull(const Place& p, double g, VectorView slope) const {
    if (p.k > 0) slope(p.k - 1) += g * (1.0 - p.f);
    slope(p.k) += g * p.f;
  }

  std::vector<Place> places(const ConstMatrixView& A) const {
    std::vector<Place> out;
    out.reserve(static_cast<std::size_t>(A.rows()));
    for (Index i = 0; i < A.rows(); ++i) out.push_back(place(A(i, column_)));
    return out;
  }
  Vector slopes(const ConstMatrixView& A) const {
    Vector out(A.rows());
    for (Index i = 0; i < A.rows(); ++i) out(i) = slope(place(A(i, column_)));
    return out;
  }
  // e^value, one at a time: it must not depend on where in an array a row stands
  Vector exp_at(const std::vector<Place>& places) const {
    Vector out(static_cast<Index>(places.size()));
    for (Index i = 0; i < out.size(); ++i) out(i) = std::exp(at(places[static_cast<std::size_t>(i)]));
    return out;
  }

 private:
  Vector at_, values_;
  Index column_ = 0;
};

}  // namespace gpstream

#endif
