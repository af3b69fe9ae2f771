// Kernels made of others. Matrices and diagonals are put together from those of the parts in the same way, so
// a sum or a product says it once, for both.
#ifndef GPSTREAM_KERNELS_COMPOSITE_H
#define GPSTREAM_KERNELS_COMPOSITE_H

#include <algorithm>
#include <functional>

#include "entries.h"
#include "kernel.h"

namespace gpstream {

KernelPtr make_kernel(const KernelSpec& spec);  // kernels.h

class Composite : public Kernel {
 public:
  explicit Composite(KernelSpec spec) : Kernel(std::move(spec)) {
    require(!this->spec().parts.empty(), "parameter", "a sum or product of kernels needs at least one part.");
    for (const KernelSpec& part : this->spec().parts) parts_.push_back(make_kernel(part));
    require(this->spec().extras.empty() && this->spec().fixed.empty() && this->spec().lengthscale.size() == 0,
            "parameter", "a sum or product of kernels was given a parameter that it does not have.");
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const final {
    Matrix one;
    in_blocks(A.rows(), B.rows(), [&](Index j, Index n) {
      combine([&](const Kernel& part, MatrixView own) { part.value(A, B.middleRows(j, n), own); },
              out.middleCols(j, n), one);
    });
  }

  void diagonal(const ConstMatrixView& A, VectorView out) const final {
    if (unit_diagonal())
      out.setOnes();
    else {
      Matrix one;
      combine(diagonal_of(A), out, one);
    }
  }

  bool unit_diagonal() const final {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const KernelPtr& one) { return one->unit_diagonal(); });
  }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const final {
    pull([&](const Kernel& part, MatrixView one) { part.value(A, B, one); },
         [&](const Kernel& part, const Matrix& own_bar, VectorView own) {
           part.pull_back(A, B, own_bar, own, inputs);
         },
         bar, slope);
  }

  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const final {
    if (unit_diagonal()) return;
    pull(
        diagonal_of(A),
        [&](const Kernel& part, const Matrix& own_bar, VectorView own) {
          part.pull_diagonal(A, own_bar.col(0), own, inputs);
        },
        bar, slope);
  }

  bool fits(Index D) const final {
    return std::all_of(parts_.begin(), parts_.end(), [D](const KernelPtr& one) { return one->fits(D); });
  }

  // Those of the parts, one after the other, under the name of the part: "se.variance", "se1.variance".
  std::vector<Parameter> parameters() const final {
    std::map<std::string, int> met;
    std::vector<Parameter> out;
    for (const KernelPtr& part : parts_) {
      const int before = met[part->spec().name]++;
      const std::string prefix = part->spec().name + (before > 0 ? std::to_string(before) : "") + ".";
      for (Parameter one : part->parameters()) {
        one.name = prefix + one.name;
        out.push_back(std::move(one));
      }
    }
    return out;
  }

  Index parameter_count() const final {
    Index count = 0;
    for (const KernelPtr& part : parts_) count += part->parameter_count();
    return count;
  }

  KernelSpec with_parameters(const ConstVectorView& values) const final {
    require(values.size() == parameter_count(), "dimension",
            "a kernel needs as many values as it has parameters.");
    KernelSpec out = spec();
    bool same = true;
    Index at = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      out.parts[i] = parts_[i]->with_parameters(values.segment(at, parts_[i]->parameter_count()));
      same = same && out.parts[i].variance == spec().parts[i].variance;
      at += parts_[i]->parameter_count();
    }
    if (!same) out.variance = amplitude(out.parts);
    return out;
  }

  Vector amplitude_slope() const final {
    Vector out(parameter_count());
    each_part(out, [&](const Kernel& part, VectorView own) { own = weight(part) * part.amplitude_slope(); });
    return out;
  }

  // Every part decreases along an axis, so the composite does: bracket, then bisect to the last bit.
  std::optional<Vector> radius(double rho, Index D) const final {
    Vector high = Vector::Zero(D), out(D);
    for (const KernelPtr& part : parts_) {
      const std::optional<Vector> own = part->radius(rho, D);
      if (!own) return std::nullopt;
      high = high.cwiseMax(*own);
    }
    for (Index d = 0; d < D; ++d) {
      double low = 0.0;
      for (int i = 0; i < 200 && high(d) - low > 1e-16 * high(d); ++i) {
        const double middle = 0.5 * (low + high(d));
        (at_distance(middle, d, D) >= rho ? low : high(d)) = middle;
      }
      out(d) = 0.5 * (low + high(d));
    }
    return out;
  }

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
  static Of diagonal_of(const ConstMatrixView& A) {
    return [&A](const Kernel& part, MatrixView one) { part.diagonal(A, one.col(0)); };
  }

  double at_distance(double t, Index d, Index D) const {
    Matrix origin = Matrix::Zero(1, D), away = Matrix::Zero(1, D);
    away(0, d) = t;
    return Kernel::value(origin, away)(0, 0);
  }
};

}  // namespace gpstream

#endif
