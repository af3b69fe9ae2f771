// One wave: k1 = cos(2 pi sum_d frequency_d (x - z)_d), of rank 2.
#ifndef GPSTREAM_KERNELS_COSINE_H
#define GPSTREAM_KERNELS_COSINE_H

#include "entries.h"
#include "leaf.h"

namespace gpstream {

class Cosine final : public UnitLeaf {
 public:
  explicit Cosine(const KernelSpec& spec) : UnitLeaf(spec, frequencies(spec)) {
    require_no_lengthscale();
    mu_.resize(extra_count());
    for (Index d = 0; d < mu_.size(); ++d) mu_(d) = extra(name(d, mu_.size()));
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    phases(A, B, out);
    in_lanes(out, [](auto& t) GPSTREAM_ALWAYS {
      vector::sin_pi(t);
      t = 1.0 - 2.0 * t * t;
    });
  }

  // dk1/d frequency_d = -2 pi sin(2 pi phase) (x - z)_d
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    Matrix w(A.rows(), B.rows());
    phases(A, B, w);
    in_lanes(w, [](auto& t) GPSTREAM_ALWAYS {
      t *= 2.0;
      vector::sin_pi(t);
    });
    w.array() *= -6.283185307179586 * bar.array();
    for (Index d = 0; d < mu_.size(); ++d) {
      Vector t(A.rows());
      for (Index j = 0; j < B.rows(); ++j) {
        t = A.col(d).array() - B(j, d);
        slope(1 + d) += w.col(j).dot(t);
      }
      if (inputs.rows() > 0) inputs.col(d) += mu_(d) * w.rowwise().sum();
    }
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Kernel::value(A, B));
    const double w = 6.283185307179586 * mu_(d);
    phases(A, B, out.b);
    each(out.b, [w](double t) { return w * std::sin(6.283185307179586 * t); });
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

  // Where each row is in its wave: rows of any size stay on one circle.
  Vector phase(const ConstMatrixView& A) const {
    Vector out = Vector::Zero(A.rows());
    for (Index i = 0; i < A.rows(); ++i)
      for (Index d = 0; d < mu_.size(); ++d) {
        const double waves = mu_(d) * A(i, d);
        if (std::isfinite(waves)) out(i) += std::fmod(waves, 1.0);
      }
    return out;
  }
  void phases(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const {
    require_fit(A, B);
    const Vector a = phase(A), b = phase(B);
    for (Index j = 0; j < B.rows(); ++j) out.col(j) = a.array() - b(j);
  }

  Vector mu_;
};

}  // namespace gpstream

#endif
