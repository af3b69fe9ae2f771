#include "backends.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "backends/eigen.h"
#include "backends/wide.h"
#include "growing.h"
#include "machine.h"
#include "require.h"
#include "vector/lanes.h"

namespace gpstream {

GrowingMatrix::GrowingMatrix(const ConstMatrixView& values) {
  resize(values.rows(), values.cols());
  view() = values;
}

GrowingMatrix::GrowingMatrix(const GrowingMatrix& other) {
  reserve(std::min<Index>(std::max<Index>(other.rows_, 1), other.data_.rows()),
          std::min<Index>(std::max<Index>(other.cols_, 1), other.data_.cols()));
  resize(other.rows_, other.cols_);
  view() = other.view();
}

GrowingMatrix::GrowingMatrix(GrowingMatrix&& other) noexcept
    : data_(std::move(other.data_)),
      rows_(std::exchange(other.rows_, 0)),
      cols_(std::exchange(other.cols_, 0)) {}

GrowingMatrix& GrowingMatrix::operator=(GrowingMatrix other) noexcept {
  data_.swap(other.data_);
  rows_ = other.rows_;
  cols_ = other.cols_;
  return *this;
}

void GrowingMatrix::reserve(Index rows, Index cols) {
  if (rows <= data_.rows() && cols <= data_.cols()) return;
  Matrix bigger(grown((rows + 7) / 8 * 8, data_.rows()), grown(cols, data_.cols()));
  bigger.topLeftCorner(rows_, cols_) = data_.topLeftCorner(rows_, cols_);
  data_.swap(bigger);
}

void GrowingVector::reserve(Index size) {
  if (size <= data_.size()) return;
  Vector bigger(grown(size, data_.size()));
  bigger.head(size_) = data_.head(size_);
  data_.swap(bigger);
}

Backend eigen_backend() {
  Backend out;
  out.name = "eigen";
  out.own_threads = false;
  out.solve_lower = [](const ConstMatrixView& L, MatrixView B) {
    L.triangularView<Eigen::Lower>().solveInPlace(B);
  };
  out.solve_lower_transposed = [](const ConstMatrixView& L, MatrixView B) {
    L.triangularView<Eigen::Lower>().transpose().solveInPlace(B);
  };
  out.multiply_transposed = [](const ConstMatrixView& R, const ConstMatrixView& B, MatrixView product) {
    product.noalias() = R.triangularView<Eigen::Upper>().transpose() * B;
  };
  out.multiply = [](const ConstMatrixView& A, const ConstMatrixView& B, MatrixView product) {
    product.noalias() = A * B;
  };
  out.add_outer = [](MatrixView S, const ConstMatrixView& A) {
    S.selfadjointView<Eigen::Lower>().rankUpdate(A);
  };
  out.cholesky = [](MatrixView S) {
    const Eigen::LLT<Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>, Eigen::Lower> factor(S);
    return factor.info() == Eigen::Success;
  };
  return out;
}

namespace {

std::vector<Backend> own_backends() {
  std::vector<Backend> all{eigen_backend()};
#if GPSTREAM_WIDE
  if (vector::wide_supported()) all.push_back(wide_backend());
#endif
  return all;
}

}  // namespace

std::vector<Backend>& backends() {
  static std::vector<Backend> all = own_backends();
  return all;
}

namespace {

// Seconds for a solve and a symmetric update of this size, the best of a few.
std::vector<double> race(const std::vector<Backend>& runners, Index size = 128, int rounds = 3) {
  Matrix L = Matrix::Identity(size, size), S = L;
  L.triangularView<Eigen::StrictlyLower>().setConstant(0.5 / static_cast<double>(size));
  const Matrix B = Matrix::Constant(size, size, 0.5);
  std::vector<double> best(runners.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < runners.size(); ++i) {
      Matrix W = B;
      const auto start = std::chrono::steady_clock::now();
      runners[i].solve_lower(L, W);
      runners[i].add_outer(S, W);
      best[i] =
          std::min(best[i], std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  return best;
}

}  // namespace

const std::vector<double>& raced() {
  static const std::vector<double> seconds = race(backends());
  return seconds;
}

std::size_t fastest(const std::vector<Backend>& runners, const std::vector<double>& seconds) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < seconds.size(); ++i)
    if (1.2 * seconds[i] < seconds[best] && (runners[i].name != "avx2" || vector::wide_vectors())) best = i;
  return best;
}

const Backend& backend() {
  const std::string name = wanted().backend;
  if (name == "auto") return backends()[fastest(backends(), raced())];
  for (const Backend& one : backends())
    if (one.name == name) return one;
  std::string names = "\"auto\"";
  for (const Backend& one : backends()) names += ", \"" + one.name + "\"";
  throw Error("parameter",
              "the option `gpstream.backend` must be one of " + names + ", not \"" + name + "\".");
}

}  // namespace gpstream
