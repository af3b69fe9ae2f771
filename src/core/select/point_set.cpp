#include "point_set.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "../linear/require.h"

namespace gpstream {

PointSet::PointSet(KernelPtr kernel, SelectorPtr selector, Index D)
    : kernel_(std::move(kernel)), selector_(std::move(selector)), D_(D) {
  require(kernel_->fits(D), "dimension", "the kernel does not fit the number of columns.");
  Z_.resize(0, D);
  selector_->start(*this);
}

PointSet::PointSet(KernelPtr kernel, SelectorPtr selector, const Matrix& Z, std::vector<double> index,
                   double seen)
    : kernel_(std::move(kernel)),
      selector_(std::move(selector)),
      D_(Z.cols()),
      seen_(seen),
      Z_(Z),
      index_(std::move(index)) {
  require(kernel_->fits(D_) && Z.rows() == static_cast<Index>(index_.size()), "corrupt",
          "the saved points do not fit together.");
}

double PointSet::update(const ConstMatrixView& X, Checkpoint check, double v, double s2) {
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

bool PointSet::join(const ConstMatrixView& z, Index row) {
  const Index M = Z_.rows();
  Z_.resize(M + 1, D_);
  Z_.view().row(M) = z.row(0);
  index_.push_back(static_cast<double>(row) + 1.0);
  return true;
}

}  // namespace gpstream
