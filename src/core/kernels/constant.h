// The same everywhere: k1 = 1.
#ifndef GPSTREAM_KERNELS_CONSTANT_H
#define GPSTREAM_KERNELS_CONSTANT_H

#include "leaf.h"

namespace gpstream {

class Constant final : public UnitLeaf {
 public:
  explicit Constant(KernelSpec spec) : UnitLeaf(std::move(spec), {}) { require_no_lengthscale(); }

  void value(const ConstMatrixView&, const ConstMatrixView&, MatrixView out) const override { out.setOnes(); }
  void pull_back(const ConstMatrixView&, const ConstMatrixView&, const ConstMatrixView&, VectorView,
                 MatrixView) const override {}
  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index) const override {
    return Along(Kernel::value(A, B));
  }
  bool fits(Index) const override { return true; }
};

}  // namespace gpstream

#endif
