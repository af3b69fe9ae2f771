// A kernel that is not made of others. Its parameters are its lengthscales, if any, the variance, and the
// extras that its class declares, in this order.
#ifndef GPSTREAM_KERNELS_LEAF_H
#define GPSTREAM_KERNELS_LEAF_H

#include <limits>

#include "kernel.h"

namespace gpstream {

// A shape parameter: its name, the widest range that makes sense, whether it is positive, so that slopes are
// taken by its logarithm, and whether it has many peaks.
struct Extra {
  std::string name;
  double lower, upper;
  bool log = true, narrow = false;
};

inline const Vector& constant_of(const KernelSpec& spec, const char* name) {
  const auto found = spec.fixed.find(name);
  require(found != spec.fixed.end() && found->second.size() > 0 && found->second.allFinite(), "parameter",
          "kernel \"" + spec.name + "\" needs finite `" + name + "`.");
  return found->second;
}

class Leaf : public Kernel {
 public:
  Leaf(KernelSpec spec, std::vector<Extra> extras) : Kernel(std::move(spec)), extras_(std::move(extras)) {
    const Vector& l = this->spec().lengthscale;
    require(l.allFinite() && (l.array() > 0).all(), "parameter",
            "`lengthscale` must be positive and finite.");
    for (const Extra& one : extras_) {
      const double value = extra(one.name);
      require(std::isfinite(value) && (value > 0 || !one.log), "parameter",
              "`" + one.name + "` must be " + (one.log ? "positive and finite." : "finite."));
    }
    require(this->spec().extras.size() == extras_.size() && this->spec().parts.empty(), "parameter",
            "kernel \"" + this->spec().name + "\" was given a parameter that it does not have.");
  }

  std::vector<Parameter> parameters() const final {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const Vector& l = spec().lengthscale;
    const bool shape = lengthscale_role() == Parameter::shape;
    std::vector<Parameter> out;
    for (Index d = 0; d < l.size(); ++d)
      out.push_back({l.size() == 1 ? "lengthscale" : "lengthscale" + std::to_string(d + 1), l(d),
                     shape ? 1e-3 : 0.0, shape ? 1e3 : infinite, true, lengthscale_role()});
    out.push_back({"variance", variance(), 0.0, infinite, true, Parameter::variance});
    for (const Extra& one : extras_)
      out.push_back({one.name, extra(one.name), one.lower, one.upper, one.log, Parameter::shape, one.narrow});
    return out;
  }

  Index parameter_count() const final { return spec().lengthscale.size() + 1 + extra_count(); }

  KernelSpec with_parameters(const ConstVectorView& values) const final {
    require(values.size() == parameter_count(), "dimension",
            "a kernel needs as many values as it has parameters.");
    const Index lengthscales = spec().lengthscale.size();
    KernelSpec out = spec();
    out.lengthscale = values.head(lengthscales);
    out.variance = values(lengthscales);
    for (Index i = 0; i < extra_count(); ++i)
      out.extras[extras_[static_cast<std::size_t>(i)].name] = values(lengthscales + 1 + i);
    return out;
  }

  Vector amplitude_slope() const final {
    Vector out = Vector::Zero(parameter_count());
    out(spec().lengthscale.size()) = 1.0;
    return out;
  }

 protected:
  // Where it is not in units of the inputs, it is a shape.
  virtual Parameter::Role lengthscale_role() const { return Parameter::lengthscale; }

  // The lengthscale of column d.
  double lengthscale(Index d) const {
    const Vector& l = spec().lengthscale;
    return l(l.size() == 1 ? 0 : d);
  }
  bool lengthscales_fit(Index D) const {
    return spec().lengthscale.size() == 1 || spec().lengthscale.size() == D;
  }
  void require_no_lengthscale() const {
    require(spec().lengthscale.size() == 0, "parameter",
            "kernel \"" + spec().name + "\" was given a `lengthscale`, which it does not have.");
  }
  void require_fit(const ConstMatrixView& A, const ConstMatrixView& B) const {
    require(fits(A.cols()) && A.cols() == B.cols(), "dimension",
            "kernel and inputs differ in their number of columns.");
  }

  // What is no parameter, by name.
  const Vector& constant(const char* name) const { return constant_of(spec(), name); }

  double extra(const std::string& name) const {
    const auto found = spec().extras.find(name);
    require(found != spec().extras.end(), "parameter",
            "kernel \"" + spec().name + "\" needs `" + name + "`.");
    return found->second;
  }
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
