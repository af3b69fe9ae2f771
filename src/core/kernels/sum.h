// A sum of kernels. Its amplitude is the sum of the parts' amplitudes, and their shares s_j = v_j / v of it
// belong to the unit kernel, k1 = sum_j s_j k1_j.
#ifndef GPSTREAM_KERNELS_SUM_H
#define GPSTREAM_KERNELS_SUM_H

#include "composite.h"

namespace gpstream {

class Sum final : public Composite {
 public:
  using Composite::Composite;

 protected:
  void combine(const Of& of, MatrixView out) const override {
    out.setZero();
    Matrix one(out.rows(), out.cols());
    for (const KernelPtr& part : parts_) {
      of(*part, one);
      out += weight(*part) * one;
    }
  }

  // dk1/dlog v_j = s_j (k1_j - k1)
  void pull(const Of& of, const Pull& pull_part, const ConstMatrixView& bar,
            VectorView slope) const override {
    Matrix one(bar.rows(), bar.cols());
    combine(of, one);
    const double all = bar.cwiseProduct(one).sum();
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
};

}  // namespace gpstream

#endif
