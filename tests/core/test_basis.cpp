// Which points are refused, and what is left of rows: relative to their own variance.
#include "reference.h"

using namespace gpstream;
using namespace reference;

namespace {

Matrix column(std::initializer_list<double> values) {
  Matrix out(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

}  // namespace

TEST(
    "a point of hardly any variance joins when the others do not give it; one that they give does not, nor "
    "one of none") {
  const WithLinearBrownian registered;
  const KernelPtr k = make_kernel(linear_brownian(1e-3, 1));
  std::vector<Index> kept;
  const Basis basis = make_basis(*k, column({1, 1e-10, 1e-10, 0, 1e-10 * (1 + 1e-9), 2e-10, 1}), kept);
  CHECK(kept == std::vector<Index>({0, 1, 5}));
  CHECK_CLOSE(Matrix(lower(basis.L.view()) * lower(basis.L.view()).transpose()),
              k->value(basis.Z.view(), basis.Z.view()), 1e-14);
  CHECK(!basis.border(*k, column({0})) && !basis.border(*k, column({2e-10})));
  CHECK(basis.border(*k, column({3e-10})).has_value());
  Matrix W;
  const Vector r = basis.features(*k, column({0, 1e-10, 1.5e-10, 0.5}), W);
  CHECK(r(0) == 0 && r(1) <= 1e-15 * 1e-10 && r(2) > 1e-11 && r(2) < 5e-11 && r(3) > 0.2);
}

TEST(
    "an amplitude that varies by ten orders changes neither which points are refused nor the share that is "
    "left") {
  const WithLinearBrownian registered;
  Random r(1);
  for (double l : {0.1, 0.3, 1.0}) {
    const KernelPtr plain = make_kernel(simple("se", l)),
                    varying = make_kernel(composite("product", simple("se", l), linear_brownian(1e-3, 0)));
    Matrix Z(30, 1), X(40, 1);
    for (Index i = 0; i < 30; ++i) Z(i, 0) = i % 2 ? r.uniform() : std::exp(r.uniform(-20, 0));
    for (Index i = 0; i < 40; ++i) X(i, 0) = std::exp(r.uniform(-20, 0));
    std::vector<Index> kept, with_amplitude;
    for (bool pivoted : {false, true}) {
      const Basis a = pivoted ? pivoted_basis(*plain, Z, nothing, kept) : make_basis(*plain, Z, kept);
      const Basis b = pivoted ? pivoted_basis(*varying, Z, nothing, with_amplitude)
                              : make_basis(*varying, Z, with_amplitude);
      CHECK(kept == with_amplitude && kept.size() > 3 && kept.size() < 30);
      Matrix W;
      const Vector left = a.features(*plain, X, W), also_left = b.features(*varying, X, W);
      Vector own(40);
      varying->diagonal(X, own);
      CHECK((left - also_left.cwiseQuotient(own)).cwiseAbs().maxCoeff() < 1e-7);
    }
  }
}

TEST(
    "all at once or one by one the same points are refused, by pivot or by the inverse, whatever the "
    "amplitude") {
  const WithLinearBrownian registered;
  const Matrix grid = Vector::LinSpaced(24, 0.4, 5.0);  // no pivot below 1e-7, but each extrapolates
  for (double slope : {1e-12, 1.0, 1e12})
    for (const Matrix& Z : {column({0.5, 1, 1 + 1e-5}), grid}) {
      const KernelPtr k = make_kernel(composite("product", simple("se", 1), linear_brownian(slope, 0)));
      std::vector<Index> kept, joined;
      make_basis(*k, Z, kept);
      Basis basis = empty_basis(1);
      for (Index i = 0; i < Z.rows(); ++i)
        if (const std::optional<Border> edge = basis.border(*k, Z.middleRows(i, 1))) {
          basis.append(Z.middleRows(i, 1), *edge);
          joined.push_back(i);
        }
      CHECK(kept == joined && static_cast<Index>(kept.size()) < Z.rows() && kept.size() > 1);
    }
}
