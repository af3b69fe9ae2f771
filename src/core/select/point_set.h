// A selector at work on its own: the points it has chosen from the rows seen so far, and which rows they
// were.
#ifndef GPSTREAM_POINT_SET_H
#define GPSTREAM_POINT_SET_H

#include <vector>

#include "../kernels/kernel.h"
#include "../linear/growing.h"
#include "../linear/types.h"
#include "selector.h"

namespace gpstream {

class PointSet final : public Points {
 public:
  PointSet(KernelPtr kernel, SelectorPtr selector, Index D);

  // Restore what was saved.
  PointSet(KernelPtr kernel, SelectorPtr selector, const Matrix& Z, std::vector<double> index, double seen);

  const Kernel& kernel() const override { return *kernel_; }
  const Selector& selector() const { return *selector_; }
  ConstMatrixView points() const override { return Z_.view(); }
  Index columns() const { return D_; }
  const std::vector<double>& index() const {
    return index_;
  }  // positions in the stream from 1, or 0 for given points
  double seen() const { return seen_; }
  double bytes() const { return 8.0 * static_cast<double>(Z_.rows() * (D_ + 1)); }

  // The number of rows turned away. A model that knows no outputs takes the noise to be a tenth of the
  // variance.
  double update(const ConstMatrixView& X, Checkpoint check, double v = 1.0, double s2 = 0.1);

  // Notes the row within this call; `update` makes it a position in the stream.
  bool join(const ConstMatrixView& z, Index row) override;
  void turn_away(Index) override { turned_away_ += 1.0; }

 private:
  KernelPtr kernel_;
  SelectorPtr selector_;
  Index D_;
  double seen_ = 0.0, turned_away_ = 0.0;  // rows; the latter of the last update
  GrowingMatrix Z_;
  std::vector<double> index_;
};

}  // namespace gpstream

#endif
