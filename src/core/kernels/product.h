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
