// Which points can be spared: of those that were not needed for longest, the ones without which the posterior
// would be closest to what it is.  [derivation 16]  With q the direction that only point j can hold,
//   q = L^-1 e_j / |.|     KL_j = 1/2 (log q'Gq - 1 + q'G^-1 q + (q'm)^2)     m = (sqrt(v) / phi) a
// = KL(q(u) || q(u without j) p(u_j | the others)).
#ifndef GPSTREAM_SPARE_H
#define GPSTREAM_SPARE_H

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../linear/types.h"
#include "../points/basis.h"
#include "scale.h"

namespace gpstream {

struct Spare {
  std::vector<Index> points;  // in ascending order
  double divergence;          // the sum of theirs
};

// KL_j of some points, C being the factor and a = G^-1 b.
Vector divergences(const Basis& basis, const ConstMatrixView& C, const Vector& a, const Scale& scale,
                   const std::vector<Index>& points);

constexpr Index most_looked_at = 24;  // points of which the divergence is worked out for one that leaves

// By how much less the divergence of each point counts: one that was not needed for more than eight times as
// long as is usual among them is as unlikely to be needed soon. Tracks that return do so before.
Vector patience(const ConstVectorView& used);

// `count` points, of the half that was used longest ago, those whose divergences count least: cost_of(some
// points), with several latent functions the sum over all of them. Of many, some evenly spread ones are
// looked at, others at another `turn`.
template <class CostOf>
Spare spared(const ConstVectorView& used, Index count, Index turn, const CostOf& cost_of) {
  std::vector<Index> oldest(static_cast<std::size_t>(used.size()));
  std::iota(oldest.begin(), oldest.end(), Index(0));
  std::stable_sort(oldest.begin(), oldest.end(), [&](Index i, Index j) { return used(i) < used(j); });
  oldest.resize(std::max<std::size_t>(oldest.size() / 2, 1));
  const std::size_t looked_at = std::min<std::size_t>(oldest.size(), most_looked_at),
                    shift = static_cast<std::size_t>(turn) % looked_at;
  std::vector<Index> some;
  for (std::size_t i = 0; i < looked_at; ++i)
    some.push_back(oldest[(i * looked_at + shift) * oldest.size() / (looked_at * looked_at)]);
  const Vector cost = cost_of(some);
  std::vector<Index> order(some.size());
  std::iota(order.begin(), order.end(), Index(0));
  const Vector less = patience(used);
  Vector counts = cost;
  for (std::size_t i = 0; i < some.size(); ++i) counts(static_cast<Index>(i)) *= less(some[i]);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return counts(i) < counts(j); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  Spare out{{}, 0.0};
  for (const Index i : order) {
    out.points.push_back(some[static_cast<std::size_t>(i)]);
    out.divergence += cost(i);
  }
  std::sort(out.points.begin(), out.points.end());
  return out;
}

}  // namespace gpstream

#endif
