// Kernel: k(x, z) = v k1(x, z), amplitude v times a unit kernel k1. The core works with k1; v enters only
// where something is read out.  [GFO21 2.1] Most kernels have a unit diagonal, k1(x, x) = 1, and then k1 is
// the correlation; in general that is k1(x, z) / sqrt(k1(x, x) k1(z, z)).
#ifndef GPSTREAM_KERNEL_H
#define GPSTREAM_KERNEL_H

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../linear/types.h"
#include "along.h"

namespace gpstream {

// What a kernel is made of, as plain data: what R hands over, and what is saved.
struct KernelSpec {
  std::string name;
  double variance = 1.0;
  Vector lengthscale;                    // length 1: isotropic; length D: one per column
  std::map<std::string, double> extras;  // shape parameters by name; their order is that of `parameters()`
  std::map<std::string, Vector> fixed;   // what is no parameter: origins, scales, knots
  std::vector<Index> columns;            // of the inputs that it looks at, from 0; none: all
  std::vector<KernelSpec> parts;         // of a sum or product, or what is warped
};

// A parameter, the widest range that makes sense for it, whether slopes are taken by its logarithm, and what
// it is: a lengthscale in units of the inputs, the variance, or any other. One that is `narrow` has many
// peaks, and is looked for about where it starts.
struct Parameter {
  enum Role { lengthscale, variance, shape };
  std::string name;
  double value, lower, upper;
  bool log;
  Role role;
  bool narrow = false;
};

// The inputs x that correlate at least rho with z, for a kernel that is a decreasing function of a distance:
//   sum_d ((x_d - z_d) inverse_d)^2 <= r2
struct Ball {
  Vector inverse;
  double r2;
};

class Kernel {
 public:
  explicit Kernel(KernelSpec spec) : spec_(std::move(spec)) {}
  virtual ~Kernel() = default;

  const KernelSpec& spec() const { return spec_; }
  double variance() const { return spec_.variance; }

  // out(i, j) = k1(row i of A, row j of B)
  virtual void value(const ConstMatrixView& A, const ConstMatrixView& B, MatrixView out) const = 0;

  // out(i) = k1(row i of A, row i of A); all 1 for a unit diagonal, which nobody then has to ask for
  virtual void diagonal(const ConstMatrixView& A, VectorView out) const = 0;
  virtual bool unit_diagonal() const = 0;

  // Every parameter, in the one order there is: that of the slopes below. Names are unique.
  virtual std::vector<Parameter> parameters() const = 0;
  virtual Index parameter_count() const = 0;

  // The same kernel with other values of its parameters; what does not change keeps its last bit.
  virtual KernelSpec with_parameters(const ConstVectorView& values) const = 0;

  // The chain rule backwards. For S = sum_ij bar(i, j) k1(row i of A, row j of B), adds dS/d(parameters) to
  // `slope`, and dS/dA to `inputs` where that has rows. No matrix of derivatives is formed for any parameter.
  virtual void pull_back(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& bar,
                         VectorView slope, MatrixView inputs) const = 0;

  // The same for S = sum_i bar(i) k1(row i of A, row i of A).
  virtual void pull_diagonal(const ConstMatrixView& A, const ConstVectorView& bar, VectorView slope,
                             MatrixView inputs) const = 0;

  // Slopes along column d; none where the process has no derivative there, or the kernel does not say. At a
  // knot, where there are two slopes, the one to the right.
  virtual std::optional<Along> along(const ConstMatrixView& /*A*/, const ConstMatrixView& /*B*/,
                                     Index /*d*/) const {
    return std::nullopt;
  }

  // d log v / d(parameters)
  virtual Vector amplitude_slope() const = 0;

  // Distance along each of D axes at which the correlation has fallen to rho, for a kernel that has one.
  virtual std::optional<Vector> radius(double /*rho*/, Index /*D*/) const { return std::nullopt; }

  // The same as a ball on D columns, where it is one.
  virtual std::optional<Ball> ball(double /*rho*/, Index /*D*/) const { return std::nullopt; }

  // Can it be used on inputs with D columns?
  virtual bool fits(Index D) const = 0;

  // Do rows that correlate little with every point need one of their own, and no others? Not where a few
  // points explain rows that none of them is like, as in a sum on different columns, nor where the variance
  // comes from 0.
  virtual bool correlation_tells() const { return true; }

  Matrix value(const ConstMatrixView& A, const ConstMatrixView& B) const;

 private:
  KernelSpec spec_;
};

using KernelPtr = std::shared_ptr<const Kernel>;

// The columns that a kernel or any of its parts looks at; none: all.
std::vector<Index> columns_of(const KernelSpec& spec);

// The same unit kernel, with another amplitude?
bool same_unit_kernel(const KernelSpec& a, const KernelSpec& b);

}  // namespace gpstream

#endif
