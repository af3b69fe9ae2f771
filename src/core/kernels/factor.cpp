// Levels that are all equally alike: k1 = 1 for the same level, the `correlation` c for two others. A level
// is what its columns have in common, a code in one column or zeros and ones in several.
#include <memory>
#include <utility>

#include "../linear/require.h"
#include "../linear/types.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Factor final : public UnitLeaf {
 public:
  explicit Factor(KernelSpec spec)
      : UnitLeaf(std::move(spec), {{"correlation", 0.0, 1.0, false}}), c_(extra("correlation")) {
    require_no_lengthscale();
    require(c_ >= 0 && c_ < 1, "parameter", "`correlation` must be at least 0 and below 1.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = 0; i < A.rows(); ++i) out(i, j) = same(A, i, B, j) ? 1.0 : c_;
  }
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView) const override {
    require_fit(A, B);
    for (Index j = 0; j < B.rows(); ++j)
      for (Index i = 0; i < A.rows(); ++i)
        if (!same(A, i, B, j)) slope(1) += bar(i, j);
  }
  bool fits(Index D) const override { return D > 0; }

 private:
  static bool same(const ConstMatrixView& A, Index i, const ConstMatrixView& B, Index j) {
    for (Index d = 0; d < A.cols(); ++d)
      if (A(i, d) != B(j, d)) return false;
    return true;
  }

  double c_;
};

}  // namespace

KernelPtr make_factor(const KernelSpec& spec) { return std::make_shared<Factor>(spec); }

}  // namespace gpstream
