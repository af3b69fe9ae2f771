// The objective of rows that are elsewhere: in shards, each of which sees its own rows under the kernel and
// points it is told of, in batches and in bounded memory, and sends sums, then slopes. Both add up, so that
// the objective is that of all rows in one place.  [derivation 23]
#ifndef GPSTREAM_SHARED_H
#define GPSTREAM_SHARED_H

#include <functional>

#include "../evidence/evidence.h"
#include "../evidence/site.h"
#include "../evidence/trend.h"
#include "../kernels/kernel.h"
#include "../linear/types.h"
#include "../points/basis.h"
#include "adjoint.h"
#include "gradient.h"

namespace gpstream {

// From where a shard sees its rows. The factor L goes along with the points: whether one of them is refused
// must not depend on the machine.
struct View {
  KernelPtr kernel;
  Basis basis;
  Trend trend;
  double offset;

  Sites sites(const ConstVectorView& y, const Vector& weights) const;
  void require_rows(const ConstMatrixView& X, const ConstVectorView& y, const Vector& weights) const;
};

// Forwards: a batch of a shard.
void add_rows(const View& view, const ConstMatrixView& X, const ConstVectorView& y, const Vector& weights,
              Checkpoint check, Evidence& sums);

// Backwards: the same batch.
void add_slopes(const View& view, const Adjoint& back, const ConstMatrixView& X, const ConstVectorView& y,
                const Vector& weights, Checkpoint check, RowSlopes& out);

// `sums` and `slopes` ask all shards, and add up what they answer.
class SharedObjective {
 public:
  using Sums = std::function<Evidence(const View&)>;
  using Slopes = std::function<RowSlopes(const View&, const Adjoint&, bool points)>;

  SharedObjective(Trend trend, double offset, Sums sums, Slopes slopes);

  Slope operator()(const Place& at, bool points, Checkpoint check) const;

 private:
  Trend trend_;
  double offset_;
  Sums sums_;
  Slopes slopes_;
};

}  // namespace gpstream

#endif
