// A kernel that is not made of others. Its parameters are its lengthscales, if any, the variance, and the
// extras that its class declares, in this order.
#ifndef GPSTREAM_KERNELS_LEAF_H
#define GPSTREAM_KERNELS_LEAF_H

#include <string>
#include <vector>

#include "../linear/types.h"
#include "kernel.h"

namespace gpstream {

// A shape parameter: its name, the widest range that makes sense, whether it is positive, so that slopes are
// taken by its logarithm, and whether it has many peaks.
struct Extra {
  std::string name;
  double lower, upper;
  bool log = true, narrow = false;
};

const Vector& constant_of(const KernelSpec& spec, const char* name);

class Leaf : public Kernel {
 public:
  Leaf(KernelSpec spec, std::vector<Extra> extras);

  std::vector<Parameter> parameters() const final;

  Index parameter_count() const final { return spec().lengthscale.size() + 1 + extra_count(); }

  KernelSpec with_parameters(const ConstVectorView& values) const final;

  Vector amplitude_slope() const final;

 protected:
  // Where it is not in units of the inputs, it is a shape.
  virtual Parameter::Role lengthscale_role() const { return Parameter::lengthscale; }

  // The lengthscale of column d.
  double lengthscale(Index d) const;
  bool lengthscales_fit(Index D) const;
  void require_no_lengthscale() const;
  void require_fit(const ConstMatrixView& A, const ConstMatrixView& B) const;

  // What is no parameter, by name.
  const Vector& constant(const char* name) const { return constant_of(spec(), name); }

  double extra(const std::string& name) const;
  Index extra_count() const { return static_cast<Index>(extras_.size()); }

 private:
  std::vector<Extra> extras_;
};

// One with k1(x, x) = 1.
class UnitLeaf : public Leaf {
 public:
  using Leaf::Leaf;
  void diagonal(const ConstMatrixView&, VectorView out) const final { out.setOnes(); }
  bool unit_diagonal() const final { return true; }
  void pull_diagonal(const ConstMatrixView&, const ConstVectorView&, VectorView, MatrixView) const final {}
};

}  // namespace gpstream

#endif
