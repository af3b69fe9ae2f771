// Set aside: rows that leave the look-back while the points explain too little of them. What is left of such
// a row would be taken for noise, so it settles with a site of zeros, which is nothing.  [derivation 16]
#ifndef GPSTREAM_ASIDE_H
#define GPSTREAM_ASIDE_H

#include <limits>
#include <vector>

#include "../kernels/diagonal.h"
#include "site.h"

namespace gpstream {

class SetAside {
 public:
  // The share of its variance that may be left of a row.
  explicit SetAside(double most = std::numeric_limits<double>::infinity()) : most_(most) {}

  // So many rows will leave; the only step that can fail.
  void expect(Index rows) {
    if (possible()) rows_.assign(static_cast<std::size_t>(rows), 0);
  }

  // Rows X, of which r is left, leave as the first-th and following ones.
  void from(const Kernel& kernel, const ConstMatrixView& X, const ConstVectorView& r, Index first, Sites& S) {
    if (!possible()) return;
    const Diagonal own(kernel, X);
    for (Index i = 0; i < X.rows(); ++i)
      if (r(i) > most_ * own(i)) {
        S.row(i).setZero();
        rows_[static_cast<std::size_t>(first + i)] = 1;
      }
  }

  // Which of those that left.
  std::vector<Index> rows() const {
    std::vector<Index> out;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i]) out.push_back(static_cast<Index>(i));
    return out;
  }

 private:
  bool possible() const { return most_ < std::numeric_limits<double>::infinity(); }

  double most_;
  std::vector<char> rows_;
};

}  // namespace gpstream

#endif
