// [GFO21 Algorithm 1] against a transcription, and its invariants.
#include "../../src/core/select/correlation.h"
#include "reference.h"

using namespace gpstream;
using namespace reference;

TEST("OIPS is Algorithm 1 on 1000 random streams, however they are cut and whatever the signal variance") {
  Random r(1);
  const WithLinearBrownian registered;
  const std::vector<std::string> names = kernel_names();
  for (int stream = 0; stream < 1000; ++stream) {
    const Index D = 1 + stream % 5, n = 60;
    const double rho = r.uniform(0.1, 0.99);
    KernelSpec k = random_kernel(names[static_cast<std::size_t>(stream) % names.size()], D, r);
    const Matrix X = r.matrix(n, D) * 3;
    const Matrix C = correlations(k, X, X);
    std::vector<double> expected;
    for (Index i = 0; i < n; ++i) {
      bool covered = false;
      for (double j : expected) covered = covered || C(static_cast<Index>(j) - 1, i) >= rho;
      if (!covered) expected.push_back(static_cast<double>(i) + 1);
    }
    const Index cut = 1 + static_cast<Index>(r.uniform(0, 60));  // from 32 rows on, by cells
    PointSet set(make_kernel(with_variance(k, r.uniform(0.01, 100))), make_selector(oips(rho, 1e9)), D);
    for (Index start = 0; start < n; start += cut)
      set.update(X.middleRows(start, std::min(cut, n - start)), nothing);
    if (set.index() != expected) CHECK(!"other points than Algorithm 1");
    Matrix own = correlations(k, set.points(), set.points());
    own.diagonal().setZero();
    if (own.maxCoeff() >= rho || highest_correlation(set.kernel(), set.points(), X).minCoeff() < rho)
      CHECK(!"invariant broken");
  }
  CHECK(true);
}

TEST("a row that has no variance is covered; by correlation an amplitude that varies makes no difference") {
  const WithLinearBrownian registered;
  Random r(4);
  for (int stream = 0; stream < 50; ++stream) {
    const KernelSpec se = simple("se", 0.2);
    Matrix X(80, 1);
    for (Index i = 0; i < 80; ++i) X(i, 0) = std::exp(r.uniform(-20, 0));
    const double rho = r.uniform(0.1, 0.99);
    PointSet plain(make_kernel(se), make_selector(oips(rho)), 1),
        varying(make_kernel(composite("product", se, linear_brownian(2, 0))), make_selector(oips(rho)), 1);
    plain.update(X, nothing);
    varying.update(Matrix::Zero(1, 1), nothing);
    CHECK(varying.points().rows() == 0);
    varying.update(X, nothing);
    varying.update(Matrix::Zero(1, 1), nothing);
    CHECK(Matrix(varying.points()) == Matrix(plain.points()));
    CHECK(highest_correlation(varying.kernel(), varying.points(), Matrix::Zero(1, 1))(0) == 1);
  }
}

TEST("a tie is covered") {
  Matrix X(3, 1);
  X << 0, 1, 2;
  PointSet set(make_kernel(simple("se", 1)), make_selector(oips(std::exp(-1.0))), 1);
  set.update(X, nothing);
  CHECK(set.index() == std::vector<double>({1, 3}));
}

TEST("the model's points are those of OIPS alone, but for refusals") {
  Random r(2);
  const Matrix X = r.matrix(500, 2) * 4;
  StreamingGP gp = model(simple("se", 0.7), oips(0.7), 0.1, 30, 2);
  stream(gp, X, X.col(0), 17);
  PointSet set(make_kernel(simple("se", 0.7)), make_selector(oips(0.7, 1e9)), 2);
  set.update(X, nothing);
  CHECK(gp.state().counters.refused == 0 && Matrix(gp.points()) == Matrix(set.points()));
}

TEST("a stopped selection leaves the set as it was") {
  Random r(3);
  PointSet set(make_kernel(simple("se", 0.01)), make_selector(oips(0.8, 1e9)), 1);
  set.update(r.matrix(20, 1), nothing);
  const std::vector<double> before = set.index();
  static int calls;
  calls = 0;
  CHECK_THROWS(set.update(r.matrix(2000, 1),
                          [] {
                            if (++calls > 3) throw Error("interrupt", "");
                          }),
               "interrupt");
  CHECK(set.index() == before && set.points().rows() == static_cast<Index>(before.size()) &&
        set.seen() == 20);
}
