// A kernel of some columns of the inputs: what it is of a matrix of those alone, to the last bit.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../linear/require.h"
#include "../linear/types.h"
#include "along.h"
#include "kernel.h"
#include "kernels.h"

namespace gpstream {

namespace {

class OnColumns final : public Kernel {
 public:
  explicit OnColumns(KernelSpec spec)
      : Kernel(std::move(spec)), inner_(make_kernel(without_columns(this->spec()))) {
    const std::vector<Index>& own = columns();
    for (const Index d : own) most_ = std::max(most_, d);
    require(*std::min_element(own.begin(), own.end()) >= 0 && inner_->fits(count()), "dimension",
            "kernel \"" + this->spec().name + "\" cannot be used on " + std::to_string(count()) + " column" +
                (count() == 1 ? "." : "s."));
    for (std::size_t i = 1; i < own.size(); ++i) side_by_side_ = side_by_side_ && own[i] == own[i - 1] + 1;
  }

  void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const override {
    require_fit(A, B);
    if (side_by_side_) return inner_->value(beside(A), beside(B), out);
    inner_->value(gathered(A), gathered(B), out);
  }

  void diagonal(const ConstMatrixView& A, VectorView out) const override {
    if (side_by_side_) return inner_->diagonal(beside(A), out);
    inner_->diagonal(gathered(A), out);
  }
  bool unit_diagonal() const override { return inner_->unit_diagonal(); }

  std::vector<Parameter> parameters() const override { return inner_->parameters(); }
  Index parameter_count() const override { return inner_->parameter_count(); }
  KernelSpec with_parameters(const ConstVectorView& values) const override {
    KernelSpec out = inner_->with_parameters(values);
    out.columns = columns();
    return out;
  }

  void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                 VectorView slope, MatrixView inputs) const override {
    require_fit(A, B);
    Matrix own = Matrix::Zero(inputs.rows(), count());
    inner_->pull_back(gathered(A), gathered(B), bar, slope, own);
    scatter(own, inputs);
  }

  void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                     MatrixView inputs) const override {
    Matrix own = Matrix::Zero(inputs.rows(), count());
    inner_->pull_diagonal(gathered(A), bar, slope, own);
    scatter(own, inputs);
  }

  std::optional<Along> along(const ConstMatrixView& A, const ConstMatrixView& B, Index d) const override {
    require_fit(A, B);
    const auto own = std::find(columns().begin(), columns().end(), d);
    if (own == columns().end()) return Along(Kernel::value(A, B));
    return inner_->along(gathered(A), gathered(B), own - columns().begin());
  }

  Vector amplitude_slope() const override { return inner_->amplitude_slope(); }
  bool fits(Index D) const override { return most_ < D; }
  bool correlation_tells() const override { return inner_->correlation_tells(); }

  // Along other columns it does not fall at all: these have a radius and a ball only where it is on all.
  std::optional<Vector> radius(double rho, Index D) const override {
    if (!is_whole(D)) return std::nullopt;
    return inner_->radius(rho, D);
  }
  std::optional<Ball> ball(double rho, Index D) const override {
    if (!is_whole(D)) return std::nullopt;
    return inner_->ball(rho, D);
  }

 private:
  const std::vector<Index>& columns() const { return spec().columns; }
  Index count() const { return static_cast<Index>(columns().size()); }
  bool is_whole(Index D) const { return side_by_side_ && columns().front() == 0 && count() == D; }

  static KernelSpec without_columns(KernelSpec spec) {
    spec.columns.clear();
    return spec;
  }
  void require_fit(const ConstMatrixView& A, const ConstMatrixView& B) const {
    require(fits(A.cols()) && A.cols() == B.cols(), "dimension",
            "kernel and inputs differ in their number of columns.");
  }

  ConstMatrixView beside(const ConstMatrixView& A) const { return A.middleCols(columns().front(), count()); }
  Matrix gathered(const ConstMatrixView& A) const {
    Matrix out(A.rows(), count());
    for (Index d = 0; d < count(); ++d) out.col(d) = A.col(columns()[static_cast<std::size_t>(d)]);
    return out;
  }
  void scatter(const Matrix& own, MatrixView inputs) const {
    if (inputs.rows() == 0) return;
    for (Index d = 0; d < count(); ++d) inputs.col(columns()[static_cast<std::size_t>(d)]) += own.col(d);
  }

  KernelPtr inner_;
  Index most_ = 0;
  bool side_by_side_ = true;
};

}  // namespace

KernelPtr make_on_columns(const KernelSpec& spec) { return std::make_shared<OnColumns>(spec); }

}  // namespace gpstream
