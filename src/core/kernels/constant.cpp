// The same everywhere: k1 = 1.
#include <memory>
#include <optional>
#include <utility>

#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

namespace {

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

}  // namespace

KernelPtr make_constant(const KernelSpec& spec) { return std::make_shared<Constant>(spec); }

}  // namespace gpstream
