// A function of one column that is straight between knots and constant beyond them, 0 at the first: what
// lengthscales, amplitudes and warps that vary are made of. Its values at the other knots are parameters.
#ifndef GPSTREAM_KERNELS_KNOTS_H
#define GPSTREAM_KERNELS_KNOTS_H

#include <string>
#include <vector>

#include "../linear/types.h"
#include "../read/gradient.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

// Values at the knots after the first, as shape parameters "name2", "name3", ...
std::vector<Extra> knot_values(const KernelSpec& spec, const std::string& name);

class Knots {
 public:
  Knots(const KernelSpec& spec, const std::string& name);

  Index size() const { return at_.size(); }
  Index column() const { return column_; }

  // Where x lies: behind knot k, by a fraction f of the way to the next; outside, at an end.
  struct Place {
    Index k;
    double f;
    bool inside;
  };
  Place place(double x) const;
  double width(Index k) const { return at_(k + 1) - at_(k); }
  double rise(Index k) const { return values_(k + 1) - values_(k); }
  double value(Index k) const { return values_(k); }
  double knot(Index k) const { return at_(k); }

  double at(const Place& p) const { return values_(p.k) + p.f * rise(p.k); }
  double slope(const Place& p) const { return p.inside ? rise(p.k) / width(p.k) : 0.0; }
  // Adds g d(value at x) / d(values at the knots after the first).
  void pull(const Place& p, double g, VectorView slope) const;

  std::vector<Place> places(const ConstMatrixView& A) const;
  Vector slopes(const ConstMatrixView& A) const;
  // e^value, one at a time: it must not depend on where in an array a row stands
  Vector exp_at(const std::vector<Place>& places) const;

 private:
  Vector at_, values_;
  Index column_ = 0;
};

}  // namespace gpstream

#endif
