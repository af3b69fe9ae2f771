#include "composite.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "../linear/require.h"
#include "entries.h"
#include "kernels.h"

namespace gpstream {

Composite::Composite(KernelSpec spec) : Kernel(std::move(spec)) {
  require(!this->spec().parts.empty(), "parameter", "a sum or product of kernels needs at least one part.");
  for (const KernelSpec& part : this->spec().parts) parts_.push_back(make_kernel(part));
  require(this->spec().extras.empty() && this->spec().fixed.empty() && this->spec().lengthscale.size() == 0,
          "parameter", "a sum or product of kernels was given a parameter that it does not have.");
}

void Composite::value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const {
  Matrix one;
  in_blocks(A.rows(), B.rows(), [&](Index j, Index n) {
    combine([&](const Kernel& part, MatrixView own) { part.value(A, B.middleRows(j, n), own); },
            out.middleCols(j, n), one);
  });
}

void Composite::diagonal(const ConstMatrixView& A, VectorView out) const {
  if (unit_diagonal())
    out.setOnes();
  else {
    Matrix one;
    combine(diagonal_of(A), out, one);
  }
}

bool Composite::unit_diagonal() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const KernelPtr& one) { return one->unit_diagonal(); });
}

void Composite::pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                          VectorView slope, MatrixView inputs) const {
  pull([&](const Kernel& part, MatrixView one) { part.value(A, B, one); },
       [&](const Kernel& part, const Matrix& own_bar, VectorView own) {
         part.pull_back(A, B, own_bar, own, inputs);
       },
       bar, slope);
}

void Composite::pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                              MatrixView inputs) const {
  if (unit_diagonal()) return;
  pull(
      diagonal_of(A),
      [&](const Kernel& part, const Matrix& own_bar, VectorView own) {
        part.pull_diagonal(A, own_bar.col(0), own, inputs);
      },
      bar, slope);
}

bool Composite::fits(Index D) const {
  return std::all_of(parts_.begin(), parts_.end(), [D](const KernelPtr& one) { return one->fits(D); });
}

std::vector<Parameter> Composite::parameters() const {
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

Index Composite::parameter_count() const {
  Index count = 0;
  for (const KernelPtr& part : parts_) count += part->parameter_count();
  return count;
}

KernelSpec Composite::with_parameters(const ConstVectorView& values) const {
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

Vector Composite::amplitude_slope() const {
  Vector out(parameter_count());
  each_part(out, [&](const Kernel& part, VectorView own) { own = weight(part) * part.amplitude_slope(); });
  return out;
}

std::optional<Vector> Composite::radius(double rho, Index D) const {
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

Composite::Of Composite::diagonal_of(const ConstMatrixView& A) {
  return [&A](const Kernel& part, MatrixView one) { part.diagonal(A, one.col(0)); };
}

double Composite::at_distance(double t, Index d, Index D) const {
  Matrix origin = Matrix::Zero(1, D), away = Matrix::Zero(1, D);
  away(0, d) = t;
  return Kernel::value(origin, away)(0, 0);
}

namespace {

// A sum of kernels. Its amplitude is the sum of the parts' amplitudes, and their shares s_j = v_j / v of it
// belong to the unit kernel, k1 = sum_j s_j k1_j.
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

}  // namespace

KernelPtr make_sum(const KernelSpec& spec) { return std::make_shared<Sum>(spec); }

namespace {

// A product of kernels. Its amplitude is the product of the amplitudes.
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

}  // namespace

KernelPtr make_product(const KernelSpec& spec) { return std::make_shared<Product>(spec); }

}  // namespace gpstream
