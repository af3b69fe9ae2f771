// Sums and products of kernels. The amplitude of a sum is the sum of the amplitudes, and the parts' shares of
// it belong to the unit kernel; the amplitude of a product is the product.
#ifndef GPSTREAM_KERNELS_COMPOSITE_H
#define GPSTREAM_KERNELS_COMPOSITE_H

#include <algorithm>

#include "kernel.h"

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

  Index parameter_count() const final {
    Index count = 0;
    for (const KernelPtr& part : parts_) count += part->parameter_count();
    return count;
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
      out += share(part) * one;
    }
  }

  // k1 = sum_j s_j k1_j with shares s_j = v_j / v:  dk1/dlog v_j = s_j (k1_j - k1)
  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    Matrix one(A.rows(), B.rows());
    correlation(A, B, one);
    const double all = bar.cwiseProduct(one).sum();
    Index at = 0;
    for (const KernelPtr& part : parts_) {
      const double s = share(part);
      const Matrix weighted = s * bar;
      part->correlation(A, B, one);
      VectorView own = slope.segment(at, part->parameter_count());
      part->pull_back(A, B, weighted, own, inputs);
      own += (weighted.cwiseProduct(one).sum() - s * all) * part->amplitude_slope();
      at += part->parameter_count();
    }
  }

  Vector amplitude_slope() const override {
    Vector out(parameter_count());
    Index at = 0;
    for (const KernelPtr& part : parts_) {
      out.segment(at, part->parameter_count()) = share(part) * part->amplitude_slope();
      at += part->parameter_count();
    }
    return out;
  }

 private:
  double share(const KernelPtr& part) const { return part->variance() / variance(); }
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

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    Matrix others(A.rows(), B.rows()), one(A.rows(), B.rows());
    Index at = 0;
    for (const KernelPtr& part : parts_) {
      others = bar;
      for (const KernelPtr& other : parts_) {
        if (other == part) continue;
        other->correlation(A, B, one);
        others.array() *= one.array();
      }
      part->pull_back(A, B, others, slope.segment(at, part->parameter_count()), inputs);
      at += part->parameter_count();
    }
  }

  Vector amplitude_slope() const override {
    Vector out(parameter_count());
    Index at = 0;
    for (const KernelPtr& part : parts_) {
      out.segment(at, part->parameter_count()) = part->amplitude_slope();
      at += part->parameter_count();
    }
    return out;
  }
};

}  // namespace gpstream

#endif
