// A sum of kernels. Its amplitude is the sum of the parts' amplitudes, and their shares s_j = v_j / v of it
// belong to the unit kernel, k1 = sum_j s_j k1_j.
#ifndef GPSTREAM_KERNELS_SUM_H
#define GPSTREAM_KERNELS_SUM_H

#include "composite.h"

namespace gpstream {

class Sum final : public Composite {
 public:
  using Composite::Composite;

  bool correlation_tells() const override {
    return same_columns() && std::all_of(parts_.begin(), parts_.end(),
                                         [](const KernelPtr& one) { return one->correlation_tells(); });
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Matrix::Zero(A.rows(), B.rows()));
    for (const KernelPtr& part : parts_) {
      const std::optional<Along> one = part->along(A, B, d);
      if (!one) return std::nullopt;
      const double s = weight(*part);
      out.k += s * one->k;
      out.a += s * one->a;
      out.b += s * one->b;
      out.ab += s * one->ab;
    }
    return out;
  }

 protected:
  void combine(const Of& of, MatrixView out, Matrix& one) const override {
    of(*parts_.front(), out);
    double so_far = weight(*parts_.front());  // 1 where it is alone
    one.resize(out.rows(), out.cols());
    for (std::size_t i = 1; i < parts_.size(); ++i, so_far = 1.0) {
      of(*parts_[i], one);
      for (Index j = 0; j < out.cols(); ++j)
        out.col(j) = so_far * out.col(j) + weight(*parts_[i]) * one.col(j);
    }
  }

  // dk1/dlog v_j = s_j (k1_j - k1)
  void pull(const Of& of, const Pull& pull_part, const ConstMatrixView& bar,
            VectorView slope) const override {
    Matrix one, together(bar.rows(), bar.cols());
    combine(of, together, one);
    const double all = bar.cwiseProduct(together).sum();
    one.resize(bar.rows(), bar.cols());
    each_part(slope, [&](const Kernel& part, VectorView own) {
      const double s = weight(part);
      const Matrix weighted = s * bar;
      of(part, one);
      pull_part(part, weighted, own);
      own += (weighted.cwiseProduct(one).sum() - s * all) * part.amplitude_slope();
    });
  }

  double amplitude(const std::vector<KernelSpec>& parts) const override {
    double v = 0.0;
    for (const KernelSpec& part : parts) v += part.variance;
    return v;
  }

  double weight(const Kernel& part) const override { return part.variance() / variance(); }

 private:
  bool same_columns() const {
    return std::all_of(parts_.begin(), parts_.end(), [&](const KernelPtr& one) {
      return columns_of(one->spec()) == columns_of(parts_.front()->spec());
    });
  }
};

}  // namespace gpstream

#endif
