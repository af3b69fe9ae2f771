// A product of kernels. Its amplitude is the product of the amplitudes.
#ifndef GPSTREAM_KERNELS_PRODUCT_H
#define GPSTREAM_KERNELS_PRODUCT_H

#include "composite.h"

namespace gpstream {

class Product final : public Composite {
 public:
  using Composite::Composite;

  // A factor changes what a row correlates with only where it varies.
  bool correlation_tells() const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const KernelPtr& one) { return one->correlation_tells(); });
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    Along out(Matrix::Ones(A.rows(), B.rows()));
    for (const KernelPtr& part : parts_) {
      const std::optional<Along> one = part->along(A, B, d);
      if (!one) return std::nullopt;
      out.ab = out.ab.cwiseProduct(one->k) + out.a.cwiseProduct(one->b) + out.b.cwiseProduct(one->a) +
               out.k.cwiseProduct(one->ab);
      out.a = out.a.cwiseProduct(one->k) + out.k.cwiseProduct(one->a);
      out.b = out.b.cwiseProduct(one->k) + out.k.cwiseProduct(one->b);
      out.k = out.k.cwiseProduct(one->k);
    }
    return out;
  }

 protected:
  void combine(const Of& of, MatrixView out, Matrix& one) const override {
    of(*parts_.front(), out);
    one.resize(out.rows(), out.cols());
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      of(*parts_[i], one);
      out.array() *= one.array();
    }
  }

  void pull(const Of& of, const Pull& pull_part, const ConstMatrixView& bar,
            VectorView slope) const override {
    Matrix others(bar.rows(), bar.cols()), one(bar.rows(), bar.cols());
    each_part(slope, [&](const Kernel& part, VectorView own) {
      others = bar;
      for (const KernelPtr& other : parts_) {
        if (other.get() == &part) continue;
        of(*other, one);
        others.array() *= one.array();
      }
      pull_part(part, others, own);
    });
  }

  double amplitude(const std::vector<KernelSpec>& parts) const override {
    double v = 1.0;
    for (const KernelSpec& part : parts) v *= part.variance;
    return v;
  }

  double weight(const Kernel&) const override { return 1.0; }
};

}  // namespace gpstream

#endif
