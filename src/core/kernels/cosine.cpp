// One wave: k1 = cos(2 pi sum_d frequency_d (x - z)_d), of rank 2.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../linear/types.h"
#include "along.h"
#include "circle.h"
#include "entries.h"
#include "kernel.h"
#include "leaf.h"

namespace gpstream {

namespace {

class Cosine final : public UnitLeaf {
 public:
  explicit Cosine(const KernelSpec& spec) : UnitLeaf(spec, frequencies(spec)) {
    require_no_lengthscale();
    mu_.resize(extra_count());
    for (Index d = 0; d < mu_.size(); ++d) mu_(d) = extra(name(d, mu_.size()));
  }

  // 1 - 2 sin(pi t)^2, t waves apart: 1 for equal rows
  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    const Matrix a = on_circle(A), b = on_circle(B);
    in_blocks(A.rows(), B.rows(), [&](Index j, Index n) {
      squared_distances(a, b.middleRows(j, n), Vector::Ones(1), out.middleCols(j, n));
      out.middleCols(j, n).array() = 1.0 - 2.0 * out.middleCols(j, n).array();
    });
  }

  // dk1/d frequency_d = -2 pi sin(2 pi t) (x - z)_d
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    require_fit(A, B);
    const Matrix a = on_circle(A), b = on_circle(B);
    Vector w(A.rows());
    for (Index j = 0; j < B.rows(); ++j) {
      w = (-4.0 * 6.283185307179586) * bar.col(j).array() *
          (a.col(1).array() * b(j, 0) - a.col(0).array() * b(j, 1));
      for (Index d = 0; d < mu_.size(); ++d) {
        slope(1 + d) += w.dot((A.col(d).array() - B(j, d)).matrix());
        if (inputs.rows() > 0) inputs.col(d) += mu_(d) * w;
      }
    }
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    const double w = 6.283185307179586 * mu_(d);
    const Matrix a = on_circle(A), b = on_circle(B);
    for (Index j = 0; j < B.rows(); ++j) out.b.col(j) = 4.0 * w * (a.col(1) * b(j, 0) - a.col(0) * b(j, 1));
    out.a = -out.b;
    out.ab = w * w * out.k;
    return out;
  }

  bool fits(Index D) const override { return mu_.size() == D; }
  bool correlation_tells() const override { return false; }

 private:
  static std::string name(Index d, Index D) {
    return D == 1 ? "frequency" : "frequency" + std::to_string(d + 1);
  }
  // As many as were given, "frequency" or "frequency1", "frequency2", ...
  static std::vector<Extra> frequencies(const KernelSpec& spec) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const Index D = std::max<Index>(1, static_cast<Index>(spec.extras.size()));
    std::vector<Extra> out;
    for (Index d = 0; d < D; ++d) out.push_back({name(d, D), -infinite, infinite, false, true});
    return out;
  }

  // Where each row is in its wave, rows of any size.
  Matrix on_circle(const ConstMatrixView& A) const {
    Vector turns = Vector::Zero(A.rows());
    for (Index i = 0; i < A.rows(); ++i)
      for (Index d = 0; d < mu_.size(); ++d) {
        const double waves = mu_(d) * A(i, d);
        // far from 0 a rounded product of the two would lose its place: fma() has the rest of it
        if (std::isfinite(waves)) turns(i) += std::fmod(waves, 1.0) + std::fma(mu_(d), A(i, d), -waves);
      }
    Matrix out(A.rows(), 2);
    put_on_circle(turns, out.col(0), out.col(1));
    return out;
  }

  Vector mu_;
};

}  // namespace

KernelPtr make_cosine(const KernelSpec& spec) { return std::make_shared<Cosine>(spec); }

}  // namespace gpstream
