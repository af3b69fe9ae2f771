#include "components.h"

#include <algorithm>
#include <cstddef>

#include "../kernels/kernels.h"
#include "predict.h"

namespace gpstream {

std::vector<KernelShare> kernel_shares(const KernelPtr& kernel) {
  const KernelSpec& spec = kernel->spec();
  if (spec.name != "sum") return {{kernel, 1.0}};
  std::vector<KernelShare> out;
  for (const KernelSpec& part : spec.parts) out.push_back({make_kernel(part), part.variance / spec.variance});
  return out;
}

namespace {

// A kernel at the points: what each of them is to the mean of all, and the mean of that.
struct AtPoints {
  Vector with_mean;  // of k_c(z_i, z_j) over j
  double mean;
};

class ComponentReader {
 public:
  ComponentReader(const StreamingGP& model, bool centred)
      : model_(model), kernels_(kernel_shares(model.state().kernel)) {
    if (!centred || model.size() == 0) return;
    for (const KernelShare& one : kernels_) {
      const Matrix K = one.share * one.kernel->value(model.points(), model.points());
      at_points_.push_back({K.rowwise().mean(), K.mean()});
    }
  }

  Index parts() const { return trend().size() + static_cast<Index>(kernels_.size()); }

  // Those of rows from, ..., from + X.rows() - 1.
  void read(const ConstMatrixView& X, Index from, bool covariance, Components& out) const {
    const State& state = model_.state();
    const Index n = X.rows(), M = model_.size(), q = trend().active(), all = parts();
    const Matrix front = trend().features(X), spread = trend().spread();
    std::vector<Matrix> w(static_cast<std::size_t>(all), Matrix::Zero(M, n)), root = w;
    for (Index c = trend().size(); c < all; ++c) {
      Matrix& own = w[static_cast<std::size_t>(c)];
      own = share(c).share * share(c).kernel->value(model_.points(), X);
      if (centred()) {
        own.colwise() -= at_points(c).with_mean;
        w.front().colwise() += at_points(c).with_mean;
      }
    }
    for (Index c = 0; c < all; ++c) {
      Matrix &own = w[static_cast<std::size_t>(c)], &with = root[static_cast<std::size_t>(c)];
      Vector mean = own.transpose() * model_.weights().alpha;
      if (c == 0) mean.array() += state.mean;
      with = Matrix::Zero(q + M, n);
      for (Index j = 0; c < trend().size() && j < q; ++j)
        if (spread(c, j) != 0) {
          with.row(j) = front.row(j);
          mean += model_.weights().front(j) * front.row(j).transpose();
        }
      out.mean.col(c).segment(from, n) = mean;
      if (!covariance) continue;
      solve_lower(state.basis.L.view(), MatrixView(own));
      with.bottomRows(M) = own;
      solve_lower(model_.factor(), MatrixView(with));
    }
    if (!covariance) return;
    for (Index c = 0; c < all; ++c)
      for (Index d = 0; d <= c; ++d) {
        const std::size_t i = static_cast<std::size_t>(c), j = static_cast<std::size_t>(d);
        const Vector both = prior(X, c, d) + root[i].cwiseProduct(root[j]).colwise().sum().transpose() -
                            w[i].cwiseProduct(w[j]).colwise().sum().transpose();
        out.covariance.col(c * all + d).segment(from, n) = model_.v() * both;
        out.covariance.col(d * all + c).segment(from, n) = model_.v() * both;
      }
  }

 private:
  const Trend& trend() const { return model_.state().trend; }
  bool centred() const { return !at_points_.empty(); }
  const KernelShare& share(Index c) const { return kernels_[static_cast<std::size_t>(c - trend().size())]; }
  const AtPoints& at_points(Index c) const {
    return at_points_[static_cast<std::size_t>(c - trend().size())];
  }

  // Of what kernels say of parts c >= d before any row.
  Vector prior(const ConstMatrixView& X, Index c, Index d) const {
    Vector out = Vector::Zero(X.rows());
    if (c < trend().size()) {
      for (const AtPoints& one : at_points_)
        if (c == 0) out.array() += one.mean;
      return out;
    }
    if (c != d && (d != 0 || !centred())) return out;
    const KernelShare& part = share(c);
    const Vector with_mean =
        centred() ? Vector(part.share * part.kernel->value(X, model_.points()).rowwise().mean()) : out;
    if (d == 0) return with_mean.array() - at_points(c).mean;
    part.kernel->diagonal(X, out);
    out *= part.share;
    if (centred()) out.array() += at_points(c).mean - 2.0 * with_mean.array();
    return out;
  }

  const StreamingGP& model_;
  std::vector<KernelShare> kernels_;
  std::vector<AtPoints> at_points_;
};

}  // namespace

Components components(const StreamingGP& model, const ConstMatrixView& X, bool covariance, bool centred,
                      Checkpoint check) {
  require(X.cols() == model.columns(), "dimension", "the rows do not fit the model.");
  require_in_reach(model, X);
  const ComponentReader reader(model, centred);
  const Index all = reader.parts(), n = X.rows();
  Components out{Matrix(n, all), Matrix(covariance ? n : 0, all * all)};
  constexpr Index block = 512;
  for (Index from = 0; from < n; from += block) {
    check();
    reader.read(X.middleRows(from, std::min(block, n - from)), from, covariance, out);
  }
  return out;
}

}  // namespace gpstream
