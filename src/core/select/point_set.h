// A selector at work on its own: the points it has chosen from the rows seen so far, and which rows they
// were.
#ifndef GPSTREAM_POINT_SET_H
#define GPSTREAM_POINT_SET_H

#include <vector>

#include "../linear/growing.h"
#include "selectors.h"

namespace gpstream {

class PointSet final : public Points {
 public:
  PointSet(KernelPtr kernel, SelectorPtr selector, Index D)
      : kernel_(std::move(kernel)), selector_(std::move(selector)), D_(D) {
    require(kernel_->fits(D), "dimension", "the kernel does not fit the number of columns.");
    Z_.resize(0, D);
    selector_->start(*this);
  }

  // Restore what was saved.
  PointSet(KernelPtr kernel, SelectorPtr selector, const Matrix& Z, std::vector<double> index, double seen)
      : kernel_(std::move(kernel)),
        selector_(std::move(selector)),
        D_(Z.cols()),
        seen_(seen),
        Z_(Z),
        index_(std::move(index)) {
    require(kernel_->fits(D_) && Z.rows() == static_cast<Index>(index_.size()), "corrupt",
            "the saved points do not fit together.");
  }

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
  double update(const ConstMatrixView& X, Checkpoint check, double v = 1.0, double s2 = 0.1) {
    require(X.cols() == D_, "dimension", "the rows do not fit the number of columns.");
    const Vector unknown(0);
    const Batch batch{X, unknown, v, s2};
    if (std::optional<Matrix> Z = selector_->relocate(batch, *this)) {
      index_.assign(static_cast<std::size_t>(Z->rows()), 0.0);
      Z_ = GrowingMatrix(*Z);
    }
    const Index before = Z_.rows();
    turned_away_ = 0.0;
    try {
      selector_->select(batch, *this, check);
    } catch (...) {
      Z_.resize(before, D_);
      index_.resize(static_cast<std::size_t>(before));
      throw;
    }
    for (std::size_t i = static_cast<std::size_t>(before); i < index_.size(); ++i)
      if (index_[i] > 0) index_[i] += seen_;
    seen_ += static_cast<double>(X.rows());
    return turned_away_;
  }

  // Notes the row within this call; `update` makes it a position in the stream.
  bool join(const ConstMatrixView& z, Index row) override {
    const Index M = Z_.rows();
    Z_.resize(M + 1, D_);
    Z_.view().row(M) = z.row(0);
    index_.push_back(static_cast<double>(row) + 1.0);
    return true;
  }
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
