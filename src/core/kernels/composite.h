// Sums and products of kernels. The amplitude of a sum is the sum of the amplitudes, and the parts' shares of it
// belong to the unit kernel; the amplitude of a product is the product.
#ifndef GPSTREAM_KERNELS_COMPOSITE_H
#define GPSTREAM_KERNELS_COMPOSITE_H

#include <algorithm>

#include "../kernel.h"

namespace gpstream {

KernelPtr make_kernel(const KernelSpec& spec);  // kernels.h

class Composite : public Kernel {
 public:
  explicit Composite(KernelSpec spec) : Kernel(std::move(spec)) {
    require(!this->spec().parts.empty(), "parameter", "a sum or product of kernels needs at least one part.");
    for (const KernelSpec& part : this->spec().parts) parts_.push_back(make_kernel(part));
  }

  bool fits(Index D) const final {
    for (const KernelPtr& part : parts_)
      if (!part->fits(D)) return false;
    return true;
  }

  // Every part decreases along an axis, so the composite does: bracket, then bisect to the last bit.
  Vector radius(double rho, Index D) const final {
    Vector out(D);
    for (Index d = 0; d < D; ++d) {
      double low = 0.0, high = 0.0;
      for (const KernelPtr& part : parts_) high = std::max(high, part->radius(rho, D)(d));
      for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (at_distance(middle, d, D) >= rho ? low : high) = middle;
      }
      out(d) = 0.5 * (low + high);
    }
    return out;
  }

 protected:
  std::vector<KernelPtr> parts_;

 private:
  double at_distance(double t, Index d, Index D) const {
    Matrix origin = Matrix::Zero(1, D), away = Matrix::Zero(1, D), k(1, 1);
    away(0, d) = t;
    correlation(origin, away, k);
    return k(0, 0);
  }
};

class Sum final : public Composite {
 public:
  using Composite::Composite;

  void correlation(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    out.setZero();
    Matrix one(A.rows(), B.rows());
    for (const KernelPtr& part : parts_) {
      part->correlation(A, B, one);
      out += (part->variance() / variance()) * one;
    }
  }
};

class Product final : public Composite {
 public:
  using Composite::Composite;

  void correlation(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    out.setOnes();
    Matrix one(A.rows(), B.rows());
    for (const KernelPtr& part : parts_) {
      part->correlation(A, B, one);
      out.array() *= one.array();
    }
  }
};

}  // namespace gpstream

#endif
