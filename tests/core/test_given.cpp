// Kernels with open parts: what is open, and what takes its place.
#include "../../src/core/learn/heuristics.h"
#include "given_example.h"

using namespace gpstream;
using namespace example;

TEST("what is open is taken from the rows: lengthscales, shares of the variance, extras") {
  const Matrix X = inputs(8, 3);
  const KernelSpec k = resolve(kernel(), X, 3);
  const double iso = typical_distance(X);
  CHECK(k.parts[0].lengthscale == typical_distances(X) && k.parts[0].variance == 1.5);
  const KernelSpec& product = k.parts[1];
  CHECK(product.parts[0].lengthscale(0) == iso && product.parts[0].variance == 1.5);
  CHECK(product.parts[0].extras.at("alpha") == 1);
  CHECK(product.parts[1].variance == 2 && product.variance == 3 && k.variance == 4.5);
  // a later factor of a product has variance 1 where it is open, an earlier one all of it
  const KernelSpec both = resolve(composite("product", {leaf("se"), leaf("matern12", 0.5)}), X, 7);
  CHECK(both.parts[0].variance == 7 && both.parts[1].variance == 1 && both.variance == 7);
  CHECK(both.parts[1].lengthscale(0) == 0.5);
}

TEST("what is given stays, and must fit the columns") {
  const Matrix X = inputs(8, 3);
  GivenKernel rq = leaf("rq", 0.25, 4.0);
  rq.extras = {{"alpha", 2.5}};
  const KernelSpec k = resolve(rq, X, 100);
  CHECK(k.lengthscale(0) == 0.25 && k.variance == 4 && k.extras.at("alpha") == 2.5 && k.name == "rq");
  GivenKernel two = leaf("se");
  two.lengthscale = Vector::Ones(2);
  CHECK_THROWS(resolve(two, X, 1), "dimension");
  try {
    resolve(two, inputs(4, 1), 1);
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "`kernel` has 2 lengthscales, but `x` has 1 column.");
  }
  Matrix huge(2, 1);
  huge << -1.5e308, 1.5e308;
  CHECK_THROWS(resolve(leaf("se"), huge, 1), "input");
  CHECK(resolve(leaf("se", 1.0), huge, 1).lengthscale(0) == 1);
}

TEST("is it resolved, is its shape open, is its amplitude?") {
  const GivenKernel shape = leaf("se", std::nullopt, 1.0), scale = leaf("se", 1.0),
                    fixed = leaf("se", 1.0, 1.0);
  GivenKernel rq = fixed;
  rq.extras = {{"alpha", std::nullopt}};
  CHECK(is_resolved(fixed) && !is_resolved(shape) && !is_resolved(scale) && !is_resolved(rq));
  CHECK(open_shape(shape) && !open_shape(scale) && !open_shape(fixed) && open_shape(rq));
  CHECK(!open_amplitude(shape) && open_amplitude(scale));
  // shares of a sum are shape; the amplitude of a sum is open where all parts' are, that of a product in the
  // first
  for (const char* name : {"sum", "product"}) {
    const bool sum = std::string(name) == "sum";
    CHECK(open_shape(composite(name, {scale, fixed})) == sum);
    CHECK(!open_shape(composite(name, {fixed, fixed})) && is_resolved(composite(name, {fixed, fixed})));
    CHECK(open_amplitude(composite(name, {scale, fixed})) == !sum);
    CHECK(!open_amplitude(composite(name, {fixed, scale})));
    CHECK(open_amplitude(composite(name, {scale, scale})));
  }
}

TEST(
    "the mask of open parameters is in the order of the parameters; later variances of a product are not in "
    "it") {
  const KernelSpec k = resolve(kernel(), inputs(8, 3), 3);
  CHECK(open_parameters(kernel(), k) == std::vector<bool>({1, 1, 1, 1, 1, 1, 1, 1, 0}));
  const GivenKernel free = opened(k);
  CHECK(open_parameters(free, k) == std::vector<bool>({1, 1, 1, 1, 1, 1, 1, 1, 0}));
  CHECK(free.parts[0].ard && !free.parts[1].parts[0].ard && !is_resolved(free) && open_amplitude(free));
  const GivenKernel two = composite("product", {leaf("se", std::nullopt, 1.0), leaf("se", 0.3)});
  CHECK(open_parameters(two, resolve(two, inputs(8, 3), 1)) == std::vector<bool>({1, 0, 0, 0}));
  CHECK_THROWS(open_parameters(two, k), "parameter");
}

TEST("parameters as logarithms, and back: what does not change keeps its last bit") {
  const KernelSpec k = resolve(kernel(), inputs(8, 3), 3);
  Vector p = log_parameters(k);
  CHECK_CLOSE(
      p,
      numbers({0.5166964842441677, 0.46408681693462073, 0.3974262015274056, 0.40546510810816438,
               0.63173708883189139, 0.40546510810816438, 0, 0.63173708883189139, 0.69314718055994529}),
      1e-14);
  CHECK(make_kernel(k)->parameter_count() == 9);
  const KernelSpec same = with_log_parameters(k, p);
  CHECK(same_unit_kernel(same, k) && same.variance == k.variance);
  p(0) += 0.5;
  p(8) = std::log(5.0);
  const KernelSpec other = with_log_parameters(k, p);
  CHECK_CLOSE(log_parameters(other), p, 1e-15);
  CHECK(other.parts[0].lengthscale(1) == k.parts[0].lengthscale(1));
  CHECK(std::abs(other.variance - (1.5 + 1.5 * 5)) < 1e-14);
  CHECK_THROWS(with_log_parameters(k, p.head(3)), "dimension");
}

TEST("scaled: all parts of a sum, the first factor of a product") {
  const KernelSpec k = resolve(kernel(), inputs(8, 3), 3), twice = scaled(k, 2);
  CHECK(twice.variance == 2 * k.variance && twice.parts[0].variance == 3);
  CHECK(twice.parts[1].parts[0].variance == 3 && twice.parts[1].parts[1].variance == 2);
  CHECK(same_unit_kernel(k, twice));
}

TEST("stretched: lengthscales that are open, each part a step of the one before") {
  const KernelSpec k = resolve(kernel(), inputs(8, 3), 3);
  const Vector move = log_parameters(stretched(k, kernel(), 0.2)) - log_parameters(k);
  const double a = std::log(0.2), third = std::log(1.0 / 3.0);
  CHECK_CLOSE(move, numbers({a, a, a, 0, a + third, 0, 0, a + 2 * third, 0}), 1e-14);
  const Vector even = log_parameters(stretched(k, kernel(), 0.5, 1)) - log_parameters(k);
  const double half = std::log(0.5);
  CHECK_CLOSE(even, numbers({half, half, half, 0, half, 0, 0, half, 0}), 1e-14);
  const GivenKernel fixed = leaf("se", 0.7);
  CHECK(stretched(resolve(fixed, inputs(4, 1), 1), fixed, 9).lengthscale(0) == 0.7);
}
