// Ranges and priors of the search for a kernel.
#include "given_example.h"

using namespace gpstream;
using namespace example;

TEST("a lengthscale is searched between the spacing of the rows and many times their range") {
  const Matrix X = inputs(8, 3);
  const KernelSpec k = resolve(kernel(), X, 3);
  const Box range = search_range(k, X);
  // R's numbers
  CHECK_CLOSE(range.lower,
              numbers({-1.4365366285063179, -1.4207564717083008, -1.4559344579967, -18.015215635844203,
                       -0.88822966928948999, -18.015215635844203, -4.6051701859880909, -0.88822966928948999,
                       -17.727533563392424}),
              1e-14);
  CHECK_CLOSE(range.upper,
              numbers({3.6386371867275087, 3.6544173435255263, 3.6192393572371269, 18.826145852060531,
                       4.1869441459443371, 18.826145852060531, 6.9077552789821368, 4.1869441459443371,
                       19.113827924512311}),
              1e-14);
  CHECK((range.lower.array() < log_parameters(k).array()).all() &&
        (range.upper.array() > log_parameters(k).array()).all());
  // a column without range counts as one of range 1
  Matrix flat = X;
  flat.col(1).setConstant(4);
  CHECK(std::abs(search_range(k, flat).upper(1) - std::log(20.0)) < 1e-14);
  CHECK_THROWS(search_range(k, Matrix(0, 3)), "input");
  CHECK_THROWS(search_range(k, X.leftCols(2)), "dimension");
}

TEST("a trust region is within the range and holds where the kernel is, even outside") {
  const Matrix X = inputs(8, 3);
  KernelSpec k = resolve(kernel(), X, 3);
  k.parts[0].lengthscale(0) = 1e9;
  const Box range = search_range(k, X), near = trust_region(range, k, std::log(2.0));
  const Vector here = log_parameters(k);
  CHECK(near.clamped(here) == here && near.upper(0) == here(0));
  CHECK_CLOSE(near.lower, Vector(here.array() - std::log(2.0)), 1e-14);
  const Box all = trust_region(range, k, std::numeric_limits<double>::infinity());
  CHECK(all.lower == range.lower && all.upper.tail(8) == range.upper.tail(8));
}

TEST(
    "the prior is around the heuristics, of what is open, in units of the noise where that has a closed "
    "form") {
  const KernelSpec k = resolve(kernel(), inputs(8, 3), 3);
  CHECK(prior_sd(k) == numbers({1.5, 1.5, 1.5, 2.5, 1.5, 2.5, 1.5, 1.5, 2.5}));
  const OpenToLearn open = open_to_learn(kernel(), true, k);
  CHECK(open.relative == open_amplitude(kernel()) && open.own_noise() == !open.relative);
  const SearchPrior prior = search_prior(k, 0.2, open);
  // R's numbers
  CHECK_CLOSE(prior.mean,
              numbers({0.5166964842441677, 0.46408681693462073, 0.3974262015274056, 2.0149030205422647,
                       0.63173708883189139, 2.0149030205422647, 0, 0.63173708883189139}),
              1e-14);
  CHECK(prior.sd == numbers({1.5, 1.5, 1.5, 2.5, 1.5, 2.5, 1.5, 1.5}));

  // with the variance given, the noise is a parameter of its own, the last
  const GivenKernel given = leaf("se", std::nullopt, 3.0);
  const KernelSpec se = resolve(given, inputs(8, 3), 1);
  const SearchPrior own = search_prior(se, 0.2, open_to_learn(given, true, se));
  CHECK_CLOSE(own.mean, numbers({std::log(se.lengthscale(0)), std::log(0.2)}), 1e-15);
  CHECK(own.sd == numbers({1.5, 2.5}));
  const SearchPrior none = search_prior(se, 0.2, open_to_learn(given, false, se));
  CHECK(none.mean.size() == 1 && none.sd.size() == 1);
}

TEST("the slope of the prior is its difference") {
  const SearchPrior prior{numbers({1, -2}), numbers({1.5, 2.5})};
  const Vector p = numbers({0.3, 1.1});
  Vector slope = numbers({10, 20}), unused(2);
  const double value = prior.add(p, slope);
  CHECK(std::abs(value + 0.5 * (0.7 * 0.7 / 2.25 + 3.1 * 3.1 / 6.25)) < 1e-14);
  for (Index i = 0; i < 2; ++i) {
    Vector up = p, down = p;
    up(i) += 1e-5;
    down(i) -= 1e-5;
    unused.setZero();
    const double difference = (prior.add(up, unused) - prior.add(down, unused)) / 2e-5;
    CHECK(std::abs(slope(i) - 10 * static_cast<double>(i + 1) - difference) < 1e-9);
  }
}
