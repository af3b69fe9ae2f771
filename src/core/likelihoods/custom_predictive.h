// What new observations may be under a likelihood of which only functions are known: all rows and nodes are
// asked for at once, as a call may be dear.
#ifndef GPSTREAM_CUSTOM_PREDICTIVE_H
#define GPSTREAM_CUSTOM_PREDICTIVE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "../linear/types.h"
#include "predictive.h"
#include "responses.h"

namespace gpstream {

// Each takes numbers for as many rows and gives one for each.
struct CustomFunctions {
  using OfBoth = std::function<Vector(const Vector& y, const Vector& f)>;
  using OfOne = std::function<Vector(const Vector&)>;
  OfBoth log_density = OfBoth(), probability = OfBoth();  // log p(y | f), P(Y <= y | f)
  OfOne start = OfOne(), mean = OfOne();                  // where f may be, of y; E(Y | f)
  double unit = 1.0, width = 2.0;  // how much f may vary; where log p is singular off the real line
};

// Nodes for all rows, one row after the other, and the sums of a row's values.
struct Nodes {
  Vector f, z, weight;
  std::vector<Index> row;
  Index rows;

  // The standard deviation is at least `least`.
  Nodes(const Latent& at, double width, double least);

  // The entry of its row for each node.
  Vector spread(const ConstVectorView& of_rows) const;
  Vector average(const Vector& of_nodes) const;
};

class CustomPredictive final : public Predictive {
 public:
  CustomPredictive(Latent at, CustomFunctions functions);

  Index rows() const override { return at_.mean.size(); }
  Vector mean() const override;
  // Of the observation given f nothing is known but its mean.
  Vector variance() const override;
  Vector crps(const ConstVectorView& y) const override;
  Vector probability(const ConstVectorView& y) const override;
  Vector quantile(double p) const override;

  // The smallest numbers that have at least these probabilities not to be exceeded: bisection in the order of
  // all numbers there are, so that nothing needs to be known of where they lie.
  Vector draw(const ConstVectorView& u) const override;

  // A grid about what is known of f, drawn together or moved until it fits where the product of p(y | f) and
  // the normal density is; then the trapezoidal rule.
  Vector log_density(const ConstVectorView& y) const override;

 private:
  static constexpr Index grid = 129;
  static double nan() { return std::numeric_limits<double>::quiet_NaN(); }
  static double largest() { return std::numeric_limits<double>::max(); }
  static std::int64_t& at(std::vector<std::int64_t>& of, Index i) { return of[static_cast<std::size_t>(i)]; }

  static void require_function(bool there, const std::string& name);

  // Numbers in their order as whole numbers.
  static std::int64_t order(double x);
  static double number(std::int64_t place);
  static std::int64_t between(std::int64_t low, std::int64_t high) {
    return (low & high) + ((low ^ high) >> 1);
  }

  // Rows of which nothing is known are asked for somewhere.
  static Latent known(Latent at);
  Vector where_known(Vector out) const;
  Vector where_known(Vector out, const ConstVectorView& asked) const;

  Vector below(const ConstVectorView& y) const;

  // log p(y | f) and the log of the normal density over its top, on a grid for each row, a column each.
  Matrix products(const Latent& at, const ConstVectorView& y, const Vector& low, const Vector& high) const;

  Latent at_;
  CustomFunctions functions_;
  Nodes nodes_;
};

}  // namespace gpstream

#endif
