#include "selector.h"

#include <algorithm>
#include <cmath>

#include "../kernels/diagonal.h"
#include "../linear/growing.h"
#include "../linear/require.h"
#include "../points/basis.h"
#include "correlation.h"
#include "factored.h"
#include "online.h"
#include "row_features.h"
#include "support.h"

namespace gpstream {

Matrix correlations(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  Matrix K = kernel.value(Z, X).cwiseAbs();
  if (kernel.unit_diagonal()) return K;
  const Diagonal own(kernel, X), points(kernel, Z);
  for (Index j = 0; j < X.rows(); ++j)
    for (Index i = 0; i < Z.rows(); ++i) {
      if (!(own(j) > 0))
        K(i, j) = 1.0;
      else
        K(i, j) = points(i) > 0 ? std::min(K(i, j) / std::sqrt(points(i)) / std::sqrt(own(j)), 1.0) : 0.0;
    }
  return K;
}

Vector highest_correlation(const Kernel& kernel, const ConstMatrixView& Z, const ConstMatrixView& X) {
  if (Z.rows() > 0 && X.rows() > 0) return correlations(kernel, Z, X).colwise().maxCoeff();
  Vector out = Vector::Zero(X.rows());
  const Diagonal own(kernel, X);
  for (Index j = 0; j < X.rows(); ++j)
    if (!(own(j) > 0)) out(j) = 1.0;
  return out;
}

Factored::Factored(const Points& points) : kept_(points.factored()) {
  if (kept_) return;
  const ConstMatrixView Z = points.points();
  own_ = empty_basis(Z.cols());
  own_.reserve(Z.rows());
  for (Index i = 0; i < Z.rows(); ++i) {
    const auto z = Z.middleRows(i, 1);
    if (const std::optional<Border> edge = own_.border(points.kernel(), z)) own_.append(z, *edge);
  }
}

void Factored::joined(const ConstMatrixView& z, const Border& edge) {
  if (!kept_) own_.append(z, edge);
}

RowFeatures::RowFeatures(const Basis& basis, const Kernel& kernel, const ConstMatrixView& X) : d_(kernel, X) {
  Matrix W;
  r_ = basis.features(kernel, X, W);
  W_ = GrowingMatrix(W);
}

Index RowFeatures::most_left(double tol) const {
  Index most = -1;
  for (Index i = 0; i < r_.size(); ++i)
    if (!explained(i, tol) && (most < 0 || r_(i) > r_(most))) most = i;
  return most;
}

Border RowFeatures::border(Index i) const { return {W_.view().col(i), std::sqrt(r_(i))}; }

void RowFeatures::extend(const Kernel& kernel, const ConstMatrixView& X, Index i, Index from) {
  const Border edge = border(i);
  const Index M = W_.rows(), rest = X.rows() - from;
  Vector f = kernel.value(X.bottomRows(rest), X.middleRows(i, 1)).col(0);
  if (M > 0) f.noalias() -= W_.view().rightCols(rest).transpose() * edge.l;
  f /= edge.d;
  W_.resize(M + 1, X.rows());
  W_.view().row(M).tail(rest) = f.transpose();
  r_.tail(rest) = (r_.tail(rest) - f.cwiseAbs2()).cwiseMax(0.0);
  spend(i);
}

bool Support::has(Index i) {
  if (least_ <= 1) return true;
  if (!held_) held_ = points_.held();
  const ConstMatrixView x = X_.middleRows(i, 1);
  const Index others = points_.lookback() - 1;  // it is one of the look-back itself
  Index found = 1 + near(X_, i, std::min(i, others), x, least_ - 1);
  if (found < least_ && i < others)
    found += near(*held_, held_->rows(), std::min(held_->rows(), others - i), x, least_ - found);
  return found >= least_;
}

Index Support::near(const ConstMatrixView& rows, Index end, Index count, const ConstMatrixView& x,
                    Index enough) const {
  constexpr Index at_once = 128;
  Index found = 0;
  for (const Index first = end - count; end > first && found < enough;) {
    const Index some = std::min(at_once, end - first);
    end -= some;
    const Matrix alike = correlations(points_.kernel(), rows.middleRows(end, some), x);
    found += (alike.array() >= rho_).count();
  }
  return found;
}

double Selector::number(const char* name) const {
  const auto found = spec_.numbers.find(name);
  require(found != spec_.numbers.end(), "parameter",
          std::string("selector \"") + spec_.name + "\" needs `" + name + "`.");
  return found->second;
}

double Selector::wanted() const {
  const double m = number("m");
  require(m >= 1 && m <= 1e9, "parameter", "`m` must lie between 1 and 1e9.");
  return m;
}

const std::string& Selector::word(const char* name) const {
  const auto found = spec_.words.find(name);
  require(found != spec_.words.end(), "parameter",
          std::string("selector \"") + spec_.name + "\" needs `" + name + "`.");
  return found->second;
}

Online::Online(SelectorSpec spec) : Selector(std::move(spec)), max_points_(number("max_points")) {
  const auto found = this->spec().words.find("when_full");
  replaces_ = found != this->spec().words.end() && found->second == "replace";
  const auto wanted = this->spec().numbers.find("support");
  if (wanted == this->spec().numbers.end()) return;
  require(wanted->second >= 1 && wanted->second <= 1e6 && wanted->second == std::floor(wanted->second),
          "parameter", "`support` must be a whole number from 1 to 1e6.");
  support_ = static_cast<Index>(wanted->second);
}

double Online::settles_with(double v, double s2) const {
  return support_ > 1 ? left_by_cover(v, s2) + rank_tolerance : Selector::settles_with(v, s2);
}

Index Online::select(const Batch& batch, Points& points, Checkpoint check) const {
  constexpr Index block = 256;
  const std::unique_ptr<Cover> cover = this->cover(batch, points);
  Support support(points, batch.X, ball(), support_);
  const Index before = points.points().rows();
  for (Index start = 0; start < batch.X.rows(); start += block) {
    check();
    const ConstMatrixView X = batch.X.middleRows(start, std::min(block, batch.X.rows() - start));
    cover->look(X);
    for (Index i = 0; i < X.rows(); ++i) {
      if (cover->covers(X, i)) {
        if (const double left = cover->left_to_noise(i)) points.count_as_noise(start + i, left);
        continue;
      }
      if (!support.has(start + i)) continue;
      if (full(points.points().rows())) {
        if (replaces_ && points.can_make_room()) {
          if (!cover->worth_room(i)) continue;
          if (points.can_make_room_for(start + i)) return start + i;
          points.pass_over(start + i);
          continue;
        }
        points.turn_away(start + i);
        continue;
      }
      // what leaves the look-back before this row comes does not know it
      if (support_ > 1 && start + i > 0 && points.absorbs()) return start + i;
      check();  // with a long look-back a join is long
      if (points.join(X.middleRows(i, 1), start + i)) cover->joined(X, i);
    }
  }
  if (batch.X.rows() <= block && points.points().rows() == before) cover->tell(points);
  return batch.X.rows();
}

}  // namespace gpstream
