// Kernels made of others. Matrices and diagonals are put together from those of the parts in the same way, so
// a sum or a product says it once, for both.
#ifndef GPSTREAM_KERNELS_COMPOSITE_H
#define GPSTREAM_KERNELS_COMPOSITE_H

#include <functional>
#include <optional>
#include <vector>

#include "../linear/types.h"
#include "kernel.h"

namespace gpstream {

class Composite : public Kernel {
 public:
  explicit Composite(KernelSpec spec);

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final;

  void diagonal(const ConstMatrixView& A, VectorView out) const final;

  bool unit_diagonal() const final;

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const final;

  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const final;

  bool fits(Index D) const final;

  // Those of the parts, one after the other, under the name of the part: "se.variance", "se1.variance".
  std::vector<Parameter> parameters() const final;

  Index parameter_count() const final;

  KernelSpec with_parameters(const ConstVectorView& values) const final;

  Vector amplitude_slope() const final;

  // Every part decreases along an axis, so the composite does: bracket, then bisect to the last bit.
  std::optional<Vector> radius(double rho, Index D) const final;

 protected:
  // The values, or the diagonal, of a part.
  using Of = std::function<void(const Kernel& part, MatrixView out)>;
  // pull_back, or pull_diagonal, of a part.
  using Pull = std::function<void(const Kernel& part, const Matrix& bar, VectorView slope)>;

  // `one`: room for what a part has, kept from one call to the next.
  virtual void combine(const Of& of, MatrixView out, Matrix& one) const = 0;
  virtual void pull(const Of& of, const Pull& part, const ConstMatrixView& bar, VectorView slope) const = 0;
  virtual double amplitude(const std::vector<KernelSpec>& parts) const = 0;
  virtual double weight(const Kernel& part) const = 0;  // d log v / d log(amplitude of the part)

  // f of each part and its segment of the slopes.
  template <class Function>
  void each_part(VectorView slope, Function f) const {
    Index at = 0;
    for (const KernelPtr& part : parts_) {
      f(*part, VectorView(slope.segment(at, part->parameter_count())));
      at += part->parameter_count();
    }
  }

  std::vector<KernelPtr> parts_;

 private:
  static Of diagonal_of(const ConstMatrixView& A);

  double at_distance(double t, Index d, Index D) const;
};

}  // namespace gpstream

#endif
