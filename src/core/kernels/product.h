// A product of kernels. Its amplitude is the product of the amplitudes.
#ifndef GPSTREAM_KERNELS_PRODUCT_H
#define GPSTREAM_KERNELS_PRODUCT_H

#include "composite.h"

namespace gpstream {

class Product final : public Composite {
 public:
  using Composite::Composite;

 protected:
  void combine(const Of& of, MatrixView out) const override {
    out.setOnes();
    Matrix one(out.rows(), out.cols());
    for (const KernelPtr& part : parts_) {
      of(*part, one);
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
