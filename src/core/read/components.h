// The parts that add up to f: the constant, each column of the trend, and each kernel of a sum.
// [derivation 2]
// With the features w_c = L^-1 k_c(Z, x) of a part, all of them together those of f, and w~_c the same with
// zeros in front (of the trend, its own entry of the front alone),
//   mean_c = k_c(x, Z) alpha        cov(c, c') = v ([c = c'] k_c(x, x) - w_c'w_c' + (C^-1 w~_c)'(C^-1 w~_c'))
// where the first two terms are those of kernels only.
#ifndef GPSTREAM_COMPONENTS_H
#define GPSTREAM_COMPONENTS_H

#include "predict.h"

namespace gpstream {

struct Components {
  Matrix mean;        // a row each, a column for each part
  Matrix covariance;  // of the parts in a row, column after column; empty where it was not asked for
};

// The kernels that are added up, and their shares of the amplitude.
struct KernelShare {
  KernelPtr kernel;
  double share;
};
inline std::vector<KernelShare> kernel_shares(const KernelPtr& kernel) {
  const KernelSpec& spec = kernel->spec();
  if (spec.name != "sum") return {{kernel, 1.0}};
  std::vector<KernelShare> out;
  for (const KernelSpec& part : spec.parts) out.push_back({make_kernel(part), part.variance / spec.variance});
  return out;
}

// Those of rows from, ..., from + n - 1.
inline void components_of_rows(const StreamingGP& model, const std::vector<KernelShare>& kernels,
                               const ConstMatrixView& X, Index from, bool covariance, Components& out) {
  const State& state = model.state();
  const Index n = X.rows(), M = model.size(), q = state.trend.active(), T = state.trend.size();
  const Index all = T + static_cast<Index>(kernels.size());
  const Matrix front = state.trend.features(X), spread = state.trend.spread();
  std::vector<Matrix> w(static_cast<std::size_t>(all)), root = w;
  out.mean.middleRows(from, n).setZero();
  out.mean.col(0).segment(from, n).setConstant(state.mean);
  for (Index c = 0; c < all; ++c) {
    Matrix &own = w[static_cast<std::size_t>(c)], &with = root[static_cast<std::size_t>(c)];
    auto mean = out.mean.col(c).segment(from, n);
    with = Matrix::Zero(q + M, n);
    if (c < T) {
      for (Index j = 0; j < q; ++j)
        if (spread(c, j) != 0) {
          with.row(j) = front.row(j);
          mean += model.weights().front(j) * front.row(j).transpose();
        }
    } else {
      const KernelShare& part = kernels[static_cast<std::size_t>(c - T)];
      own = part.share * part.kernel->value(model.points(), X);
      mean += own.transpose() * model.weights().alpha;
      if (covariance) solve_lower(state.basis.L.view(), MatrixView(own));
      with.bottomRows(M) = own;
    }
    if (covariance) solve_lower(model.factor(), MatrixView(with));
  }
  if (!covariance) return;
  for (Index c = 0; c < all; ++c)
    for (Index d = 0; d <= c; ++d) {
      const std::size_t i = static_cast<std::size_t>(c), j = static_cast<std::size_t>(d);
      Vector both = root[i].cwiseProduct(root[j]).colwise().sum().transpose();
      if (c >= T && d >= T) both -= w[i].cwiseProduct(w[j]).colwise().sum().transpose();
      if (c == d && c >= T) {
        const KernelShare& part = kernels[static_cast<std::size_t>(c - T)];
        Vector diagonal(n);
        part.kernel->diagonal(X, diagonal);
        both += part.share * diagonal;
      }
      out.covariance.col(c * all + d).segment(from, n) = model.v() * both;
      out.covariance.col(d * all + c).segment(from, n) = model.v() * both;
    }
}

inline Components components(const StreamingGP& model, const ConstMatrixView& X, bool covariance,
                             Checkpoint check) {
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  require_in_reach(model, X);
  const std::vector<KernelShare> kernels = kernel_shares(model.state().kernel);
  const Index all = model.state().trend.size() + static_cast<Index>(kernels.size()), n = X.rows();
  Components out{Matrix(n, all), Matrix(covariance ? n : 0, all * all)};
  constexpr Index block = 512;
  for (Index from = 0; from < n; from += block) {
    check();
    components_of_rows(model, kernels, X.middleRows(from, std::min(block, n - from)), from, covariance, out);
  }
  return out;
}

}  // namespace gpstream

#endif
