// A kernel that is not made of others. Its parameters are its lengthscales, if any, the variance, and the
// extras that its class declares, in this order.
#ifndef GPSTREAM_KERNELS_LEAF_H
#define GPSTREAM_KERNELS_LEAF_H

#include <limits>

#include "kernel.h"

namespace gpstream {

// A shape parameter: its name, the widest range that makes sense, and whether it is positive, so that slopes
// are taken by its logarithm.
struct Extra {
  std::string name;
  double lower, upper;
  bool log = true;
};

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
    std::vector<Parameter> out;
    for (Index d = 0; d < l.size(); ++d)
      out.push_back({l.size() == 1 ? "lengthscale" : "lengthscale" + std::to_string(d + 1), l(d), 0.0,
                     infinite, true, Parameter::lengthscale});
    out.push_back({"variance", variance(), 0.0, infinite, true, Parameter::variance});
    for (const Extra& one : extras_)
      out.push_back({one.name, extra(one.name), one.lower, one.upper, one.log, Parameter::shape});
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

}  // namespace gpstream

#endif
